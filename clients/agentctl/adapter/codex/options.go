package codex

import "github.com/recourse-dev/recourse/clients/agentctl/adapter/argv"

// options of Codex 0.169.0, of the program and of its exec command.
var options = argv.Table{
	"-c": argv.One, "--config": argv.One, "--enable": argv.One, "--disable": argv.One,
	"-i": argv.Many, "--image": argv.Many, "-m": argv.One, "--model": argv.One,
	"--oss": argv.None, "--local-provider": argv.One, "-p": argv.One, "--profile": argv.One,
	"-s": argv.One, "--sandbox": argv.One, "-a": argv.One, "--ask-for-approval": argv.One,
	"--full-auto": argv.None, "--dangerously-bypass-approvals-and-sandbox": argv.None, "--yolo": argv.None,
	"-C": argv.One, "--cd": argv.One, "--add-dir": argv.One, "--skip-git-repo-check": argv.None, "--ephemeral": argv.None,
	"--output-schema": argv.One, "--color": argv.One, "--json": argv.None, "--experimental-json": argv.None,
	"-o": argv.One, "--output-last-message": argv.One, "--include-plan-tool": argv.None, "--search": argv.None,
	"--last": argv.None, "--all": argv.None,
	"-V": argv.None, "--version": argv.None, "-h": argv.None, "--help": argv.None,
}
