package dialect

import (
	"strings"
)

// DetectAgent says which agent a command line starts and which output mode it
// asks for. Paths and extensions of the program do not matter, nor do
// environment assignments, `env` and package runners before it. kind is "" if
// the program is no known agent.
func DetectAgent(argv []string) (kind string, mode Mode) {
	program, args := unwrap(argv)
	known, ok := kinds[program]
	if !ok {
		return "", Text
	}
	if isAdapter(program) {
		return known, ACP
	}
	return known, modeOf(known, args)
}

// Launcher counts the leading words of a command line that only lead to the
// agent's program: assignments, `env`, package runners. It is 0 if the program
// is no known agent.
func Launcher(argv []string) int {
	program, args := unwrap(argv)
	if _, known := kinds[program]; !known {
		return 0
	}
	return len(argv) - len(args) - 1
}

// unwrap returns the program that a command line really starts, in the form of
// a key of kinds, and its arguments.
func unwrap(argv []string) (string, []string) {
	for hops := 0; len(argv) > 0 && hops < 8; hops++ {
		program := baseName(argv[0])
		rest := argv[1:]
		switch program {
		case "env", "nohup", "exec", "command", "time", "sudo", "stdbuf", "setsid", "nice", "winpty":
			argv = skipFlags(rest)
			continue
		case "npx", "bunx", "uvx", "pnpx", "pipx", "npm", "pnpm", "yarn", "node", "bun", "deno", "python", "python3":
			argv = skipFlags(rest)
			if len(argv) > 0 && (argv[0] == "run" || argv[0] == "exec" || argv[0] == "dlx" || argv[0] == "x") {
				argv = skipFlags(argv[1:])
			}
			if len(argv) > 0 {
				return packageName(argv[0]), argv[1:]
			}
			return "", nil
		}
		if isAssignment(argv[0]) {
			argv = rest
			continue
		}
		return program, rest
	}
	return "", nil
}

// skipFlags drops leading flags and environment assignments.
func skipFlags(args []string) []string {
	for len(args) > 0 && (strings.HasPrefix(args[0], "-") || isAssignment(args[0])) {
		args = args[1:]
	}
	return args
}

// isAssignment reports "NAME=value".
func isAssignment(arg string) bool {
	name, _, ok := strings.Cut(arg, "=")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// baseName strips path, extension and case.
func baseName(program string) string {
	program = strings.ToLower(program)
	if i := strings.LastIndexAny(program, `/\`); i >= 0 {
		program = program[i+1:]
	}
	for _, extension := range [...]string{".exe", ".cmd", ".bat", ".ps1", ".js", ".mjs", ".cjs", ".sh", ".py"} {
		program = strings.TrimSuffix(program, extension)
	}
	return program
}

// packageName finds the agent in what a runner was given: a package with a
// version, or a script inside a package's folder.
func packageName(name string) string {
	name = strings.ToLower(name)
	if at := strings.LastIndex(name, "@"); at > 0 && !strings.Contains(name[at:], "/") {
		name = name[:at]
	}
	if _, ok := kinds[name]; ok {
		return name
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' })
	for i := len(parts) - 1; i >= 0; i-- {
		if i > 0 && strings.HasPrefix(parts[i-1], "@") {
			if scoped := parts[i-1] + "/" + parts[i]; kinds[scoped] != "" {
				return scoped
			}
		}
	}
	return baseName(name)
}

// modeOf reads the flags and subcommands by which agents choose their output.
func modeOf(kind string, args []string) Mode {
	mode := Text
	for i, arg := range args {
		if arg == "--" {
			break
		}
		flag, value, inline := strings.Cut(arg, "=")
		if !inline && i+1 < len(args) {
			value = args[i+1]
		}
		switch flag {
		case "--output-format", "--format", "-o", "--output":
			if m, ok := formats[value]; ok {
				mode = m
			}
		case "--json", "--experimental-json":
			mode = JSON
		case "--stream-json", "--stream-json-input", "--stream-json-thinking":
			mode = StreamJSON
		case "--acp", "--experimental-acp":
			return ACP
		case "acp":
			if i == 0 || kind == "kiro" && i == 1 {
				return ACP
			}
		}
	}
	return mode
}

var formats = map[string]Mode{"json": JSON, "stream-json": StreamJSON, "streaming-json": StreamJSON, "jsonl": StreamJSON, "ndjson": StreamJSON, "text": Text, "default": Text}
