package dialect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// JSON mode prints one result at the end: what ran before it does not show, so
// the result alone must never prove that nothing was done.
func TestALoneResultOfJSONModeProvesNoEffectAbsent(t *testing.T) {
	t.Parallel()
	const (
		begun  = `{"type":"system","subtype":"init","session_id":"11111111-1111-4111-8111-111111111111"}`
		failed = `{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"API Error: 529 Overloaded","num_turns":1,"session_id":"11111111-1111-4111-8111-111111111111"}`
	)
	cases := map[string]struct {
		kind  string
		mode  dialect.Mode
		lines []string
		want  evidence.Effect
	}{
		"claude, the result alone":           {"claude", dialect.JSON, []string{failed}, evidence.EffectUnknown},
		"cursor, the result alone":           {"cursor", dialect.JSON, []string{failed}, evidence.EffectUnknown},
		"auggie, whatever the mode":          {"auggie", dialect.StreamJSON, []string{failed}, evidence.EffectUnknown},
		"claude, turns that were not shown":  {"claude", dialect.StreamJSON, []string{begun, strings.Replace(failed, `"num_turns":1`, `"num_turns":5`, 1)}, evidence.EffectUnknown},
		"claude, text between the events":    {"claude", dialect.StreamJSON, []string{"I did things.", begun, failed}, evidence.EffectUnknown},
		"claude, an event inside a text":     {"claude", dialect.StreamJSON, []string{"Here is json: " + failed}, evidence.EffectUnknown},
		"claude, every event in one array":   {"claude", dialect.JSON, []string{"[" + begun + "," + failed + "]"}, evidence.EffectNone},
		"claude, a stream shows what it did": {"claude", dialect.StreamJSON, []string{begun, failed}, evidence.EffectNone},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := dialect.For(c.kind, c.mode)
			for _, line := range c.lines {
				p.Stdout([]byte(line))
			}
			p.Exit(evidence.Exit{Code: 1})
			state := p.State()
			assert.True(t, state.Failed)
			assert.Equal(t, c.want, state.Effects.ToolActivity)
			assert.Equal(t, c.want, state.Effects.AssistantOutput)
			assert.Equal(t, "11111111-1111-4111-8111-111111111111", state.NativeSessionID)
		})
	}
}
