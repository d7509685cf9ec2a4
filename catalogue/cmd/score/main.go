// Command score prints how well the embedded catalogue names labelled failures.
// Without arguments it scores the project's own corpus; else the given JSONL
// files and the *.jsonl files of the given folders, together on one board.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/catalogue/score"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("score", flag.ContinueOnError)
	details := flags.Bool("v", false, "list every case that did not come out as labelled")
	explain := flags.String("explain", "", "print how the case of this id comes out, as JSON, and score nothing")
	exceptions := flags.String("exceptions", "catalogue/cases/exceptions.txt", "file of `id reason` lines: labels shown to be wrong")
	if err := flags.Parse(args); err != nil {
		return err
	}
	excepted, err := readExceptions(*exceptions)
	if err != nil {
		return err
	}
	paths := flags.Args()
	if len(paths) == 0 {
		paths = []string{"catalogue/cases"}
	}
	files, err := expand(paths)
	if err != nil {
		return err
	}
	classifier, err := catalogue.Embedded()
	if err != nil {
		return err
	}
	if *explain != "" {
		return explainCase(classifier, files, *explain, out)
	}
	board := score.NewBoard()
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		err = board.Run(classifier, f, excepted)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	board.Print(out, *details)
	return board.Passes()
}

// explainCase prints one case with every rule that was looked at.
func explainCase(c *classification.Classifier, paths []string, id string, out io.Writer) error {
	print := json.NewEncoder(out)
	print.SetIndent("", "  ")
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		err = corpus.Read(f, func(k corpus.Case) error {
			if k.ID != id {
				return nil
			}
			return print.Encode(c.Classify(k.Envelope(), classification.Options{Explain: true}))
		})
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// expand replaces folders by their *.jsonl files. A folder without any is an
// error: an empty board would look perfect.
func expand(paths []string) (files []string, err error) {
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, p)
			continue
		}
		inside, err := os.ReadDir(p)
		if err != nil {
			return nil, err
		}
		before := len(files)
		for _, f := range inside {
			if filepath.Ext(f.Name()) == ".jsonl" {
				files = append(files, filepath.Join(p, f.Name()))
			}
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s holds no *.jsonl", p)
		}
	}
	return files, nil
}

// readExceptions reads `id reason` lines; a missing file has none.
func readExceptions(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		id, reason, _ := strings.Cut(strings.TrimSpace(s.Text()), " ")
		if id == "" || strings.HasPrefix(id, "#") {
			continue
		}
		if reason == "" {
			return nil, fmt.Errorf("%s: %s has no reason", path, id)
		}
		out[id] = reason
	}
	return out, nil
}
