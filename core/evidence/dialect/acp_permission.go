package dialect

import (
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// question is a permission request that awaits the client's answer.
type question struct {
	title string
	// refusals are the ids of the options that refuse.
	refusals []string
}

// maxOptions bounds the options of one question.
const maxOptions = 16

// ask notes a permission request.
func (a *acp) ask(id string, params object) {
	if len(a.asked) >= maxPending || len(id) >= maxLabel {
		return
	}
	q := question{}
	label(&q.title, params.obj("toolCall").str("title"))
	for _, raw := range params.list("options") {
		option := parseObject(raw)
		name := option.str("optionId")
		if strings.HasPrefix(option.str("kind"), "reject") && len(name) < maxLabel && len(q.refusals) < maxOptions {
			q.refusals = append(q.refusals, name)
		}
	}
	a.asked[id] = q
}

// answered takes the client's answer to a permission request: a refusal is a
// person's decision, which explains what follows.
func (a *acp) answered(id string, o object) {
	q, ok := a.asked[id]
	if !ok && id == "" && len(a.asked) == 1 { // a recorded answer without its id
		for id, q = range a.asked {
			ok = true
		}
	}
	if !ok {
		return
	}
	delete(a.asked, id)
	outcome := o.at("result", "outcome")
	if outcome.str("outcome") == "cancelled" || slices.Contains(q.refusals, outcome.str("optionId")) {
		a.add(evidence.Signal{
			Kind: evidence.KindACPUpdate, Event: "permission_denied", Text: "permission refused: " + q.title, Data: outcome.data(),
		})
	}
}
