package error_test

import (
	"testing"

	"connectrpc.com/connect/v2"
	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// row is what a reason means to each kind of caller.
type row struct {
	kind fault.Kind
	code connect.Code
	rest int
	exit int
}

// table is the contract of errors: reason → RPC code → REST status → exit code
// of a command. A change here is a change for callers.
var table = map[fault.Reason]row{
	fault.ReasonInternal:             {fault.Internal, connect.CodeInternal, 500, 1},
	fault.ReasonInvalidRequest:       {fault.InvalidArgument, connect.CodeInvalidArgument, 400, 2},
	fault.ReasonMalformedBody:        {fault.InvalidArgument, connect.CodeInvalidArgument, 400, 2},
	fault.ReasonUnknownField:         {fault.InvalidArgument, connect.CodeInvalidArgument, 400, 2},
	fault.ReasonBodyTooLarge:         {fault.ResourceExhausted, connect.CodeResourceExhausted, 413, 2},
	fault.ReasonUnsupportedMediaType: {fault.InvalidArgument, connect.CodeInvalidArgument, 415, 2},
	fault.ReasonMethodNotAllowed:     {fault.Unimplemented, connect.CodeUnimplemented, 405, 2},
	fault.ReasonRouteNotFound:        {fault.NotFound, connect.CodeNotFound, 404, 6},
	fault.ReasonTokenMissing:         {fault.Unauthenticated, connect.CodeUnauthenticated, 401, 4},
	fault.ReasonTokenInvalid:         {fault.Unauthenticated, connect.CodeUnauthenticated, 401, 4},
	fault.ReasonRoleInsufficient:     {fault.PermissionDenied, connect.CodePermissionDenied, 403, 4},
	fault.ReasonHostNotAllowed:       {fault.PermissionDenied, connect.CodePermissionDenied, 403, 4},
	fault.ReasonOriginNotAllowed:     {fault.PermissionDenied, connect.CodePermissionDenied, 403, 4},
	fault.ReasonLoginCodeInvalid:     {fault.Unauthenticated, connect.CodeUnauthenticated, 401, 4},
	fault.ReasonWorkspaceMismatch:    {fault.PermissionDenied, connect.CodePermissionDenied, 403, 4},
	fault.ReasonRateLimited:          {fault.ResourceExhausted, connect.CodeResourceExhausted, 429, 69},
	fault.ReasonWorkspaceNotFound:    {fault.NotFound, connect.CodeNotFound, 404, 6},
	fault.ReasonTokenNotFound:        {fault.NotFound, connect.CodeNotFound, 404, 6},
	fault.ReasonSessionNotFound:      {fault.NotFound, connect.CodeNotFound, 404, 6},
	fault.ReasonWakeupNotFound:       {fault.NotFound, connect.CodeNotFound, 404, 6},
	fault.ReasonRunNotFound:          {fault.NotFound, connect.CodeNotFound, 404, 6},
	fault.ReasonRuleNotFound:         {fault.NotFound, connect.CodeNotFound, 404, 6},
	fault.ReasonPageTokenInvalid:     {fault.InvalidArgument, connect.CodeInvalidArgument, 400, 2},
	fault.ReasonRequestIDReused:      {fault.InvalidArgument, connect.CodeInvalidArgument, 400, 2},
	fault.ReasonCursorExpired:        {fault.OutOfRange, connect.CodeOutOfRange, 400, 7},
	fault.ReasonStreamTooSlow:        {fault.ResourceExhausted, connect.CodeResourceExhausted, 429, 69},
	fault.ReasonSessionBusy:          {fault.FailedPrecondition, connect.CodeFailedPrecondition, 400, 7},
	fault.ReasonNotClaimable:         {fault.FailedPrecondition, connect.CodeFailedPrecondition, 400, 7},
	fault.ReasonStaleLease:           {fault.Aborted, connect.CodeAborted, 409, 7},
	fault.ReasonStaleGeneration:      {fault.Aborted, connect.CodeAborted, 409, 7},
	fault.ReasonStaleVersion:         {fault.Aborted, connect.CodeAborted, 409, 7},
	fault.ReasonRunAlreadySettled:    {fault.FailedPrecondition, connect.CodeFailedPrecondition, 400, 7},
	fault.ReasonRunNotSent:           {fault.FailedPrecondition, connect.CodeFailedPrecondition, 400, 7},
	fault.ReasonDatabaseUnavailable:  {fault.Unavailable, connect.CodeUnavailable, 503, 69},
	fault.ReasonConflict:             {fault.Aborted, connect.CodeAborted, 409, 7},
	fault.ReasonDeadlineExceeded:     {fault.DeadlineExceeded, connect.CodeDeadlineExceeded, 504, 69},
	fault.ReasonCanceled:             {fault.Canceled, connect.CodeCanceled, 499, 3},
	fault.ReasonShuttingDown:         {fault.Unavailable, connect.CodeUnavailable, 503, 69},
	fault.ReasonUnimplemented:        {fault.Unimplemented, connect.CodeUnimplemented, 501, 1},
	fault.ReasonNotResumable:         {fault.FailedPrecondition, connect.CodeFailedPrecondition, 400, 7},
	fault.ReasonProfileNotFound:      {fault.NotFound, connect.CodeNotFound, 404, 6},
	fault.ReasonProfileExists:        {fault.AlreadyExists, connect.CodeAlreadyExists, 409, 7},
	fault.ReasonProfileInUse:         {fault.FailedPrecondition, connect.CodeFailedPrecondition, 400, 7},
}

func TestTheTable(t *testing.T) {
	t.Parallel()
	require.Len(t, table, len(fault.Reasons()))
	for _, reason := range fault.Reasons() {
		t.Run(string(reason), func(t *testing.T) {
			t.Parallel()
			want, ok := table[reason]
			require.True(t, ok, "the table lacks it")
			f := fault.New(want.kind, reason, "text")
			require.Equal(t, want.code, rpcerror.Connect(f).Code())
			require.Equal(t, want.rest, rpcerror.Status(f))
			require.Equal(t, want.exit, client.ExitCode(f))
		})
	}
	require.Equal(t, 0, client.ExitCode(nil))
}
