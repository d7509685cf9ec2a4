package claude

import "github.com/recourse-dev/recourse/clients/agentctl/adapter/argv"

// options of Claude Code 2.1.328; older ones that it still accepts included.
var options = argv.Table{
	"-p": argv.None, "--print": argv.None,
	"-c": argv.None, "--continue": argv.None,
	"-r": argv.Optional, "--resume": argv.Optional,
	"--fork-session": argv.None, "--session-id": argv.One, "--no-session-persistence": argv.None,
	"--output-format": argv.One, "--input-format": argv.One, "--json-schema": argv.One,
	"--verbose": argv.None, "-d": argv.Optional, "--debug": argv.Optional, "--debug-file": argv.One, "--mcp-debug": argv.None,
	"--include-partial-messages": argv.None, "--include-hook-events": argv.None, "--replay-user-messages": argv.None,
	"--model": argv.One, "--fallback-model": argv.One, "--effort": argv.One, "--max-turns": argv.One, "--max-budget-usd": argv.One,
	"--permission-mode": argv.One, "--permission-prompt-tool": argv.One,
	"--dangerously-skip-permissions": argv.None, "--allow-dangerously-skip-permissions": argv.None,
	"--tools": argv.Many, "--allowedTools": argv.Many, "--allowed-tools": argv.Many,
	"--disallowedTools": argv.Many, "--disallowed-tools": argv.Many,
	"--mcp-config": argv.Many, "--strict-mcp-config": argv.None, "--add-dir": argv.Many, "--betas": argv.Many, "--file": argv.Many,
	"--system-prompt": argv.One, "--system-prompt-file": argv.One,
	"--append-system-prompt": argv.One, "--append-system-prompt-file": argv.One,
	"--settings": argv.One, "--setting-sources": argv.One, "--agent": argv.One, "--agents": argv.One, "--plugin-dir": argv.One,
	"--ide": argv.None, "--chrome": argv.None, "--no-chrome": argv.None, "--bare": argv.None, "--disable-slash-commands": argv.None,
	"-w": argv.Optional, "--worktree": argv.Optional, "--tmux": argv.None, "--from-pr": argv.Optional, "-n": argv.One, "--name": argv.One,
	"-v": argv.None, "--version": argv.None, "-h": argv.None, "--help": argv.None,
}
