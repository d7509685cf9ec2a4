package rpcerror

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
)

func TestPublicHidesWhatACallerSent(t *testing.T) {
	t.Parallel()
	secret := "sk-ant-" + "api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
	id := "01a22e22-33c3-72de-b0b9-a9fd6284a528"
	f := fault.New(fault.InvalidArgument, fault.ReasonInvalidRequest, "wakeup %s has no %s", id, secret).With("wakeup_id", id).With("value", secret)
	f.Violations = []fault.Violation{{Field: "labels[" + secret + "]", Description: "is not " + secret}}
	public := Public(f)
	require.Contains(t, public.Message, id, "our own ids stay")
	require.Equal(t, id, public.Metadata["wakeup_id"])
	for _, text := range []string{public.Message, public.Metadata["value"], public.Violations[0].Field, public.Violations[0].Description} {
		require.NotContains(t, text, secret)
		require.Contains(t, text, "[redacted")
	}
	require.Contains(t, f.Message, secret, "the fault itself is not changed")
	require.Equal(t, secret, f.Metadata["value"])
}

func TestPublicKeepsPlainErrorsAsTheyAre(t *testing.T) {
	t.Parallel()
	f := fault.New(fault.Aborted, fault.ReasonStaleVersion, "the wakeup has changed").With("version", "7").With("due_at", "2026-11-30T20:25:40.351Z")
	public := Public(f)
	require.Equal(t, f.Message, public.Message)
	require.Equal(t, f.Metadata, public.Metadata)
}
