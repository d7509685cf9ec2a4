package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// FileFlag is the flag that names the configuration file.
const (
	FileFlag = "config"
	fileEnv  = "RECOURSE_CONFIG"
)

// Sources are where settings come from.
type Sources struct {
	// Flags are the flags that were given, by name.
	Flags map[string]string
	// Env looks an environment variable up; os.LookupEnv.
	Env func(string) (string, bool)
}

// Load reads the settings. The error lists every problem, one a line.
func Load(s Sources) (Config, error) {
	c := Default()
	file, problems := s.file(&c)
	known := map[string]bool{}
	for _, setting := range Settings() {
		known[setting.Name] = true
		value, origin, ok := s.find(setting, file)
		if !ok {
			continue
		}
		if err := setting.set(&c, value); err != nil {
			problems = append(problems, Problem{Setting: setting.Name, Origin: origin, Text: err.Error()})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(file)) {
		if !known[key] {
			problems = append(problems, Problem{Setting: key, Origin: "file " + c.File, Text: "there is no such setting"})
		}
	}
	problems = append(problems, c.check()...)
	if len(problems) == 0 {
		return c, nil
	}
	lines := make([]error, 0, len(problems))
	for _, problem := range problems {
		lines = append(lines, errors.New(problem.String()))
	}
	return c, errors.Join(lines...)
}

// find gives the value that wins. An empty environment variable is not set.
func (s Sources) find(setting Setting, file map[string]string) (value, origin string, ok bool) {
	if value, ok = s.Flags[setting.Name]; ok {
		return value, "flag --" + setting.Name, true
	}
	if value, ok = s.Env(setting.Env); ok && value != "" {
		return value, "environment " + setting.Env, true
	}
	value, ok = file[setting.Name]
	return value, "the file", ok
}

// file reads the configuration file, if one is named.
func (s Sources) file(c *Config) (map[string]string, []Problem) {
	name, ok := s.Flags[FileFlag]
	if !ok {
		name, _ = s.Env(fileEnv)
	}
	if c.File = name; name == "" {
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, []Problem{{Setting: FileFlag, Text: fmt.Sprintf("cannot be read: %v", err)}}
	}
	values, err := parseFile(data)
	if err != nil {
		return nil, []Problem{{Setting: FileFlag, Origin: "file " + name, Text: err.Error()}}
	}
	return values, nil
}

// parseFile reads flat YAML: a setting's name, and a scalar or a list of them.
func parseFile(data []byte) (map[string]string, error) {
	var raw map[string]yaml.Node
	if err := yaml.Unmarshal(data, &raw); err != nil {
		return nil, errors.New("must be YAML with one setting a line, as \"listen: 127.0.0.1:8080\"")
	}
	out := map[string]string{}
	for key, node := range raw {
		key = strings.ReplaceAll(key, "_", "-")
		switch node.Kind {
		case yaml.ScalarNode:
			out[key] = node.Value
		case yaml.SequenceNode:
			var items []string
			if err := node.Decode(&items); err != nil {
				return nil, fmt.Errorf("%s: must be a value or a list of values", key)
			}
			out[key] = strings.Join(items, ",")
		default:
			return nil, fmt.Errorf("%s: must be a value or a list of values", key)
		}
	}
	return out, nil
}
