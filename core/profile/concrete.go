package profile

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The bounds of a concrete profile. Lengths are in bytes.
const (
	maxName          = 64 // agent kind and provider
	maxModel         = 128
	maxProgram       = 1024
	maxArguments     = 64
	maxArgument      = 4 << 10
	maxArgumentBytes = 16 << 10 // of all arguments
	maxPath          = 1024
	maxEnvironment   = 64
	maxReference     = 256
)

func (c *Concrete) validate(wrong *problems) {
	if !validName(c.AgentKind) {
		wrong.add("concrete.agent_kind", "must be 1 to %d lower-case letters, digits and . _ -", maxName)
	}
	c.Command.validate(wrong)
	c.Directory.validate(wrong)
	validateEnvironment(c.Environment, wrong)
	if c.Provider != "" && !validName(c.Provider) {
		wrong.add("concrete.provider", "must be at most %d lower-case letters, digits and . _ -", maxName)
	}
	switch {
	case len(c.Model) > maxModel || !printable(c.Model):
		wrong.add("concrete.model", "must be one line of at most %d bytes", maxModel)
	case holdsCredential(c.Model):
		wrong.add("concrete.model", "looks like a secret")
	}
	wrong.under("concrete.credential", c.Credential.Binding().Validate())
	if own := c.Credential.Provider; own != "" && c.Provider != "" && own != c.Provider {
		wrong.add("concrete.credential.provider", "must be the provider of the profile")
	}
	validateResume(c.Resume, wrong)
}

func validName(name string) bool {
	return name != "" && len(name) <= maxName && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789._-") == ""
}

func (c Command) validate(wrong *problems) {
	const field = "concrete.command.program"
	switch {
	case strings.TrimSpace(c.Program) == "":
		wrong.add(field, "must be set")
	case len(c.Program) > maxProgram || !printable(c.Program):
		wrong.add(field, "must be one line of at most %d bytes", maxProgram)
	case len(placeholders(c.Program)) > 0:
		wrong.add(field, "must not hold a placeholder")
	case holdsCredential(c.Program):
		wrong.add(field, "looks like a secret")
	}
	counts := validateArguments("concrete.command.arguments", c.Arguments, wrong, PromptPlaceholder)
	if counts[PromptPlaceholder] > 1 {
		wrong.add("concrete.command.arguments", "must hold %s once", PromptPlaceholder)
	}
}

func validateResume(arguments []string, wrong *problems) {
	const field = "concrete.resume_arguments"
	counts := validateArguments(field, arguments, wrong, PromptPlaceholder, SessionPlaceholder)
	switch {
	case len(arguments) == 0:
	case counts[SessionPlaceholder] != 1:
		wrong.add(field, "must hold %s once", SessionPlaceholder)
	case counts[PromptPlaceholder] > 1:
		wrong.add(field, "must hold %s once", PromptPlaceholder)
	}
}

// validateArguments counts the placeholders that are allowed.
func validateArguments(field string, arguments []string, wrong *problems, allowed ...string) map[string]int {
	counts, total := map[string]int{}, 0
	if len(arguments) > maxArguments {
		wrong.add(field, "must be at most %d", maxArguments)
	}
	for i, a := range arguments {
		total += len(a)
		at := fmt.Sprintf("%s[%d]", field, i)
		switch {
		case len(a) > maxArgument:
			wrong.add(at, "must have at most %d bytes", maxArgument)
		case !utf8.ValidString(a) || strings.ContainsRune(a, 0):
			wrong.add(at, "must be text without NUL")
		case holdsCredential(a) || i > 0 && strings.HasPrefix(arguments[i-1], "-") && holdsCredential(arguments[i-1]+" "+a):
			wrong.add(at, "looks like a secret: give it to the agent by a reference in environment")
		}
		for _, name := range placeholders(a) {
			if counts[name]++; !slices.Contains(allowed, name) {
				wrong.add(at, "holds the placeholder %s: there is only %s", name, strings.Join(allowed, " and "))
			}
		}
	}
	if total > maxArgumentBytes {
		wrong.add(field, "must have at most %d bytes in all", maxArgumentBytes)
	}
	return counts
}

var placeholderForm = regexp.MustCompile(`\{[A-Za-z_][A-Za-z0-9_.]*\}`)

func placeholders(argument string) []string { return placeholderForm.FindAllString(argument, -1) }

func (d Directory) validate(wrong *problems) {
	const rule, path = "concrete.working_directory.rule", "concrete.working_directory.path"
	if len(d.Path) > maxPath || !printable(d.Path) {
		wrong.add(path, "must be one line of at most %d bytes", maxPath)
		return
	}
	climbs := slices.Contains(strings.FieldsFunc(d.Path, func(r rune) bool { return r == '/' || r == '\\' }), "..")
	switch d.Rule {
	case DirectoryCaller:
		if d.Path != "" {
			wrong.add(path, "must be empty: the rule caller has no path")
		}
	case DirectoryBelow:
		if d.Path == "" || absolute(d.Path) || climbs {
			wrong.add(path, "must be a relative path without ..")
		}
	case DirectoryFixed:
		if !absolute(d.Path) || climbs {
			wrong.add(path, "must be an absolute path without ..")
		}
	default:
		wrong.add(rule, "must be caller, below_caller or fixed")
	}
}

var driveForm = regexp.MustCompile(`^[A-Za-z]:[/\\]`)

// absolute knows the paths of every host, not only of this one.
func absolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\`) || driveForm.MatchString(path)
}

var (
	variableForm  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)
	referenceForm = regexp.MustCompile(`^(?:env:[A-Za-z_][A-Za-z0-9_]{0,127}|secret:[A-Za-z0-9][A-Za-z0-9._/-]{0,127})$`)
)

func validateEnvironment(environment map[string]string, wrong *problems) {
	if len(environment) > maxEnvironment {
		wrong.add("concrete.environment", "must be at most %d", maxEnvironment)
	}
	for _, name := range slices.Sorted(maps.Keys(environment)) {
		field := fmt.Sprintf("concrete.environment[%q]", name)
		reference := environment[name]
		scheme, place, _ := strings.Cut(reference, ":")
		scheme, value := strings.ToLower(scheme), place
		named := scheme == "env" || scheme == "secret"
		if !named {
			value = reference
		}
		switch {
		case !variableForm.MatchString(name):
			wrong.add("concrete.environment", "has a name that is no variable's: it must be letters, digits and _, at most 128")
		case ours(name) || scheme == "env" && ours(place):
			wrong.add(field, "belongs to Recourse itself, and no agent gets it")
		case looksSecret(value) || !named && holdsCredential(name+"="+value):
			wrong.add(field, "looks like a secret: give the name of where the host has it, as env:NAME or secret:NAME")
		case len(reference) > maxReference || !referenceForm.MatchString(reference):
			wrong.add(field, "must be a reference, as env:NAME or secret:NAME: values are never stored")
		}
	}
}

// ours are the variables that agents never see.
func ours(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "AGENTCTL_") || strings.HasPrefix(name, "RECOURSE_") || name == "DATABASE_URL" || name == "DATABASE_DIRECT_URL"
}
