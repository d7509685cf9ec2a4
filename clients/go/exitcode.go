package client

import (
	"github.com/recourse-dev/recourse/core/fault"
)

// The exit codes of a command that failed on a call.
const (
	ExitOK          = 0
	ExitGeneral     = 1  // a fault of ours, or nothing more exact
	ExitUsage       = 2  // the request itself is wrong
	ExitCancelled   = 3  // the caller gave up
	ExitAuth        = 4  // no credential, a wrong one, or one that may not
	ExitNotFound    = 6  // the object does not exist
	ExitStale       = 7  // it changed meanwhile, or somebody else has it
	ExitUnavailable = 69 // no server, or one that cannot answer now
)

// exitCodes are the exit codes of every reason; a test proves that none is missing.
var exitCodes = map[fault.Reason]int{
	fault.ReasonInternal:             ExitGeneral,
	fault.ReasonInvalidRequest:       ExitUsage,
	fault.ReasonMalformedBody:        ExitUsage,
	fault.ReasonUnknownField:         ExitUsage,
	fault.ReasonBodyTooLarge:         ExitUsage,
	fault.ReasonUnsupportedMediaType: ExitUsage,
	fault.ReasonMethodNotAllowed:     ExitUsage,
	fault.ReasonRouteNotFound:        ExitNotFound,
	fault.ReasonTokenMissing:         ExitAuth,
	fault.ReasonTokenInvalid:         ExitAuth,
	fault.ReasonRoleInsufficient:     ExitAuth,
	fault.ReasonHostNotAllowed:       ExitAuth,
	fault.ReasonOriginNotAllowed:     ExitAuth,
	fault.ReasonLoginCodeInvalid:     ExitAuth,
	fault.ReasonWorkspaceMismatch:    ExitAuth,
	fault.ReasonRateLimited:          ExitUnavailable,
	fault.ReasonWorkspaceNotFound:    ExitNotFound,
	fault.ReasonTokenNotFound:        ExitNotFound,
	fault.ReasonSessionNotFound:      ExitNotFound,
	fault.ReasonWakeupNotFound:       ExitNotFound,
	fault.ReasonRunNotFound:          ExitNotFound,
	fault.ReasonRuleNotFound:         ExitNotFound,
	fault.ReasonPageTokenInvalid:     ExitUsage,
	fault.ReasonRequestIDReused:      ExitUsage,
	fault.ReasonCursorExpired:        ExitStale,
	fault.ReasonStreamTooSlow:        ExitUnavailable,
	fault.ReasonSessionBusy:          ExitStale,
	fault.ReasonNotClaimable:         ExitStale,
	fault.ReasonStaleLease:           ExitStale,
	fault.ReasonStaleGeneration:      ExitStale,
	fault.ReasonStaleVersion:         ExitStale,
	fault.ReasonRunAlreadySettled:    ExitStale,
	fault.ReasonRunNotSent:           ExitStale,
	fault.ReasonDatabaseUnavailable:  ExitUnavailable,
	fault.ReasonConflict:             ExitStale,
	fault.ReasonDeadlineExceeded:     ExitUnavailable,
	fault.ReasonCanceled:             ExitCancelled,
	fault.ReasonShuttingDown:         ExitUnavailable,
	fault.ReasonUnimplemented:        ExitGeneral,
	fault.ReasonNotResumable:         ExitStale,
	fault.ReasonProfileNotFound:      ExitNotFound,
	fault.ReasonProfileExists:        ExitStale,
	fault.ReasonProfileInUse:         ExitStale,
	ReasonUnreachable:                ExitUnavailable,
}

// ExitCode returns the exit code of a command that ended with err: 0 for nil, 1
// for an error that no call made.
func ExitCode(err error) int {
	if err == nil {
		return ExitOK
	}
	if code, ok := exitCodes[fault.From(err).Reason]; ok {
		return code
	}
	return ExitGeneral
}
