package rules

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// found is one failure's evidence with where it comes from, for a reader.
type found struct {
	envelope evidence.Envelope
	source   string
}

// find reads evidence: of standard input, of a file, of a run or wakeup in this
// host's journal, or of a run on the server, the first that there is.
func find(ctx context.Context, inv *cli.Invocation, flags connection.Flags, from string, printed rulebook.Printed) (found, error) {
	if info, err := os.Stat(rulebook.Path(inv, from)); from == "-" || err == nil && !info.IsDir() {
		text, err := rulebook.ReadText(inv, from)
		if err != nil {
			return found{}, err
		}
		source := "standard input"
		if from != "-" {
			source = "the file " + filepath.Base(from)
		}
		e, err := read(text, inv, printed)
		return found{e, source}, err
	}
	if e := journalled(inv, from); e != nil {
		return found{wire.EnvelopeBack(e), "run " + from}, nil
	}
	e, err := fromServer(ctx, inv, flags, from)
	if err != nil {
		return found{}, err
	}
	return found{wire.EnvelopeBack(e), "run " + from}, nil
}

// read takes an envelope as the API has it, alone or as a run's evidence, a
// labelled case, or what an agent printed.
func read(text []byte, inv *cli.Invocation, printed rulebook.Printed) (evidence.Envelope, error) {
	var object struct {
		ID       string          `json:"id"`
		Evidence json.RawMessage `json:"evidence"`
		Envelope json.RawMessage `json:"envelope"`
		Signals  []struct {
			Kind string `json:"kind"`
		} `json:"signals"`
	}
	if json.Unmarshal(text, &object) != nil {
		return printed.Evidence(text, inv)
	}
	message := text
	switch {
	case len(object.Evidence) > 0:
		message = object.Evidence
	case len(object.Envelope) > 0:
		message = object.Envelope
	case len(object.Signals) == 0:
		return printed.Evidence(text, inv)
	case object.ID != "" && object.Signals[0].Kind != "":
		var e evidence.Envelope
		compact := new(bytes.Buffer)
		if err := json.Compact(compact, text); err != nil {
			return e, err
		}
		err := corpus.Read(compact, func(c corpus.Case) error {
			e = c.Envelope()
			return nil
		})
		return e, err
	}
	var envelope v1.EvidenceEnvelope
	if err := wire.Parse(message, &envelope); err != nil {
		return evidence.Envelope{}, cli.Failf(cli.Usage, "it looks like an evidence envelope, but is none: %w", err)
	}
	return evidence.Bounded(wire.EnvelopeBack(&envelope)), nil
}

// journalled looks a run, or the last run of a wakeup, up in this host's journal.
func journalled(inv *cli.Invocation, id string) *v1.EvidenceEnvelope {
	dir := connection.StateFolder(inv)
	if _, err := os.Stat(dir); err != nil {
		return nil // reading must not make a journal
	}
	store, err := journal.Open(dir)
	if err != nil {
		return nil
	}
	states, err := store.List()
	if err != nil {
		return nil
	}
	for _, s := range states {
		run := ""
		for _, r := range s.History {
			if r.Kind == journal.KindClaimed {
				run = r.RunID
			}
			var report v1.EvidenceEnvelope
			if r.Kind == journal.KindEnded && !r.Succeeded && run == id && wire.Parse(r.Report, &report) == nil {
				return &report
			}
		}
		if s.Prompt.WakeupID == id {
			return wire.LastReport(s)
		}
	}
	return nil
}

// fromServer asks the server for a run's evidence.
func fromServer(ctx context.Context, inv *cli.Invocation, flags connection.Flags, id string) (*v1.EvidenceEnvelope, error) {
	api, err := connection.Require(inv, flags)
	if err != nil {
		var exit *cli.ExitError
		if errors.As(err, &exit) && exit.Code == cli.Unreachable {
			return nil, cli.Failf(cli.NotFound, "%q is no file and no run of this host, and %s", id, strings.TrimSpace(exit.Err.Error()))
		}
		return nil, err
	}
	defer api.Close()
	answer, err := api.Recovery.GetRun(ctx, &v1.GetRunRequest{WorkspaceId: api.WorkspaceID, RunId: id})
	if err != nil {
		return nil, err
	}
	if answer.GetRun().GetEvidence() == nil {
		return nil, cli.Failf(cli.NotFound, "run %s has no evidence of a failure", id)
	}
	return answer.GetRun().GetEvidence(), nil
}
