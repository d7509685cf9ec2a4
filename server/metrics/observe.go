package metrics

import (
	"context"

	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/service/recovery"
)

// Observe counts what goes through an API. A call that fails, or that is
// answered once more by its request id, counts nothing.
func (m *Recovery) Observe(api recovery.API) recovery.API { return observed{API: api, m: m} }

type observed struct {
	recovery.API
	m *Recovery
}

// ClaimWakeups implements recovery.API.
func (o observed) ClaimWakeups(ctx context.Context, in work.ClaimWakeups) (work.Claims, error) {
	claims, err := o.API.ClaimWakeups(ctx, in)
	if err == nil {
		for _, c := range claims.Claims {
			o.m.claimed(c)
		}
	}
	return claims, err
}

// ReportFailure implements recovery.API.
func (o observed) ReportFailure(ctx context.Context, in work.ReportFailure) (work.Settled, error) {
	settled, err := o.API.ReportFailure(ctx, in)
	if err == nil {
		o.m.settled(settled)
	}
	return settled, err
}

// ReportSuccess implements recovery.API.
func (o observed) ReportSuccess(ctx context.Context, in work.ReportSuccess) (work.Settled, error) {
	settled, err := o.API.ReportSuccess(ctx, in)
	if err == nil {
		o.m.settled(settled)
	}
	return settled, err
}
