package child

import "strings"

// Scrub drops from an environment what belongs to the supervisor and the
// server: their addresses, tokens and database.
func Scrub(environ []string) []string {
	kept := make([]string, 0, len(environ))
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "AGENTCTL_") || strings.HasPrefix(name, "RECOURSE_") ||
			name == "DATABASE_URL" || name == "DATABASE_DIRECT_URL" {
			continue
		}
		kept = append(kept, entry)
	}
	return kept
}
