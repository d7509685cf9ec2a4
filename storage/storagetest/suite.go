// Package storagetest is the contract of a store, as tests that any
// implementation must pass. After each test the invariants of the schema are
// asked for: none may be broken.
package storagetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// Open makes a store on an empty, migrated database, which reads the time from
// now. Both go with the test.
type Open func(t *testing.T, now func() time.Time) Store

// Run tests a store.
func Run(t *testing.T, open Open) {
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(setup(t, open))
		})
	}
}

var tests = map[string]func(*bench){}

// register keeps each file's tests beside its helpers.
func register(more map[string]func(*bench)) struct{} {
	for name, test := range more {
		tests[name] = test
	}
	return struct{}{}
}

const (
	workspace = "default"
	other     = "other"
)

// bench is one test's store with a clock of its own.
type bench struct {
	t     *testing.T
	store Store
	clock *clock
	set   recovery.Settings
}

// clock stands still until a test moves it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
}

func setup(t *testing.T, open Open) *bench {
	c := &clock{now: time.Date(2026, 3, 4, 5, 6, 7, 8000, time.UTC)}
	b := &bench{t: t, store: open(t, c.Now), clock: c, set: recovery.Defaults()}
	created, err := b.store.Bootstrap(b.ctx(), access.Workspace{ID: workspace, DisplayName: "Default"}, access.NewToken{
		WorkspaceID: workspace, ID: newID(t), Hash: hashOf("first"), DisplayName: "first", Role: access.RoleAdmin, InstanceAdmin: true,
	})
	require.NoError(t, err)
	require.True(t, created)
	t.Cleanup(func() {
		violations, err := b.store.FindViolations(context.WithoutCancel(b.ctx()), workspace)
		require.NoError(t, err)
		require.Empty(t, violations)
	})
	return b
}

func (b *bench) ctx() context.Context { return b.t.Context() }

func newID(t *testing.T) string {
	id, err := uuid.NewV7()
	require.NoError(t, err)
	return id.String()
}

func hashOf(text string) []byte { return work.HashToken(text) }

var (
	laptop    = work.Supervisor{ID: "supervisor-1", HostID: "laptop"}
	laptopTwo = work.Supervisor{ID: "supervisor-2", HostID: "laptop"}
	elsewhere = work.Supervisor{ID: "supervisor-3", HostID: "server-room"}
)

// overloaded is a failure that the policy retries.
var overloaded = classification.Result{
	Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High,
	Scope: classification.ScopeProvider, RuleID: "test.overloaded", SafeExcerpt: "529 overloaded",
}

// loginNeeded is a failure that stops for a person.
var loginNeeded = classification.Result{
	Code: classification.AuthRequired, Class: classification.ClassHard, Confidence: classification.High,
	Scope: classification.ScopeAccount, RuleID: "test.auth", SafeExcerpt: "401 expired",
}

func envelope() evidence.Envelope {
	return evidence.Envelope{
		AgentKind: "claude", AgentVersion: "2.1.328", Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(),
		ObservedAt: time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC),
		Signals:    []evidence.Signal{{Kind: evidence.KindHTTP, Status: 529, Text: "Overloaded"}},
	}
}
