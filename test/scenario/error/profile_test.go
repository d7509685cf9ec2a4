package error_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// used is a profile that another has as a candidate.
const used = "used"

func (f fixture) makeProfiles(t *testing.T) {
	t.Helper()
	for _, p := range []*recoursev1.Profile{
		{ProfileId: used, Spec: &recoursev1.Profile_Concrete{Concrete: &recoursev1.ConcreteProfile{
			AgentKind: "claude", Command: &recoursev1.Command{Program: "claude"},
		}}},
		{ProfileId: "user", Spec: &recoursev1.Profile_Dynamic{Dynamic: &recoursev1.DynamicProfile{
			Candidates: []*recoursev1.Candidate{{ProfileId: used}},
		}}},
	} {
		_, err := f.server.Client(t, f.server.AdminToken).Routing.CreateProfile(t.Context(), &recoursev1.CreateProfileRequest{Profile: p})
		require.NoError(t, err)
	}
}

// profiled are the errors of profiles. None changes anything.
var profiled = []provocation{
	{
		reason: fault.ReasonProfileNotFound, meta: []string{"profile_id"},
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Routing.GetProfile(ctx, &recoursev1.GetProfileRequest{ProfileId: "nobody"})
			return err
		},
		rest: func(fixture) request { return request{path: workspace + "/profiles/nobody"} },
	},
	{
		reason: fault.ReasonProfileExists, meta: []string{"profile_id"},
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Routing.CreateProfile(ctx, &recoursev1.CreateProfileRequest{Profile: &recoursev1.Profile{
				ProfileId: used, Spec: &recoursev1.Profile_Concrete{Concrete: &recoursev1.ConcreteProfile{AgentKind: "codex", Command: &recoursev1.Command{Program: "codex"}}},
			}})
			return err
		},
		rest: func(fixture) request {
			return request{
				method: http.MethodPost, path: workspace + "/profiles",
				body: `{"profile":{"profileId":"` + used + `","concrete":{"agentKind":"codex","command":{"program":"codex"}}}}`,
			}
		},
	},
	{
		reason: fault.ReasonProfileInUse, meta: []string{"profile_id", "dependents", "dependent_count"},
		rpc: func(ctx context.Context, c *client.Client, _ fixture) error {
			_, err := c.Routing.DeleteProfile(ctx, &recoursev1.DeleteProfileRequest{ProfileId: used})
			return err
		},
		rest: func(fixture) request {
			return request{method: http.MethodDelete, path: workspace + "/profiles/" + used}
		},
	},
}
