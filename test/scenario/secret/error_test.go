package secret

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

const base = "/v1/workspaces/default"

// refused are requests that each hold a secret in another place.
var refused = map[string]func(secret string) (method, path, body string){
	"no JSON": func(x string) (string, string, string) { return http.MethodPost, base + "/failures:decide", x },
	"half a JSON": func(x string) (string, string, string) {
		return http.MethodPost, base + "/failures:decide", `{"envelope":{"model":"` + x
	},
	"an unknown field": func(x string) (string, string, string) {
		return http.MethodPost, base + "/failures:decide", `{"` + x + `":1}`
	},
	"a wrong type": func(x string) (string, string, string) {
		return http.MethodPost, base + "/failures:decide", `{"envelope":"` + x + `"}`
	},
	"a wrong enum": func(x string) (string, string, string) {
		return http.MethodPost, base + "/failures:decide", `{"envelope":{"phase":"` + x + `"}}`
	},
	"a wrong number": func(x string) (string, string, string) {
		return http.MethodPost, base + "/failures:decide", `{"envelope":{},"retriesUsed":"` + x + `"}`
	},
	"a wrong time": func(x string) (string, string, string) {
		return http.MethodPost, base + "/failures:decide", `{"envelope":{"observedAt":"` + x + `"}}`
	},
	"too long a label": func(x string) (string, string, string) {
		return http.MethodPost, base + "/failures:decide", `{"envelope":{"provider":"` + strings.Repeat(x, 9) + `"}}`
	},
	"not one of a set": func(x string) (string, string, string) {
		return http.MethodPost, base + "/failures:decide", `{"envelope":{"signals":[{"processExit":{"endedBy":"` + x + `"}}]}}`
	},
	"no such rule": func(x string) (string, string, string) { return http.MethodGet, "/v1/rules/" + url.PathEscape(x), "" },
	"no such run": func(x string) (string, string, string) {
		return http.MethodGet, base + "/runs/" + url.PathEscape(x), ""
	},
	"no such workspace": func(x string) (string, string, string) {
		return http.MethodGet, "/v1/workspaces/" + url.PathEscape(x) + "/runs", ""
	},
	"no such path": func(x string) (string, string, string) { return http.MethodGet, "/v1/" + url.PathEscape(x), "" },
	"no such parameter": func(x string) (string, string, string) {
		return http.MethodGet, base + "/runs?" + url.QueryEscape(x) + "=1", ""
	},
	"a wrong parameter": func(x string) (string, string, string) {
		return http.MethodGet, base + "/runs?pageSize=" + url.QueryEscape(x), ""
	},
	"a wrong cursor": func(x string) (string, string, string) {
		return http.MethodGet, base + "/events?cursor=" + url.QueryEscape(x), ""
	},
	"a wrong page": func(x string) (string, string, string) {
		return http.MethodGet, base + "/runs?pageToken=" + url.QueryEscape(x), ""
	},
	"a wrong lease": func(x string) (string, string, string) {
		return http.MethodPost, base + "/runs/0198c0de-0000-7000-8000-000000000000:heartbeat", `{"leaseToken":"` + x + `"}`
	},
}

// A request that is refused may hold a secret in any place. Nobody reads it
// afterwards: not in the refusal, which ends in other people's logs, not in
// ours, and not in a table.
func TestNoRefusalKeepsASecret(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for i := range 12 {
		r := rand.New(rand.NewPCG(seed, 5000+uint64(i)))
		for name, call := range refused {
			secret := mixed(r, 24)
			text := []string{"sk-" + "ant-api03-", "gh" + "p_", "xa" + "i-"}[i%3] + secret
			f.hide(name, secret)
			method, path, body := call(text)
			status, answered := f.call(t, method, path, body)
			require.GreaterOrEqual(t, status, 400, "%s: %s", name, answered)
			f.look("the refusal of "+name, answered)
		}
		f.refuseByRPC(t, r, protocols[i%len(protocols)])
	}
	tables(t, f.database, f.look)
	require.Contains(t, f.Log.String(), "RULE_NOT_FOUND")
	f.look("the log", f.Log.String())
	f.check(t)
}

func (f *fixture) refuseByRPC(t *testing.T, r *rand.Rand, protocol client.Protocol) {
	t.Helper()
	c, ctx := f.clients[protocol], t.Context()
	for name, call := range map[string]func(x string) error{
		"long labels": func(x string) error {
			_, err := c.Recovery.Decide(ctx, &recoursev1.DecideRequest{Envelope: &recoursev1.EvidenceEnvelope{AgentKind: strings.Repeat(x, 9)}})
			return err
		},
		"no such run": func(x string) error {
			_, err := c.Recovery.GetRun(ctx, &recoursev1.GetRunRequest{RunId: x})
			return err
		},
		"no such rule": func(x string) error {
			_, err := c.Classification.GetRule(ctx, &recoursev1.GetRuleRequest{RuleId: x})
			return err
		},
		"no such session": func(x string) error {
			_, err := c.Recovery.BeginPrompt(ctx, &recoursev1.BeginPromptRequest{SessionId: x, Profile: &recoursev1.ProfileSnapshot{}})
			return err
		},
	} {
		secret := mixed(r, 24)
		f.hide(name+" by "+string(protocol), secret)
		err := call("sk-" + "proj-" + secret)
		require.Error(t, err, name)
		var broken *fault.Error
		require.True(t, errors.As(err, &broken), "%v", err)
		f.look("the refusal of "+name+" by "+string(protocol), fmt.Sprint(broken, broken.Metadata, broken.Violations))
	}
}
