package wire

import (
	"google.golang.org/protobuf/proto"

	"github.com/recourse-dev/recourse/core/evidence"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// batchBytes is how much one call carries: half of what a server takes unless
// it was told otherwise. batchSize is how many envelopes any call may carry.
const (
	batchBytes = 512 << 10
	batchSize  = 1000
)

// Batch gathers envelopes into as few calls as it takes, in their order.
type Batch struct {
	Send func([]*v1.EvidenceEnvelope) error

	held []*v1.EvidenceEnvelope
	size int
}

// Add takes an envelope, and sends what is held if that has no room for it.
func (b *Batch) Add(e evidence.Envelope) error {
	envelope := Envelope(e)
	own := proto.Size(envelope)
	if b.size+own > batchBytes || len(b.held) == batchSize {
		if err := b.Flush(); err != nil {
			return err
		}
	}
	b.held, b.size = append(b.held, envelope), b.size+own
	return nil
}

// Flush sends what is held; nothing is sent if that is nothing.
func (b *Batch) Flush() error {
	if len(b.held) == 0 {
		return nil
	}
	held := b.held
	b.held, b.size = nil, 0
	return b.Send(held)
}
