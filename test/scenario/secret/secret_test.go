package secret

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	client "github.com/recourse-dev/recourse/clients/go"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/servertest"
)

// seed makes the secrets of a run; a failure names it by being constant.
const seed = 20261130

var protocols = []client.Protocol{client.Connect, client.ConnectJSON, client.GRPC, client.GRPCWeb}

// fixture is a server, its database, and what is known of what was planted.
type fixture struct {
	*servertest.Server
	*watch
	database string
	clients  map[client.Protocol]*client.Client
	http     http.Transport
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{watch: newWatch()}
	f.Server = servertest.Start(t, servertest.Configure(func(c *config.Config) {
		f.database, c.RatePerSecond, c.RateBurst = c.DatabaseURL, 1e6, 1e6
	}))
	t.Cleanup(f.http.CloseIdleConnections)
	f.clients = map[client.Protocol]*client.Client{}
	for _, protocol := range protocols {
		f.clients[protocol] = f.Client(t, f.AdminToken, client.WithProtocol(protocol))
	}
	return f
}

// printed is a message as JSON.
func printed(message proto.Message) string {
	text, err := protojson.Marshal(message)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// answer looks at an answer of a call that must succeed.
func answer[M proto.Message](t *testing.T, f *fixture, where string) func(M, error) M {
	t.Helper()
	return func(message M, err error) M {
		t.Helper()
		require.NoError(t, err, where)
		f.look(where, printed(message))
		return message
	}
}

// Nothing that a provider or an agent printed gets a secret past the edge: not
// into a table, an answer of any protocol, an event or a log.
func TestNoSecretSurvives(t *testing.T) {
	t.Parallel()
	f := setup(t)
	events := f.follow(t)
	var all sync.WaitGroup
	lanes := make(chan struct{}, 4)
	for i := range rounds {
		lanes <- struct{}{}
		all.Go(func() {
			defer func() { <-lanes }()
			f.round(t, i)
		})
	}
	all.Wait()
	events()
	f.read(t)
	tables(t, f.database, f.look)
	f.look("the log", f.Log.String())
	f.check(t)
}

// round reports a failure that is full of secrets and asks every question about it.
func (f *fixture) round(t *testing.T, i int) {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	protocol := protocols[i%len(protocols)]
	c, ctx, e := f.clients[protocol], t.Context(), plant(r, f.watch)
	name := string(protocol)
	who := &recoursev1.Supervisor{SupervisorId: "supervisor", HostId: "host"}
	begun := answer[*recoursev1.BeginPromptResponse](t, f, "BeginPrompt "+name)(c.Recovery.BeginPrompt(ctx, &recoursev1.BeginPromptRequest{
		Profile: &recoursev1.ProfileSnapshot{AgentKind: "claude"}, Supervisor: who,
	}))
	claims, err := c.Recovery.ClaimWakeups(ctx, &recoursev1.ClaimWakeupsRequest{
		WakeupIds: []string{begun.GetWakeup().GetWakeupId()}, Supervisor: who, Wait: durationpb.New(20 * time.Second),
	})
	if err != nil || len(claims.GetClaims()) != 1 {
		t.Errorf("claim: %v, %v", claims, err)
		return
	}
	run, token := claims.GetClaims()[0].GetRun().GetRunId(), claims.GetClaims()[0].GetLeaseToken()
	_, err = c.Recovery.BeginSend(ctx, &recoursev1.BeginSendRequest{RunId: run, LeaseToken: token})
	if err != nil {
		t.Errorf("send: %v", err)
		return
	}
	answer[*recoursev1.ReportFailureResponse](t, f, "ReportFailure "+name)(c.Recovery.ReportFailure(ctx, &recoursev1.ReportFailureRequest{
		RunId: run, LeaseToken: token, RequestId: run, Envelope: e,
	}))
	answer[*recoursev1.ClassifyFailureResponse](t, f, "ClassifyFailure "+name)(c.Classification.ClassifyFailure(ctx, &recoursev1.ClassifyFailureRequest{
		Envelope: e, Explain: true,
	}))
	answer[*recoursev1.DecideResponse](t, f, "Decide "+name)(c.Recovery.Decide(ctx, &recoursev1.DecideRequest{Envelope: e}))
	alone := &recoursev1.BatchClassifyFailuresRequest{}
	for _, s := range e.GetSignals() { // each alone, so that each is the one that is quoted
		one := proto.CloneOf(e)
		one.Signals = []*recoursev1.Signal{s}
		alone.Envelopes = append(alone.Envelopes, one)
	}
	answer[*recoursev1.BatchClassifyFailuresResponse](t, f, "BatchClassify "+name)(c.Classification.BatchClassifyFailures(ctx, alone))
	f.rest(t, http.MethodPost, "/v1/workspaces/default/failures:decide", `{"envelope":`+printed(e)+`}`)
	f.rest(t, http.MethodGet, "/v1/workspaces/default/runs/"+run, "")
}

// read looks at every list.
func (f *fixture) read(t *testing.T) {
	t.Helper()
	for _, path := range []string{"wakeups", "runs", "events"} {
		f.rest(t, http.MethodGet, "/v1/workspaces/default/"+path+"?pageSize=1000", "")
	}
	c := f.clients[client.Connect].Recovery
	answer[*recoursev1.ListWakeupsResponse](t, f, "ListWakeups")(c.ListWakeups(t.Context(), &recoursev1.ListWakeupsRequest{PageSize: 1000}))
	answer[*recoursev1.ListRunsResponse](t, f, "ListRuns")(c.ListRuns(t.Context(), &recoursev1.ListRunsRequest{PageSize: 1000}))
	answer[*recoursev1.ListEventsResponse](t, f, "ListEvents")(c.ListEvents(t.Context(), &recoursev1.ListEventsRequest{PageSize: 1000}))
}

// rest makes a REST call that must succeed, and looks at the answer.
func (f *fixture) rest(t *testing.T, method, path, body string) {
	t.Helper()
	status, text := f.call(t, method, path, body)
	require.Equal(t, http.StatusOK, status, text)
	f.look("REST "+method+" "+strings.SplitN(path, "?", 2)[0], text)
}

// call makes a REST call and returns its status, its body and its headers.
func (f *fixture) call(t *testing.T, method, path, body string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, f.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+f.AdminToken)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := f.http.RoundTrip(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(read) + fmt.Sprint(response.Header, response.Trailer)
}

// follow reads the event stream of the server, by REST and by gRPC, until the
// returned function is called.
func (f *fixture) follow(t *testing.T) func() {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL+"/v1/workspaces/default/events:stream", nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+f.AdminToken)
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	require.NoError(t, err)
	stream, err := f.clients[client.GRPC].Recovery.WatchEvents(ctx, &recoursev1.WatchEventsRequest{})
	require.NoError(t, err)
	var readers sync.WaitGroup
	var frames, messages int
	readers.Go(func() {
		text, _ := io.ReadAll(response.Body) // ends with the context
		frames = strings.Count(string(text), "event: recovery.updated")
		f.look("the event stream", string(text))
	})
	readers.Go(func() {
		for {
			message, err := stream.Receive()
			if err != nil {
				return
			}
			if message.GetEvent().GetType() == "recovery.updated" {
				messages++
				if messages == rounds {
					cancel()
				}
			}
			f.look("WatchEvents", printed(message))
		}
	})
	return func() {
		readers.Wait()
		cancel()
		_ = response.Body.Close()
		require.Equal(t, rounds, messages, "every decision was streamed")
		require.Positive(t, frames)
	}
}
