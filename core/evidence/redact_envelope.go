package evidence

import "strings"

// secretHeaders are never kept, whatever their value looks like.
var secretHeaders = map[string]string{
	"authorization": redactedToken, "proxy-authorization": redactedToken, "x-api-key": redactedAPIKey, "api-key": redactedAPIKey,
	"x-goog-api-key": redactedAPIKey, "cookie": redactedCookie, "set-cookie": redactedCookie,
	"x-amz-security-token": redactedToken, "x-auth-token": redactedToken,
	"request-id": redactedRequestID, "x-request-id": redactedRequestID, "cf-ray": redactedRequestID,
	"x-amzn-requestid": redactedRequestID, "anthropic-organization-id": redactedOrgID, "openai-organization": redactedOrgID,
	"openai-project": redactedProjectID, "chatgpt-account-id": redactedAccountID, "x-goog-user-project": redactedProjectID,
}

// RedactEnvelope returns e with every text, datum, header and label redacted.
// The identifiers of Recourse's own rows stay; e is not changed.
func RedactEnvelope(e Envelope) Envelope {
	e.AgentKind = Redact(e.AgentKind)
	e.AgentVersion = Redact(e.AgentVersion)
	e.HostZone = Redact(e.HostZone)
	e.Provider = Redact(e.Provider)
	e.Model = Redact(e.Model)
	signals := make([]Signal, len(e.Signals))
	for i, s := range e.Signals {
		s.Text = Redact(s.Text)
		s.Data = Redact(s.Data)
		s.Event = Redact(s.Event)
		s.ExitSignal = Redact(s.ExitSignal)
		s.EndedBy = Redact(s.EndedBy)
		s.Headers = redactHeaders(s.Headers)
		signals[i] = s
	}
	e.Signals = signals
	return e
}

func redactHeaders(headers map[string]string) map[string]string {
	if len(headers) == 0 {
		return headers
	}
	out := make(map[string]string, len(headers))
	for name, value := range headers {
		out[Redact(name)] = redactHeader(name, value)
	}
	return out
}

// redactHeader hides a value for its header's name; a name that is not known
// counts as the key of the value.
func redactHeader(name, value string) string {
	if kind, secret := secretHeaders[strings.ToLower(name)]; secret {
		return placeholderHead + kind + "]"
	}
	rule, ok := ruleOf(name)
	if ok && !rule.query && value != "" && (rule.strict || rule.line || quotedSecret(value, rule)) {
		return placeholderHead + rule.kind + "]"
	}
	return Redact(value)
}
