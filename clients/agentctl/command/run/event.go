package run

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/child"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
)

// eventTimeout bounds what --on-event may take; the run waits for it, so that
// the last event is not lost when agentctl ends.
const eventTimeout = 10 * time.Second

// events are the notices that --on-event hears of.
var events = map[supervisor.NoticeKind]string{
	supervisor.NoticeStopped:   "stop",
	supervisor.NoticeParked:    "park",
	supervisor.NoticeWaiting:   "wait",
	supervisor.NoticeLaunching: "resume",
	supervisor.NoticeSucceeded: "success",
	supervisor.NoticeCancelled: "cancel",
}

// Event is what --on-event reads.
type Event struct {
	Event    string     `json:"event"` // stop, park, wait, resume, success or cancel
	WakeupID string     `json:"wakeup_id"`
	Agent    string     `json:"agent,omitempty"`
	Run      int        `json:"run,omitempty"` // from 1
	Code     string     `json:"code,omitempty"`
	Class    string     `json:"class,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	RetryAt  *time.Time `json:"retry_at,omitempty"`
	Source   string     `json:"source,omitempty"` // who said so
}

// event runs the command of --on-event. What it prints goes to standard error;
// that it fails is told and changes nothing.
func (s *status) event(n supervisor.Notice) {
	name, heard := events[n.Kind]
	if !heard || s.onEvent == "" {
		return
	}
	text, err := json.Marshal(s.eventOf(name, n))
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.eventLimit)
	defer cancel()
	hook := exec.CommandContext(ctx, "sh", "-c", s.onEvent)
	hook.Dir, hook.Env = s.inv.Dir, append(child.Scrub(s.inv.Environ), "AGENTCTL_EVENT="+name, "AGENTCTL_WAKEUP="+n.WakeupID)
	hook.Stdin, hook.Stdout, hook.Stderr = bytes.NewReader(append(text, '\n')), s.inv.Err, s.inv.Err
	// What the shell started is ended with it, else it would outlive the limit.
	hook.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	hook.Cancel = func() error { return syscall.Kill(-hook.Process.Pid, syscall.SIGKILL) }
	hook.WaitDelay = time.Second
	if err := hook.Run(); err != nil {
		s.say(fmt.Sprintf("the command of --on-event failed at %q: %v", name, err))
	}
}

func (s *status) eventOf(name string, n supervisor.Notice) Event {
	e := Event{Event: name, WakeupID: n.WakeupID, Agent: s.plan.Kind, Run: n.Run}
	if n.Verdict.Decision == nil {
		return e
	}
	decision := wire.DecisionBack(n.Verdict.Decision)
	e.Code, e.Class = string(wire.CodeWord(n.Verdict.Classification.GetCode())), string(wire.ClassWord(n.Verdict.Classification.GetClass()))
	e.Reason, e.Source = string(decision.Reason), decision.Receipt.Source
	if at := decision.RetryAt; !at.IsZero() {
		e.RetryAt = &at
	}
	return e
}
