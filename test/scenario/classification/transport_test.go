package classification

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/recourse-dev/recourse/catalogue"
	client "github.com/recourse-dev/recourse/clients/go"
	core "github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

// api is the service as one transport offers it.
type api struct {
	classify  func(*v1.ClassifyFailureRequest) (*v1.ClassifyFailureResponse, error)
	batch     func(*v1.BatchClassifyFailuresRequest) (*v1.BatchClassifyFailuresResponse, error)
	codes     func() (*v1.ListCodesResponse, error)
	rules     func(*v1.ListRulesRequest) (*v1.ListRulesResponse, error)
	rule      func(id string) (*v1.GetRuleResponse, error)
	catalogue func() (*v1.GetCatalogueResponse, error)
}

func byClient(t *testing.T, c *client.Client) api {
	t.Helper()
	s, ctx := c.Classification, t.Context()
	return api{
		classify: func(r *v1.ClassifyFailureRequest) (*v1.ClassifyFailureResponse, error) {
			return s.ClassifyFailure(ctx, r)
		},
		batch: func(r *v1.BatchClassifyFailuresRequest) (*v1.BatchClassifyFailuresResponse, error) {
			return s.BatchClassifyFailures(ctx, r)
		},
		codes: func() (*v1.ListCodesResponse, error) { return s.ListCodes(ctx, &v1.ListCodesRequest{}) },
		rules: func(r *v1.ListRulesRequest) (*v1.ListRulesResponse, error) { return s.ListRules(ctx, r) },
		rule: func(id string) (*v1.GetRuleResponse, error) {
			return s.GetRule(ctx, &v1.GetRuleRequest{RuleId: id})
		},
		catalogue: func() (*v1.GetCatalogueResponse, error) { return s.GetCatalogue(ctx, &v1.GetCatalogueRequest{}) },
	}
}

// rest calls by curl's means alone.
type rest struct {
	t     *testing.T
	url   string
	token string
}

// call fills out, or gives the error that the body tells of.
func (r rest) call(method, path string, in, out proto.Message) error {
	r.t.Helper()
	var body io.Reader = http.NoBody
	if in != nil {
		text, err := protojson.Marshal(in)
		require.NoError(r.t, err)
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, body)
	require.NoError(r.t, err)
	req.Header.Set("Authorization", "Bearer "+r.token)
	req.Header.Set("Content-Type", "application/json")
	req.Close = true
	response, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(r.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(r.t, err)
	if response.StatusCode == http.StatusOK {
		require.NoError(r.t, protojson.Unmarshal(text, out), "%s", text)
		return nil
	}
	kind := map[int]fault.Kind{http.StatusNotFound: fault.NotFound, http.StatusBadRequest: fault.InvalidArgument}[response.StatusCode]
	for _, reason := range []fault.Reason{fault.ReasonRuleNotFound, fault.ReasonPageTokenInvalid} {
		if strings.Contains(string(text), `"`+string(reason)+`"`) {
			return fault.New(kind, reason, "%s", text)
		}
	}
	return fault.New(kind, "", "%d %s", response.StatusCode, text)
}

func byREST(t *testing.T, url, token string) api {
	t.Helper()
	r := rest{t, url, token}
	return api{
		classify: func(in *v1.ClassifyFailureRequest) (*v1.ClassifyFailureResponse, error) {
			out := &v1.ClassifyFailureResponse{}
			return out, r.call(http.MethodPost, "/v1/workspaces/default/failures:classify", in, out)
		},
		batch: func(in *v1.BatchClassifyFailuresRequest) (*v1.BatchClassifyFailuresResponse, error) {
			out := &v1.BatchClassifyFailuresResponse{}
			return out, r.call(http.MethodPost, "/v1/workspaces/default/failures:batchClassify", in, out)
		},
		codes: func() (*v1.ListCodesResponse, error) {
			out := &v1.ListCodesResponse{}
			return out, r.call(http.MethodGet, "/v1/codes", nil, out)
		},
		rules: func(in *v1.ListRulesRequest) (*v1.ListRulesResponse, error) {
			out := &v1.ListRulesResponse{}
			path := "/v1/rules?pageSize=150&dialect=" + in.GetDialect() + "&pageToken=" + in.GetPageToken()
			if in.GetCode() != 0 {
				path += "&code=" + in.GetCode().String()
			}
			return out, r.call(http.MethodGet, path, nil, out)
		},
		rule: func(id string) (*v1.GetRuleResponse, error) {
			out := &v1.GetRuleResponse{}
			return out, r.call(http.MethodGet, "/v1/rules/"+id, nil, out)
		},
		catalogue: func() (*v1.GetCatalogueResponse, error) {
			out := &v1.GetCatalogueResponse{}
			return out, r.call(http.MethodGet, "/v1/catalogue", nil, out)
		},
	}
}

func printedBy(agent, text string) *v1.EvidenceEnvelope {
	code := int32(1)
	return &v1.EvidenceEnvelope{AgentKind: agent, Signals: []*v1.Signal{
		{Channel: &v1.Signal_Stderr{Stderr: &v1.TextSignal{Text: text}}},
		{Channel: &v1.Signal_ProcessExit{ProcessExit: &v1.ProcessExitSignal{ExitCode: &code}}},
	}}
}

// Every method does what it says over every transport.
func TestEveryMethodOverEveryTransport(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	token := s.Token(t, v1.Role_ROLE_VIEWER)
	transports := map[string]api{"rest": byREST(t, s.URL, token)}
	for _, p := range []client.Protocol{client.Connect, client.ConnectJSON, client.GRPC, client.GRPCWeb} {
		transports[string(p)] = byClient(t, s.Client(t, token, client.WithProtocol(p)))
	}
	require.Len(t, transports, 5)
	plain, err := catalogue.Plain()
	require.NoError(t, err)
	for name, a := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a.explains(t)
			a.keepsOrder(t)
			a.tellsCodes(t)
			a.tellsRules(t, plain)
		})
	}
}

func (a api) explains(t *testing.T) {
	t.Helper()
	request := &v1.ClassifyFailureRequest{Envelope: printedBy("codex", "ERROR: Selected model is at capacity. Please try a different model. (HTTP 429)"), Explain: true}
	answer, err := a.classify(request)
	require.NoError(t, err)
	named := answer.GetClassification()
	require.Equal(t, v1.Code_CODE_MODEL_CAPACITY, named.GetCode())
	require.Len(t, named.GetExplanation().GetSignals(), 2)
	won, lost := 0, 0
	for _, k := range named.GetExplanation().GetCandidates() {
		if k.GetWon() {
			won++
			require.Equal(t, named.GetRuleId(), k.GetRuleId())
			require.NotEmpty(t, k.GetMatched())
		} else {
			lost++
			require.NotEmpty(t, k.GetLostBecause(), k.GetRuleId())
		}
	}
	require.Equal(t, 1, won)
	require.Positive(t, lost)
	request.Explain = false
	answer, err = a.classify(request)
	require.NoError(t, err)
	require.Nil(t, answer.GetClassification().GetExplanation())
}

func (a api) keepsOrder(t *testing.T) {
	t.Helper()
	var request v1.BatchClassifyFailuresRequest
	for range 20 {
		request.Envelopes = append(request.Envelopes, printedBy("codex", "nothing known"), printedBy("claude", "API Error: 529 Overloaded"))
	}
	answer, err := a.batch(&request)
	require.NoError(t, err)
	require.Len(t, answer.GetClassifications(), 40)
	for i, named := range answer.GetClassifications() {
		want := []v1.Code{v1.Code_CODE_UNCLASSIFIED, v1.Code_CODE_PROVIDER_OVERLOADED}[i%2]
		require.Equal(t, want, named.GetCode(), i)
	}
	for _, n := range []int{0, 1001} {
		many := &v1.BatchClassifyFailuresRequest{}
		for range n {
			many.Envelopes = append(many.Envelopes, &v1.EvidenceEnvelope{})
		}
		_, err := a.batch(many)
		require.Equal(t, fault.InvalidArgument, fault.From(err).Kind, "%d: %v", n, err)
	}
}

func (a api) tellsCodes(t *testing.T) {
	t.Helper()
	answer, err := a.codes()
	require.NoError(t, err)
	require.Len(t, answer.GetCodes(), len(core.Codes()))
	for i, info := range core.Codes() {
		told := answer.GetCodes()[i]
		require.Equal(t, "CODE_"+strings.ToUpper(string(info.Code)), told.GetCode().String())
		require.Equal(t, info.Meaning, told.GetMeaning())
		require.NotZero(t, told.GetInteractiveAction(), info.Code)
		require.NotZero(t, told.GetPatientAction(), info.Code)
		require.NotZero(t, told.GetRemedy(), info.Code)
		if info.Code == core.QuotaLimited {
			require.Equal(t, v1.Action_ACTION_STOP, told.GetInteractiveAction())
			require.Equal(t, v1.Action_ACTION_WAIT_FOR_RESET, told.GetPatientAction())
		}
	}
}

func (a api) tellsRules(t *testing.T, plain *catalogue.Catalogue) {
	t.Helper()
	force, err := a.catalogue()
	require.NoError(t, err)
	require.Equal(t, plain.Classifier.Version(), force.GetVersion())
	require.Equal(t, plain.Classifier.Digest(), force.GetDigest())
	require.Equal(t, len(plain.Rules()), int(force.GetRuleCount()))
	seen := map[string]bool{}
	request := &v1.ListRulesRequest{PageSize: 150}
	for {
		answer, err := a.rules(request)
		require.NoError(t, err)
		require.LessOrEqual(t, len(answer.GetRules()), 150)
		for _, r := range answer.GetRules() {
			require.False(t, seen[r.GetRuleId()], r.GetRuleId())
			seen[r.GetRuleId()] = true
		}
		if request.PageToken = answer.GetNextPageToken(); request.PageToken == "" {
			break
		}
	}
	require.Len(t, seen, len(plain.Rules()))
	few, err := a.rules(&v1.ListRulesRequest{PageSize: 150, Code: v1.Code_CODE_QUOTA_LIMITED, Dialect: "claude"})
	require.NoError(t, err)
	require.NotEmpty(t, few.GetRules())
	for _, r := range few.GetRules() {
		require.Equal(t, v1.Code_CODE_QUOTA_LIMITED, r.GetCode())
		one, err := a.rule(r.GetRuleId())
		require.NoError(t, err)
		require.True(t, proto.Equal(r, one.GetRule()))
	}
	_, err = a.rule("no.such.rule")
	require.True(t, fault.Is(err, fault.ReasonRuleNotFound), "%v", err)
	_, err = a.rules(&v1.ListRulesRequest{PageSize: 150, PageToken: "%3F"})
	require.Error(t, err)
}
