package dialect

// newAuggie reads `auggie --print --output-format json`: one result object in
// the shape of Claude Code's.
func newAuggie() *claude {
	c := newClaudeStream()
	c.provider = "augment"
	c.resultOnly = true
	return c
}
