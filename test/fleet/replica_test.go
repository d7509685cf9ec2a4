package fleet

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
	"github.com/recourse-dev/recourse/server/service/classification"
	service "github.com/recourse-dev/recourse/server/service/recovery"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

const workspace = "default"

// retryDelay is the first of the interactive policy, shorter than in production.
const retryDelay = 400 * time.Millisecond

// replicas are the durable parts of n servers in this process, without their
// protocols: each with its own services, its own small pool, and its own
// connection for hints.
func replicas(t *testing.T, n int) (out []*service.Service, store *postgres.Store) {
	t.Helper()
	url := pg.URL(t)
	classifier, err := catalogue.Embedded()
	require.NoError(t, err)
	settings := recovery.Defaults()
	settings.InteractiveDelays = []time.Duration{retryDelay, time.Hour}
	for range n {
		store, err = postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 2})
		require.NoError(t, err)
		t.Cleanup(store.Close)
		if len(out) == 0 {
			_, err = store.Bootstrap(t.Context(), access.Workspace{ID: workspace}, access.NewToken{WorkspaceID: workspace, ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
			require.NoError(t, err)
		}
		stream := events.New(events.Config{Store: store})
		s, err := service.New(service.Config{Store: store, Classifier: classification.New(classifier, nil, time.Now), Stream: stream, Settings: settings})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
		var loops sync.WaitGroup
		loops.Go(func() { stream.Run(ctx) })
		loops.Go(func() { s.Reconcile(ctx) })
		loops.Go(func() { store.Listen(ctx, stream) })
		t.Cleanup(func() { cancel(); loops.Wait() })
		out = append(out, s)
	}
	return out, store
}

// refused is what a provider answers that had no time for the prompt.
func refused() evidence.Envelope {
	return evidence.Envelope{
		AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(),
		Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Status: 529, Text: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}},
	}
}
