package dialect

// newCursor reads `cursor-agent --print --output-format stream-json`, in the
// shape of Claude Code's events. It prints no terminal event when it fails:
// then the cause is only on standard error.
func newCursor() *claude {
	c := newClaudeStream()
	c.provider = "cursor"
	return c
}
