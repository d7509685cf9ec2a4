package config

import (
	"os"
	"path/filepath"
)

// defaultData is where the data folder is when nobody says: /var/lib/recourse
// for root, else by the XDG rules. "" where neither can be told.
func defaultData() string {
	return dataFolder(os.Geteuid() == 0, os.Getenv)
}

func dataFolder(root bool, env func(string) string) string {
	if root {
		return "/var/lib/recourse"
	}
	// The specification ignores a relative path.
	if base := env("XDG_DATA_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "recourse")
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", "recourse")
	}
	return ""
}
