package corpus

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// wireCase is a case as written.
type wireCase struct {
	ID              string          `json:"id"`
	Agent           string          `json:"agent"`
	AgentVersion    string          `json:"agent_version"`
	Mode            string          `json:"mode"`
	Provider        string          `json:"provider"`
	Model           string          `json:"model"`
	Phase           string          `json:"phase"`
	Signals         []wireSignal    `json:"signals"`
	Now             string          `json:"now"`
	LocalTZ         string          `json:"local_tz"`
	Tags            []string        `json:"tags"`
	Note            string          `json:"note"`
	Confidence      string          `json:"confidence_in_label"`
	ExpectedCode    string          `json:"expected_code"`
	ExpectedClass   string          `json:"expected_class"`
	AcceptedCodes   []string        `json:"accepted_codes"`
	Also            json.RawMessage `json:"also"`
	RetryAfterS     *float64        `json:"expected_retry_after_s"`
	ResetAt         string          `json:"expected_reset_at"`
	ResetToleranceS float64         `json:"reset_tolerance_s"`
	OwnRetryPending bool            `json:"own_retry_pending"`
	Swallowed       bool            `json:"swallowed"`
	ReportedAsText  bool            `json:"reported_as_text"`
	EffectWritten   bool            `json:"effect_written"`
}

// wireSignal is one signal as written; each kind uses some of the fields.
type wireSignal struct {
	Kind       string          `json:"kind"`
	Text       string          `json:"text"`
	Message    string          `json:"message"`
	Body       json.RawMessage `json:"body"`
	Status     int             `json:"status"`
	Headers    map[string]any  `json:"headers"`
	Code       int             `json:"code"`
	Data       json.RawMessage `json:"data"`
	Method     string          `json:"method"`
	Update     json.RawMessage `json:"update"`
	Params     json.RawMessage `json:"params"`
	Result     json.RawMessage `json:"result"`
	StopReason string          `json:"stopReason"`
	ExitCode   *int            `json:"exit_code"`
	Signal     string          `json:"signal"`
	SpawnError string          `json:"spawn_error"`
	EndedBy    string          `json:"ended_by"`
}

// labels reads everything but the signals.
func (w wireCase) labels() (Case, error) {
	c := Case{
		ID: w.ID, Agent: w.Agent, AgentVersion: w.AgentVersion, Mode: w.mode(), Provider: w.Provider, Model: w.Model,
		Phase: phaseOf(w.Phase), LocalTZ: w.LocalTZ, Tags: w.Tags, Note: w.Note, Confidence: w.Confidence,
		ExpectedCode: w.ExpectedCode, ExpectedClass: w.ExpectedClass, AcceptedCodes: append(w.AcceptedCodes, w.also()...),
		ResetTolerance: seconds(w.ResetToleranceS), OwnRetryPending: w.OwnRetryPending, Swallowed: w.Swallowed,
		ReportedAsText: w.ReportedAsText, EffectWritten: w.EffectWritten,
	}
	var err error
	if c.Now, err = instant(w.Now); err != nil {
		return Case{}, fmt.Errorf("now: %w", err)
	}
	if w.ResetAt != "" {
		at, err := instant(w.ResetAt)
		if err != nil {
			return Case{}, fmt.Errorf("expected_reset_at: %w", err)
		}
		c.ExpectedResetAt = &at
	}
	if w.RetryAfterS != nil {
		after := seconds(*w.RetryAfterS)
		c.ExpectedRetryAfter = &after
	}
	return c, nil
}

// also reads the other accepted codes of an ambiguous case: one, or a list.
func (w wireCase) also() []string {
	var one string
	if json.Unmarshal(w.Also, &one) == nil && one != "" {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(w.Also, &many) == nil {
		return many
	}
	return nil
}

// instant reads an RFC 3339 time as UTC; "" is the zero time. A time without a zone is UTC.
func instant(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no RFC 3339 time", s)
}

func seconds(s float64) time.Duration {
	return time.Duration(math.Round(s * float64(time.Second)))
}

func phaseOf(name string) evidence.Phase {
	switch p := evidence.Phase(name); p {
	case evidence.PhaseLaunch, evidence.PhasePreOutput, evidence.PhasePostOutput:
		return p
	case evidence.PhaseUnknown:
	}
	return evidence.PhaseUnknown
}

// mode is the mode as written, or what the signals look like.
func (w wireCase) mode() dialect.Mode {
	switch m := dialect.Mode(w.Mode); m {
	case dialect.Text, dialect.JSON, dialect.StreamJSON, dialect.ACP:
		return m
	}
	for _, s := range w.Signals {
		switch s.Kind {
		case "acp_error", "acp_update", "acp_result", "acp_request", "acp_sent":
			return dialect.ACP
		case "stdout":
			if _, mode := dialect.Sniff(s.Text); mode != dialect.Text {
				return mode
			}
		}
	}
	return dialect.Text
}
