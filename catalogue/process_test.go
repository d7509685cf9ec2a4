package catalogue_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
)

// invented makes an envelope of pieces of failures that belong to nothing, the
// same one for the same state of rnd.
func invented(rnd *rand.Rand, said []string) evidence.Envelope {
	pick := func(from ...string) string { return from[rnd.IntN(len(from))] }
	e := evidence.Envelope{
		AgentKind: pick("claude", "codex", "gemini", "opencode", "unknown", ""), Provider: pick("anthropic", "openai", "google", ""),
		Phase: evidence.Phase(pick("", "launch", "pre_output", "post_output")), HostZone: pick("", "Europe/Berlin", "America/New_York"),
		ObservedAt: time.Unix(1_780_000_000+rnd.Int64N(40_000_000), 0).UTC(),
	}
	kinds := []evidence.Kind{
		evidence.KindHTTP, evidence.KindACPError, evidence.KindACPUpdate, evidence.KindACPResult, evidence.KindStderr,
		evidence.KindStdout, evidence.KindResultEvent, evidence.KindProcessExit,
	}
	for range 1 + rnd.IntN(6) {
		code := rnd.IntN(3)
		s := evidence.Signal{
			Kind: kinds[rnd.IntN(len(kinds))], Text: said[rnd.IntN(len(said))], Status: []int{0, 401, 403, 429, 500, 529}[rnd.IntN(6)],
			Event: pick("", "result", "turn.failed", "end_turn", "agent_message_chunk"), ExitCode: &code, Prose: rnd.IntN(4) == 0, InFlight: rnd.IntN(5) == 0,
			Headers: map[string]string{"retry-after": pick("7", "soon", "-1"), "x-ratelimit-reset": pick("1780000100", "6m0s"), "date": "Mon, 01 Jun 2026 12:00:00 GMT"},
		}
		if rnd.IntN(2) == 0 {
			s.Text += "\n" + said[rnd.IntN(len(said))]
		}
		e.Signals = append(e.Signals, s)
	}
	return e
}

// digestOfAnswers is one hash over the answers, explanations included, to a share
// of the cases and to inventions, both chosen by the seed, by the embedded rules and by an
// overlay that is compiled anew.
func digestOfAnswers(tb testing.TB, seed uint64) string {
	tb.Helper()
	const inventions, share = 60, 6
	over, err := catalogue.Overlaid(folder(tb, map[string]string{"own.yaml": overlayRule}))
	if err != nil {
		tb.Fatal(err)
	}
	var all []evidence.Envelope
	place := seed % share
	eachCase(tb, func(k corpus.Case) {
		if place++; place%share == 0 {
			all = append(all, k.Envelope())
		}
	})
	rnd, said := rand.New(rand.NewPCG(seed, 1)), phrases(tb)
	for range inventions {
		all = append(all, invented(rnd, said))
	}
	sum := sha256.New()
	for _, c := range []*classification.Classifier{classifier(tb), over.Classifier} {
		for _, e := range all {
			data, err := json.Marshal(c.Classify(e, classification.Options{Explain: true}))
			if err != nil {
				tb.Fatal(err)
			}
			sum.Write(data)
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// seedVariable makes the test binary print its digest for a seed and leave.
const seedVariable = "CATALOGUE_ANSWERS_OF_SEED"

// The same evidence, catalogue and time give the same bytes in every process,
// whatever its map order, number of processors, zone, zone files and locale.
// Each run tries another seed; a failure names it.
func TestAnswersAreTheSameInEveryProcess(t *testing.T) {
	if given := os.Getenv(seedVariable); given != "" {
		seed, err := strconv.ParseUint(given, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("answers", digestOfAnswers(t, seed))
		return
	}
	t.Parallel()
	seed := rand.Uint64()
	want := digestOfAnswers(t, seed)
	if want == digestOfAnswers(t, seed+1) {
		t.Fatal("another seed gives the same answers: nothing is compared")
	}
	for _, env := range [][]string{
		{"TZ=UTC", "GOMAXPROCS=1"},
		{"TZ=Asia/Kolkata", "ZONEINFO=/nonexistent", "LC_ALL=tr_TR.UTF-8", "GOGC=10"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestAnswersAreTheSameInEveryProcess$", "-test.v")
		cmd.Env = append(append(os.Environ(), seedVariable+"="+strconv.FormatUint(seed, 10)), env...)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "answers "+want) {
			t.Errorf("seed %d with %v: %v, want %s in\n%.400s", seed, env, err, want, out)
		}
	}
}
