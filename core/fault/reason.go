package fault

// Reason names one cause of an error for machines. Each equals the name of a
// value of recourse.v1.ErrorReason without its prefix (a test proves it), is
// part of the API, and is never renamed.
type Reason string

// The reasons. proto/api/recourse/v1/errors.proto says what each means and
// which metadata it carries.
const (
	ReasonInternal             Reason = "INTERNAL"
	ReasonInvalidRequest       Reason = "INVALID_REQUEST"
	ReasonMalformedBody        Reason = "MALFORMED_BODY"
	ReasonUnknownField         Reason = "UNKNOWN_FIELD"
	ReasonBodyTooLarge         Reason = "BODY_TOO_LARGE"
	ReasonUnsupportedMediaType Reason = "UNSUPPORTED_MEDIA_TYPE"
	ReasonMethodNotAllowed     Reason = "METHOD_NOT_ALLOWED"
	ReasonRouteNotFound        Reason = "ROUTE_NOT_FOUND"
	ReasonTokenMissing         Reason = "TOKEN_MISSING"
	ReasonTokenInvalid         Reason = "TOKEN_INVALID"
	ReasonRoleInsufficient     Reason = "ROLE_INSUFFICIENT"
	ReasonHostNotAllowed       Reason = "HOST_NOT_ALLOWED"
	ReasonOriginNotAllowed     Reason = "ORIGIN_NOT_ALLOWED"
	ReasonLoginCodeInvalid     Reason = "LOGIN_CODE_INVALID"
	ReasonWorkspaceMismatch    Reason = "WORKSPACE_MISMATCH"
	ReasonRateLimited          Reason = "RATE_LIMITED"
	ReasonWorkspaceNotFound    Reason = "WORKSPACE_NOT_FOUND"
	ReasonTokenNotFound        Reason = "TOKEN_NOT_FOUND"
	ReasonSessionNotFound      Reason = "SESSION_NOT_FOUND"
	ReasonWakeupNotFound       Reason = "WAKEUP_NOT_FOUND"
	ReasonRunNotFound          Reason = "RUN_NOT_FOUND"
	ReasonRuleNotFound         Reason = "RULE_NOT_FOUND"
	ReasonPageTokenInvalid     Reason = "PAGE_TOKEN_INVALID"
	ReasonRequestIDReused      Reason = "REQUEST_ID_REUSED"
	ReasonCursorExpired        Reason = "CURSOR_EXPIRED"
	ReasonStreamTooSlow        Reason = "STREAM_TOO_SLOW"
	ReasonSessionBusy          Reason = "SESSION_BUSY"
	ReasonNotClaimable         Reason = "NOT_CLAIMABLE"
	ReasonStaleLease           Reason = "STALE_LEASE"
	ReasonStaleGeneration      Reason = "STALE_GENERATION"
	ReasonStaleVersion         Reason = "STALE_VERSION"
	ReasonRunAlreadySettled    Reason = "RUN_ALREADY_SETTLED"
	ReasonRunNotSent           Reason = "RUN_NOT_SENT"
	ReasonDatabaseUnavailable  Reason = "DATABASE_UNAVAILABLE"
	ReasonConflict             Reason = "CONFLICT"
	ReasonDeadlineExceeded     Reason = "DEADLINE_EXCEEDED"
	ReasonCanceled             Reason = "CANCELED"
	ReasonShuttingDown         Reason = "SHUTTING_DOWN"
	ReasonUnimplemented        Reason = "UNIMPLEMENTED"
	ReasonNotResumable         Reason = "NOT_RESUMABLE"
	ReasonProfileNotFound      Reason = "PROFILE_NOT_FOUND"
	ReasonProfileExists        Reason = "PROFILE_EXISTS"
	ReasonProfileInUse         Reason = "PROFILE_IN_USE"
)

// Reasons lists every reason, for exhaustive tests.
func Reasons() []Reason {
	return []Reason{
		ReasonInternal,
		ReasonInvalidRequest,
		ReasonMalformedBody,
		ReasonUnknownField,
		ReasonBodyTooLarge,
		ReasonUnsupportedMediaType,
		ReasonMethodNotAllowed,
		ReasonRouteNotFound,
		ReasonTokenMissing,
		ReasonTokenInvalid,
		ReasonRoleInsufficient,
		ReasonHostNotAllowed,
		ReasonOriginNotAllowed,
		ReasonLoginCodeInvalid,
		ReasonWorkspaceMismatch,
		ReasonRateLimited,
		ReasonWorkspaceNotFound,
		ReasonTokenNotFound,
		ReasonSessionNotFound,
		ReasonWakeupNotFound,
		ReasonRunNotFound,
		ReasonRuleNotFound,
		ReasonPageTokenInvalid,
		ReasonRequestIDReused,
		ReasonCursorExpired,
		ReasonStreamTooSlow,
		ReasonSessionBusy,
		ReasonNotClaimable,
		ReasonStaleLease,
		ReasonStaleGeneration,
		ReasonStaleVersion,
		ReasonRunAlreadySettled,
		ReasonRunNotSent,
		ReasonDatabaseUnavailable,
		ReasonConflict,
		ReasonDeadlineExceeded,
		ReasonCanceled,
		ReasonShuttingDown,
		ReasonUnimplemented,
		ReasonNotResumable,
		ReasonProfileNotFound,
		ReasonProfileExists,
		ReasonProfileInUse,
	}
}
