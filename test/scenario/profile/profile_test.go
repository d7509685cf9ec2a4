package profile

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func TestAProfileOverRESTAndGRPC(t *testing.T) {
	t.Parallel()
	w := start(t)
	var made v1.CreateProfileResponse
	w.ok(http.MethodPost, profiles, &v1.CreateProfileRequest{Profile: concrete("claude-team")}, &made)
	got := made.GetProfile()
	require.Equal(t, v1.ProfileKind_PROFILE_KIND_CONCRETE, got.GetKind())
	require.EqualValues(t, 1, got.GetVersion())
	require.NotEmpty(t, got.GetEtag())
	require.NotNil(t, got.GetCreatedAt())
	require.Equal(t, v1.WorkingDirectoryRule_WORKING_DIRECTORY_RULE_CALLER, got.GetConcrete().GetWorkingDirectory().GetRule(), "the default is written out")
	want := concrete("claude-team").GetConcrete()
	want.WorkingDirectory = got.GetConcrete().GetWorkingDirectory()
	require.Equal(t, want.String(), got.GetConcrete().String())
	require.Equal(t, got.String(), w.get("claude-team").String(), "gRPC shows what REST made")

	w.create(concrete("codex-team"))
	route := dynamic("night-shift", "codex-team", "claude-team")
	route.GetDynamic().Consent = &v1.Consent{MaxTotalWait: durationpb.New(time.Hour)}
	route.GetDynamic().Candidates[1].Policy = &v1.Candidate_Policies{Policies: &v1.ClassPolicies{
		Transient: &v1.ClassPolicy{OnExhausted: v1.OnExhausted_ON_EXHAUSTED_SKIP, Retry: &v1.RetryPolicy{Enabled: true, MaxRetries: 10, InitialInterval: durationpb.New(time.Hour)}},
		Hard:      &v1.ClassPolicy{OnExhausted: v1.OnExhausted_ON_EXHAUSTED_STOP},
	}}
	created := w.create(route)
	candidates := created.GetDynamic().GetCandidates()
	require.Equal(t, v1.CandidatePreset_CANDIDATE_PRESET_UNATTENDED_DEFAULT, candidates[0].GetPreset())
	require.Equal(t, route.GetDynamic().GetCandidates()[1].GetPolicies().String(), candidates[1].GetPolicies().String())
	require.EqualValues(t, 1, candidates[1].GetPolicyVersion())
	var read v1.GetProfileResponse
	w.ok(http.MethodGet, profiles+"/night-shift", nil, &read)
	require.Equal(t, created.String(), read.GetProfile().String())

	var page v1.ListProfilesResponse
	w.ok(http.MethodGet, profiles+"?pageSize=2", nil, &page)
	require.Len(t, page.GetProfiles(), 2)
	var rest v1.ListProfilesResponse
	w.ok(http.MethodGet, profiles+"?pageSize=2&pageToken="+page.GetNextPageToken(), nil, &rest)
	require.Len(t, rest.GetProfiles(), 1)
	require.Equal(t, "night-shift", rest.GetProfiles()[0].GetProfileId())
	require.Empty(t, rest.GetNextPageToken())
	var kind v1.ListProfilesResponse
	w.ok(http.MethodGet, profiles+"?kind=PROFILE_KIND_DYNAMIC", nil, &kind)
	require.Len(t, kind.GetProfiles(), 1)

	var changed v1.UpdateProfileResponse
	w.ok(http.MethodPatch, profiles+"/night-shift", &v1.UpdateProfileRequest{
		ProfileId: "night-shift", Profile: dynamic("", "claude-team"), UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"dynamic.candidates"}}, Etag: created.GetEtag(),
	}, &changed)
	after := changed.GetProfile()
	require.EqualValues(t, 2, after.GetVersion())
	require.Len(t, after.GetDynamic().GetCandidates(), 1)
	require.EqualValues(t, 2, after.GetDynamic().GetCandidates()[0].GetPolicyVersion(), "its policies were edited")
	require.Equal(t, time.Hour, after.GetDynamic().GetConsent().GetMaxTotalWait().AsDuration(), "what the mask does not name stays")
	require.Equal(t, created.GetCreatedAt().AsTime(), after.GetCreatedAt().AsTime())

	w.ok(http.MethodDelete, profiles+"/codex-team", nil, &v1.DeleteProfileResponse{})
	status, text := w.rest(w.server.AdminToken, http.MethodGet, profiles+"/codex-team", nil)
	missing := w.refused(status, text)
	require.Equal(t, http.StatusNotFound, missing.status)
	require.Equal(t, "PROFILE_NOT_FOUND", missing.reason)
	require.Equal(t, []string{
		"profile.updated claude-team 1", "profile.updated codex-team 1", "profile.updated night-shift 1",
		"profile.updated night-shift 2", "profile.deleted codex-team 1",
	}, w.story())
}

// story are the events of profiles, in order.
func (w *world) story() []string {
	w.Helper()
	answer, err := w.c.Recovery.ListEvents(w.Context(), &v1.ListEventsRequest{PageSize: 1000})
	require.NoError(w, err)
	var out []string
	for _, e := range answer.GetEvents() {
		payload, err := json.Marshal(e.GetPayload().AsMap()["version"])
		require.NoError(w, err)
		require.Equal(w, "first admin", e.GetPayload().AsMap()["actor"])
		out = append(out, e.GetType()+" "+e.GetPayload().AsMap()["profile_id"].(string)+" "+string(payload))
	}
	return out
}

func TestAChangeThatComesSecondIsRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	first := w.create(concrete("a"))
	second, err := w.c.Routing.UpdateProfile(t.Context(), &v1.UpdateProfileRequest{ProfileId: "a", Profile: &v1.Profile{DisplayName: "Second"}, Etag: first.GetEtag()})
	require.NoError(t, err)
	late := &v1.UpdateProfileRequest{ProfileId: "a", Profile: &v1.Profile{DisplayName: "Third"}, Etag: first.GetEtag()}
	_, err = w.c.Routing.UpdateProfile(t.Context(), late)
	f := fault.From(err)
	require.Equal(t, fault.Aborted, f.Kind)
	require.Equal(t, fault.ReasonStaleVersion, f.Reason)
	status, text := w.rest(w.server.AdminToken, http.MethodPatch, profiles+"/a", late)
	r := w.refused(status, text)
	require.Equal(t, http.StatusConflict, r.status)
	require.Equal(t, f.Metadata, r.metadata)
	require.Equal(t, map[string]string{"profile_id": "a", "version": "2", "etag": second.GetProfile().GetEtag()}, r.metadata)
	status, text = w.rest(w.server.AdminToken, http.MethodDelete, profiles+"/a?etag="+first.GetEtag(), nil)
	require.Equal(t, "STALE_VERSION", w.refused(status, text).reason)
	late.Etag = r.metadata["etag"]
	_, err = w.c.Routing.UpdateProfile(t.Context(), late)
	require.NoError(t, err, "the etag of the refusal is the one that is")
	require.Equal(t, "Third", w.get("a").GetDisplayName())
}

func TestDependentsAreNamedWhenAProfileIsDeleted(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.create(concrete("a"))
	w.create(concrete("b"))
	w.create(dynamic("first", "b", "a"))
	w.create(dynamic("second", "a"))
	status, text := w.rest(w.server.AdminToken, http.MethodDelete, profiles+"/a", nil)
	r := w.refused(status, text)
	require.Equal(t, http.StatusBadRequest, r.status)
	require.Equal(t, "PROFILE_IN_USE", r.reason)
	require.Equal(t, map[string]string{"profile_id": "a", "dependents": "first,second", "dependent_count": "2"}, r.metadata)
	require.Contains(t, r.text, `"subject":"a"`, "the failed precondition is about the profile")
	_, err := w.c.Routing.DeleteProfile(t.Context(), &v1.DeleteProfileRequest{ProfileId: "a"})
	require.Equal(t, fault.FailedPrecondition, fault.From(err).Kind)
	for _, id := range []string{"first", "second", "a", "b"} {
		_, err := w.c.Routing.DeleteProfile(t.Context(), &v1.DeleteProfileRequest{ProfileId: id})
		require.NoError(t, err)
	}
}

func TestAnOlderConfigurationIsTakenIn(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.create(concrete("a"))
	w.create(concrete("b"))
	status, text := w.raw(w.server.AdminToken, http.MethodPost, profiles, `{"profile":{"profileId":"old","dynamic":{
		"candidates":[{"profileId":"a"},{"profileId":"b"}],
		"legacyActions":{"byClass":{"transient":"retry_same"},"byCode":{"quota_limited":"stop","auth_required":"stop"}}}}}`)
	require.Equal(t, http.StatusOK, status, "%s", text)
	require.NotContains(t, string(text), "legacy")
	for _, c := range w.get("old").GetDynamic().GetCandidates() {
		require.Equal(t, v1.OnExhausted_ON_EXHAUSTED_STOP, c.GetPolicies().GetTransient().GetOnExhausted())
		require.EqualValues(t, 3, c.GetPolicies().GetTransient().GetRetry().GetMaxRetries())
		require.Equal(t, (&v1.ClassPolicy{OnExhausted: v1.OnExhausted_ON_EXHAUSTED_STOP}).String(), c.GetPolicies().GetHard().String())
	}
	conflicting := dynamic("new", "a", "b")
	conflicting.GetDynamic().Candidates[1].Policy = &v1.Candidate_Preset{Preset: v1.CandidatePreset_CANDIDATE_PRESET_IMMEDIATE}
	conflicting.GetDynamic().LegacyActions = &v1.LegacyActions{ByClass: map[string]string{"hard": "stop"}}
	_, err := w.c.Routing.CreateProfile(t.Context(), &v1.CreateProfileRequest{Profile: conflicting})
	require.Equal(t, []string{"profile.dynamic.candidates[1].preset", `profile.dynamic.legacy_actions.by_class["hard"]`}, fieldsOf(err))
	conflicting.GetDynamic().LegacyActions = &v1.LegacyActions{ByCode: map[string]string{"rate_limited": "stop", "model_capacity": "try_next"}}
	_, err = w.c.Routing.CreateProfile(t.Context(), &v1.CreateProfileRequest{Profile: conflicting})
	require.Equal(t, []string{
		`profile.dynamic.legacy_actions.by_code["model_capacity"]`, `profile.dynamic.legacy_actions.by_code["rate_limited"]`,
	}, fieldsOf(err))
}

func TestACallIsDoneOnceByItsRequestID(t *testing.T) {
	t.Parallel()
	w := start(t)
	create := &v1.CreateProfileRequest{Profile: concrete("a"), RequestId: "r1"}
	first, err := w.c.Routing.CreateProfile(t.Context(), create)
	require.NoError(t, err)
	update := &v1.UpdateProfileRequest{ProfileId: "a", Profile: &v1.Profile{DisplayName: "Later"}, RequestId: "r2", Etag: first.GetProfile().GetEtag()}
	for range 2 {
		answer, err := w.c.Routing.UpdateProfile(t.Context(), update)
		require.NoError(t, err, "the etag has moved, the answer has not")
		require.EqualValues(t, 2, answer.GetProfile().GetVersion())
	}
	var again v1.CreateProfileResponse
	w.ok(http.MethodPost, profiles, create, &again)
	require.Equal(t, first.GetProfile().String(), again.GetProfile().String(), "the first answer, whatever the protocol")
	for range 2 {
		_, err = w.c.Routing.DeleteProfile(t.Context(), &v1.DeleteProfileRequest{ProfileId: "a", RequestId: "r3"})
		require.NoError(t, err)
	}
	require.Len(t, w.story(), 3)
	create.Profile.DisplayName = "Other"
	_, err = w.c.Routing.CreateProfile(t.Context(), create)
	require.Equal(t, fault.ReasonRequestIDReused, fault.From(err).Reason)
}

func TestWhatIsOnlyValidatedChangesNothing(t *testing.T) {
	t.Parallel()
	w := start(t)
	answer, err := w.c.Routing.CreateProfile(t.Context(), &v1.CreateProfileRequest{Profile: concrete("a"), ValidateOnly: true, RequestId: "r"})
	require.NoError(t, err)
	require.Equal(t, "a", answer.GetProfile().GetProfileId())
	require.Empty(t, answer.GetProfile().GetEtag())
	_, err = w.c.Routing.GetProfile(t.Context(), &v1.GetProfileRequest{ProfileId: "a"})
	require.Equal(t, fault.ReasonProfileNotFound, fault.From(err).Reason)
	_, err = w.c.Routing.CreateProfile(t.Context(), &v1.CreateProfileRequest{Profile: concrete("a"), RequestId: "r"})
	require.NoError(t, err, "the request id is free still")
	_, err = w.c.Routing.UpdateProfile(t.Context(), &v1.UpdateProfileRequest{ProfileId: "a", Profile: &v1.Profile{DisplayName: "Other"}, ValidateOnly: true})
	require.NoError(t, err)
	require.Equal(t, "Agent a", w.get("a").GetDisplayName())
	require.Len(t, w.story(), 1)
}

func TestWhoMayReadAndWriteProfiles(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.create(concrete("a"))
	w.create(dynamic("d", "a"))
	calls := []struct {
		method, path string
		body         string
		writes       bool
	}{
		{http.MethodGet, profiles, "", false},
		{http.MethodGet, profiles + "/a", "", false},
		{http.MethodPost, profiles, `{"profile":{"profileId":"x","concrete":{"agentKind":"x","command":{"program":"x"}}}}`, true},
		{http.MethodPatch, profiles + "/a", `{"profile":{"displayName":"x"}}`, true},
		{http.MethodDelete, profiles + "/d", "", true},
	}
	for _, role := range []v1.Role{v1.Role_ROLE_VIEWER, v1.Role_ROLE_MEMBER, v1.Role_ROLE_WORKER} {
		token := w.server.Token(t, role)
		for _, c := range calls {
			status, text := w.raw(token, c.method, c.path, c.body)
			if !c.writes {
				require.Equal(t, http.StatusOK, status, "%s %s", role, text)
				continue
			}
			r := w.refused(status, text)
			require.Equal(t, http.StatusForbidden, r.status)
			require.Equal(t, "ROLE_INSUFFICIENT", r.reason)
		}
		_, err := w.server.Client(t, token, client.WithProtocol(client.GRPC)).Routing.DeleteProfile(t.Context(), &v1.DeleteProfileRequest{ProfileId: "d"})
		require.Equal(t, fault.PermissionDenied, fault.From(err).Kind)
	}
	for _, c := range calls {
		for token, reason := range map[string]string{"": "TOKEN_MISSING", w.server.AdminToken + "x": "TOKEN_INVALID"} {
			status, text := w.raw(token, c.method, c.path, c.body)
			require.Equal(t, http.StatusUnauthorized, status)
			require.Equal(t, reason, w.refused(status, text).reason)
		}
	}
	status, text := w.raw(w.server.Token(t, v1.Role_ROLE_ADMIN), http.MethodGet, "/v1/workspaces/other/profiles", "")
	require.Equal(t, http.StatusForbidden, status)
	require.Equal(t, "WORKSPACE_MISMATCH", w.refused(status, text).reason)
	require.Len(t, w.story(), 2, "nothing was changed")
	status, text = w.raw(w.server.Token(t, v1.Role_ROLE_ADMIN), http.MethodDelete, profiles+"/d", "")
	require.Equal(t, http.StatusOK, status, "%s", text)
	require.Equal(t, "{}", strings.TrimSpace(string(text)))
}
