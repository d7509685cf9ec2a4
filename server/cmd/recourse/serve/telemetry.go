package serve

import (
	"net/http"

	"connectrpc.com/connect/v2"
	"connectrpc.com/otelconnect"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	otelprom "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/recourse-dev/recourse/server/metrics"
)

// telemetry is what /metrics shows. Each server has a registry of its own, so
// that several can live in one process.
type telemetry struct {
	provider    *sdkmetric.MeterProvider
	interceptor connect.ServerInterceptor
	metrics     http.Handler
	recovery    *metrics.Recovery
	registry    *prometheus.Registry
}

func newTelemetry() (*telemetry, error) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	// Scope labels would make every series wide for nothing.
	exporter, err := otelprom.New(otelprom.WithRegisterer(registry), otelprom.WithoutScopeInfo())
	if err != nil {
		return nil, err
	}
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter))
	// A trace that a caller sends is not trusted: it could name any other.
	interceptor, err := otelconnect.NewServerInterceptor(otelconnect.WithMeterProvider(provider))
	if err != nil {
		return nil, err
	}
	return &telemetry{
		provider:    provider,
		interceptor: interceptor,
		recovery:    metrics.New(registry),
		registry:    registry,
		metrics:     promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}),
	}, nil
}
