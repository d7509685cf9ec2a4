package serve

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/catalogue/zone"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/events"
	"github.com/recourse-dev/recourse/server/metrics"
	"github.com/recourse-dev/recourse/server/rpc"
	"github.com/recourse-dev/recourse/server/service/classification"
	recoveryservice "github.com/recourse-dev/recourse/server/service/recovery"
	"github.com/recourse-dev/recourse/server/service/routing"
)

// handlers makes the services, starts their background work, and returns what
// calls them.
func (s *Server) handlers() (rpc.Handlers, error) {
	classify := classification.New(s.rules.Classifier, descriptions(s.rules), time.Now)
	stream := events.New(events.Config{Store: s.db.store, Log: s.log})
	durable, err := recoveryservice.New(recoveryservice.Config{
		Store: s.db.store, Classifier: classify, Stream: stream, Log: s.log, Settings: settings(s.cfg),
	})
	if err != nil {
		return rpc.Handlers{}, err
	}
	routes := routing.New(routing.Config{Store: s.db.store, Stream: stream, Log: s.log, Settings: durable.Settings()})
	s.telemetry.registry.MustRegister(metrics.NewQueue(s.db.store, s.log, time.Now))
	s.startWork(stream.Run, durable.Reconcile, func(ctx context.Context) { s.db.store.Listen(ctx, stream) })
	return rpc.Handlers{
		Classification: rpc.Classification{Service: classify},
		Recovery:       rpc.Recovery{Service: s.telemetry.recovery.Observe(durable), Cursor: events.Cursor},
		Routing:        rpc.Routing{Service: routes},
		Workspace:      rpc.Workspace{Accounts: s.accounts, Updater: durable, Catalogue: classify, Version: s.version, Now: time.Now},
		Health:         rpc.Health{Ready: s.ready, Begun: s.drain.Begun()},
	}, nil
}

// descriptions are what the rule files say about their rules, by id.
func descriptions(c *catalogue.Catalogue) map[string]classification.Description {
	out := map[string]classification.Description{}
	for _, r := range c.Rules() {
		out[r.ID] = classification.Description{Dialect: r.Dialect, About: r.About, Provenance: r.Provenance()}
	}
	return out
}

// startWork runs loops until release; each ends when its context does.
func (s *Server) startWork(loops ...func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	s.stopWork = cancel
	for _, loop := range loops {
		s.work.Go(func() { loop(ctx) })
	}
}

// settings are the numbers of the recovery contract. What hangs on the lease
// keeps its share of it.
func settings(cfg config.Config) recovery.Settings {
	const share = 3
	out := recovery.Defaults()
	out.Zones = zone.Find
	out.Lease, out.LostGrace = cfg.Lease, cfg.LostGrace
	out.Heartbeat, out.SendMargin = cfg.Lease/share, cfg.Lease/share
	return out
}
