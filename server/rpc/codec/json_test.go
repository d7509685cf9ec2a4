package codec

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func TestTheJSONFormIsStableAndCompact(t *testing.T) {
	t.Parallel()
	message := &recoursev1.ListWakeupsResponse{Wakeups: []*recoursev1.Wakeup{{
		WakeupId: "w", Generation: 1 << 60, DueAt: timestamppb.New(timestamppb.New(timestamppb.Now().AsTime()).AsTime()),
	}}}
	first, err := Marshal(message)
	require.NoError(t, err)
	for range 50 {
		again, err := Marshal(message)
		require.NoError(t, err)
		require.Equal(t, string(first), string(again))
	}
	text := string(first)
	require.NotContains(t, text, `": `)
	require.NotContains(t, text, `, "`)
	require.Contains(t, text, `"generation":"1152921504606846976"`, "64 bits survive a reader that has doubles")
	require.Contains(t, text, `"status":"WAKEUP_STATUS_UNSPECIFIED"`, "a zero value is shown")
	require.Contains(t, text, `"errorMessage":""`)
	require.NotContains(t, text, `"endedAt"`, "an absent instant is absent")
	require.Contains(t, text, `"nextPageToken":""`)
}

func TestUnmarshalIsStrict(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		`{}`: true, ` {"pageSize":1} `: true, `{"page_size":1}`: true,
		``: false, `[]`: false, `null`: false, `{}{}`: false, `{"pagesize":1}`: false, `{"pageSize":1.5}`: false,
		`{"pageSize":1,"page_size":2}`: false, `{"pageSize":99999999999}`: false, `{"statuses":["NO"]}`: false,
	} {
		require.Equal(t, ok, Unmarshal([]byte(text), &recoursev1.ListWakeupsRequest{}) == nil, text)
	}
}

func TestTheCodecOfConnect(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, JSON{}.MarshalWrite(t.Context(), &out, &recoursev1.GetCallerRequest{}))
	require.Equal(t, "{}", out.String())
	require.Error(t, JSON{}.MarshalWrite(t.Context(), &out, "text"))
	require.Error(t, JSON{}.UnmarshalRead(t.Context(), strings.NewReader("{}"), new(string)))
	require.ErrorContains(t, JSON{}.UnmarshalRead(t.Context(), strings.NewReader(""), &recoursev1.GetCallerRequest{}), "send {}")
	require.NoError(t, JSON{}.UnmarshalRead(t.Context(), strings.NewReader("{}"), &recoursev1.GetCallerRequest{}))
}

// Whatever is read can be written, and reads the same again.
func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"envelope":{"agentKind":"claude","signals":[{"stdout":{"text":"x"}},{"processExit":{"exitCode":1}}]},"retriesUsed":2}`))
	f.Add([]byte(`{"envelope":{"observedAt":"2026-01-01T00:00:00Z","signals":[{"http":{"headers":{"a":"b"}}}]}}`))
	f.Add([]byte(strings.Repeat(`{"envelope":`, 50)))
	f.Fuzz(func(t *testing.T, text []byte) {
		message := &recoursev1.DecideRequest{}
		if Unmarshal(text, message) != nil {
			return
		}
		again, err := Marshal(message)
		if err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		back := &recoursev1.DecideRequest{}
		if err := Unmarshal(again, back); err != nil || !proto.Equal(message, back) {
			t.Errorf("%s comes back as %v, %v", again, back, err)
		}
	})
}
