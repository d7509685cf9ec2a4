package evidence

import "maps"

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
	e.AgentVersion = Redact(e.AgentVersion)
	e.Provider = Redact(e.Provider)
	e.Model = Redact(e.Model)
	signals := make([]Signal, len(e.Signals))
	for i, s := range e.Signals {
		s.Text = Redact(s.Text)
		s.Data = Redact(s.Data)
		s.Event = Redact(s.Event)
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
	out := maps.Clone(headers)
	for name, value := range headers {
		if kind, secret := secretHeaders[name]; secret {
			out[name] = placeholderHead + kind + "]"
			continue
		}
		out[name] = Redact(value)
	}
	return out
}
