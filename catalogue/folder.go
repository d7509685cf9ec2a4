package catalogue

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// folder is a folder of this machine. Findings name its files by their whole
// path; the digest does not, so that the same rules have one wherever they lie.
type folder struct {
	fs.FS
	path string
}

// Folder opens a folder of rule files to lay over others. It fails if there is
// no such folder, or no rule file in it: rules that are silently not there are
// worse than a start that is refused.
func Folder(path string) (fs.FS, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("the rule folder cannot be read: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is no folder: name the one that holds the rule files", path)
	}
	f := folder{FS: os.DirFS(path), path: path}
	names, err := ruleFiles(f)
	if err != nil {
		return nil, fmt.Errorf("the rule folder cannot be read: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no rule file, *.yaml or *.yml", path)
	}
	return f, nil
}

// Overlaid proves the embedded rules with those of the folders laid over them.
// Without folders it is Plain.
func Overlaid(folders ...string) (*Catalogue, error) {
	if len(folders) == 0 {
		return Plain()
	}
	var overlays []fs.FS
	for _, path := range folders {
		f, err := Folder(path)
		if err != nil {
			return nil, err
		}
		overlays = append(overlays, f)
	}
	return Load(Files(), overlays...)
}

// shown is how findings name a file.
func shown(fsys fs.FS, name string) string {
	if f, ok := fsys.(folder); ok {
		return filepath.Join(f.path, name)
	}
	return name
}
