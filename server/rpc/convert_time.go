package rpc

import (
	"math"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// timestamp sends an instant; the zero instant is absent.
func timestamp(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

// instant reads an instant in UTC; an absent or impossible one is zero.
func instant(t *timestamppb.Timestamp) time.Time {
	if !t.IsValid() {
		return time.Time{}
	}
	return t.AsTime()
}

// duration sends a duration; zero is absent.
func duration(d time.Duration) *durationpb.Duration {
	if d == 0 {
		return nil
	}
	return durationpb.New(d)
}

// span reads a duration; an absent or impossible one is zero.
func span(d *durationpb.Duration) time.Duration {
	if !d.IsValid() {
		return 0
	}
	return d.AsDuration()
}

// count sends a count; the wire has 32 bits.
func count(n int) int32 {
	return int32(min(max(n, math.MinInt32), math.MaxInt32))
}
