// Command score prints how well the embedded catalogue names labelled failures.
// Without arguments it scores the project's own corpus; else the given JSONL
// files and the *.jsonl files of given folders.
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
	classifier, err := catalogue.Embedded()
	if err != nil {
		return err
	}
	if *explain != "" {
		return explainCase(classifier, expand(paths), *explain, out)
	}
	board := score.NewBoard()
	for _, path := range expand(paths) {
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

// expand replaces folders by their *.jsonl files.
func expand(paths []string) (files []string) {
	for _, p := range paths {
		inside, err := filepath.Glob(filepath.Join(p, "*.jsonl"))
		if err == nil && len(inside) > 0 {
			files = append(files, inside...)
			continue
		}
		files = append(files, p)
	}
	return files
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
