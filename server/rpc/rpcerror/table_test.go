package rpcerror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectproto"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/rpc/errdetails"

	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func TestEveryKindHasACodeOfItsOwn(t *testing.T) {
	t.Parallel()
	require.Len(t, codes, len(fault.Kinds()))
	seen := map[connect.Code]fault.Kind{}
	for _, kind := range fault.Kinds() {
		code := Code(kind)
		require.NotZero(t, code, "kind %d", kind)
		require.NotContains(t, seen, code, "kind %d", kind)
		seen[code] = kind
		require.Equal(t, kind, Kind(code))
		require.Contains(t, statuses, code)
		require.Contains(t, codeNames, code)
	}
	require.Equal(t, connect.CodeInternal, Code(fault.Kind(200)))
}

func TestReasonsAreTheContractsReasons(t *testing.T) {
	t.Parallel()
	contract := map[string]bool{}
	for number, name := range recoursev1.ErrorReason_name {
		if number != 0 {
			contract[strings.TrimPrefix(name, "ERROR_REASON_")] = true
		}
	}
	for _, reason := range fault.Reasons() {
		require.Contains(t, contract, string(reason))
		delete(contract, string(reason))
	}
	require.Empty(t, contract, "reasons of the contract that no fault has")
}

func TestConnectCarriesOneErrorInfoAndWhatHelps(t *testing.T) {
	t.Parallel()
	f := fault.Invalid("page_size", "must be from 1 to 1000").With("page_size", "-1").After(3 * time.Second)
	err := Connect(f)
	require.Equal(t, connect.CodeInvalidArgument, err.Code())
	infos := 0
	for _, detail := range err.Details() {
		message, decodeErr := connectproto.UnmarshalErrorDetail(detail)
		require.NoError(t, decodeErr)
		switch message := message.(type) {
		case *errdetails.ErrorInfo:
			infos++
			require.Equal(t, "INVALID_REQUEST", message.GetReason())
			require.Equal(t, Domain, message.GetDomain())
			require.Equal(t, map[string]string{"page_size": "-1"}, message.GetMetadata())
		case *errdetails.BadRequest:
			require.Equal(t, "page_size", message.GetFieldViolations()[0].GetField())
		case *errdetails.RetryInfo:
			require.Equal(t, 3*time.Second, message.GetRetryDelay().AsDuration())
		}
	}
	require.Equal(t, 1, infos)
	require.Len(t, err.Details(), 3)
}

func TestFailedPreconditionNamesItsObject(t *testing.T) {
	t.Parallel()
	f := fault.New(fault.FailedPrecondition, fault.ReasonRunNotSent, "not sent").With("session_id", "s").With("run_id", "r")
	details := Details(f)
	require.Len(t, details, 2)
	violation := details[1].(*errdetails.PreconditionFailure).GetViolations()[0]
	require.Equal(t, "RUN_NOT_SENT", violation.GetType())
	require.Equal(t, "r", violation.GetSubject())
}

func TestAnInternalFaultSaysNothingOfItself(t *testing.T) {
	t.Parallel()
	secret := "SELECT token FROM api_tokens"
	f := fault.Wrap(errors.New(secret), fault.Internal, fault.ReasonInternal, "could not run %s", secret).With("query", secret)
	recorder := httptest.NewRecorder()
	WriteREST(recorder, f)
	require.NotContains(t, recorder.Body.String(), "SELECT")
	require.NotContains(t, fmt.Sprint(Connect(f).Message(), Connect(f).Details()), "SELECT")
	require.Equal(t, 500, recorder.Code)
}

func TestFromKeepsFaultsAndNamesTheRest(t *testing.T) {
	t.Parallel()
	known := fault.New(fault.Aborted, fault.ReasonConflict, "collided")
	for _, c := range []struct {
		name string
		err  error
		want fault.Reason
	}{
		{"fault", known, fault.ReasonConflict},
		{"wrapped fault", fmt.Errorf("save: %w", known), fault.ReasonConflict},
		{"cancelled", fmt.Errorf("read: %w", context.Canceled), fault.ReasonCanceled},
		{"deadline", context.DeadlineExceeded, fault.ReasonDeadlineExceeded},
		{"library cancelled", connect.Errorf(connect.CodeCanceled, ""), fault.ReasonCanceled},
		{"library deadline", connect.Errorf(connect.CodeDeadlineExceeded, ""), fault.ReasonDeadlineExceeded},
		{"library unimplemented", connect.Errorf(connect.CodeUnimplemented, "secret"), fault.ReasonUnimplemented},
		{"library argument", connect.Errorf(connect.CodeInvalidArgument, "secret"), fault.ReasonMalformedBody},
		{"library other", connect.Errorf(connect.CodeDataLoss, "secret"), fault.ReasonInternal},
		{"unknown", errors.New("secret"), fault.ReasonInternal},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := From(c.err)
			require.Equal(t, c.want, f.Reason)
			require.NotContains(t, f.Message, "secret")
			require.True(t, errors.Is(f, c.err) || errors.Is(c.err, f), "the cause is kept for the log")
		})
	}
}

func TestRESTHeaders(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	WriteREST(recorder, fault.New(fault.ResourceExhausted, fault.ReasonRateLimited, "slow down").After(1200*time.Millisecond))
	require.Equal(t, 429, recorder.Code)
	require.Equal(t, "2", recorder.Header().Get("Retry-After"), "rounded up: earlier is too early")
	require.Equal(t, "application/json", recorder.Header().Get("Content-Type"))
	var body Body
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &body))
	require.Equal(t, "RESOURCE_EXHAUSTED", body.Code)
	require.Equal(t, "RATE_LIMITED", body.Reason)
	require.Equal(t, "slow down", body.Error)

	recorder = httptest.NewRecorder()
	WriteREST(recorder, fault.New(fault.Unauthenticated, fault.ReasonTokenMissing, "a token is needed"))
	require.Equal(t, `Bearer realm="recourse"`, recorder.Header().Get("WWW-Authenticate"))
}

func TestTheSameErrorHasTheSameBytes(t *testing.T) {
	t.Parallel()
	f := fault.Invalid("a", "b").With("k", "v").With("z", "y")
	first, err := json.Marshal(NewBody(f))
	require.NoError(t, err)
	require.NotContains(t, string(first), `": `)
	for range 20 {
		again, err := json.Marshal(NewBody(f))
		require.NoError(t, err)
		require.Equal(t, string(first), string(again))
	}
}

func TestIsProcedure(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/recourse.v1.RecoveryService/Decide":                       true,
		"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo": true,
		"/v1/workspaces": false, "/ui/assets/index.js": false, "/": false, "": false,
		"/recourse.v1.RecoveryService": false, "/recourse.v1.RecoveryService/": false, "/a.b/c/d": false,
	} {
		require.Equal(t, want, IsProcedure(path), path)
	}
}
