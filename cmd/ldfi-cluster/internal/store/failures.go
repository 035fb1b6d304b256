package store

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Failure is a try of a unit that came to nothing.
type Failure struct {
	Address string    `json:"address"` // of the unit
	Kind    work.Kind `json:"kind"`
	Worker  string    `json:"worker"`            // who tried
	Time    time.Time `json:"time"`              // when it came to nothing
	Reason  string    `json:"reason"`            // why
	Log     string    `json:"log,omitempty"`     // the end of what was written to standard error
	Refused bool      `json:"refused,omitempty"` // no worker can do it: who asks may
}

// PutFailure keeps a failure.
func (s *Store) PutFailure(ctx context.Context, job string, f *Failure) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	_, err = s.js.Publish(ctx, failureSubject+job+"."+f.Address+"."+nuid.Next(), text, jetstream.WithRetryAttempts(0))
	return err
}

// Failures calls got with the failures of a job, as they come.
func (s *Store) Failures(ctx context.Context, job string, got func(*Failure)) error {
	return s.follow(ctx, failuresStream, failureSubject+job+".>", func(m jetstream.Msg) {
		if f := ReadFailure(m.Data()); f != nil && strings.HasPrefix(m.Subject(), failureSubject+job+"."+f.Address+".") {
			got(f)
		}
	})
}

// The largest part of a failure that is read, in bytes.
const (
	mostReason = 4 << 10
	mostLog    = 64 << 10
)

// ReadFailure reads a failure. It is nil if it is none.
func ReadFailure(text []byte) *Failure {
	f := new(Failure)
	if json.Unmarshal(text, f) != nil || f.Reason == "" {
		return nil
	}
	f.Reason = f.Reason[:min(len(f.Reason), mostReason)]
	f.Log = f.Log[max(0, len(f.Log)-mostLog):]
	return f
}

// Recent are the last failures, the newest first.
func (s *Store) Recent(ctx context.Context, most int) ([]Failure, error) {
	info, err := s.failures.Info(ctx)
	if err != nil {
		return nil, err
	}
	all := []Failure{}
	for at := info.State.LastSeq; at >= info.State.FirstSeq && at > 0 && len(all) < most; at-- {
		m, err := s.failures.GetMsg(ctx, at)
		if err != nil {
			continue // it has expired
		}
		if f := ReadFailure(m.Data); f != nil {
			all = append(all, *f)
		}
	}
	return all, nil
}

// Given is what a worker gives to the coordinator past the store, which has no room for it:
// one of the two.
type Given struct {
	Result  *work.Result `json:"result,omitempty"`
	Failure *Failure     `json:"failure,omitempty"`
}
