package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// PutResult keeps a result.
func (s *Store) PutResult(ctx context.Context, p Place, r *work.Result) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = s.js.PublishMsg(ctx, packed(p.resultKey(r), text), jetstream.WithRetryAttempts(0))
	return err
}

// Final returns the final result of a unit, whoever has asked for it, or nil.
func (s *Store) Final(ctx context.Context, build, address string) (*work.Result, error) {
	request, err := json.Marshal(map[string]string{"last_by_subj": resultSubject + "final." + build + "." + address + ".>"})
	if err != nil {
		return nil, err
	}
	msg, err := s.nc.RequestWithContext(ctx, "$JS.API.DIRECT.GET."+resultsStream, request)
	if err != nil {
		return nil, err
	}
	if msg.Header.Get("Status") != "" { // 404
		return nil, nil
	}
	r := readResult(msg.Header, msg.Data, address)
	if r == nil || !r.Final {
		return nil, nil // whoever wrote that is not believed
	}
	return r, nil
}

// Finals are the addresses of all units of a build of which there is a final result.
func (s *Store) Finals(ctx context.Context, build string) (map[string]bool, error) {
	info, err := s.results.Info(ctx, jetstream.WithSubjectFilter(resultSubject+"final."+build+".>"))
	if err != nil {
		return nil, err
	}
	all := make(map[string]bool, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		if address, _, ok := resultAt(subject); ok {
			all[address] = true
		}
	}
	return all, nil
}

// Results calls got with the results for a job, as they come. Result is nil if what came is
// none.
func (s *Store) Results(ctx context.Context, job string, got func(address string, r *work.Result)) error {
	return s.follow(ctx, resultsStream, resultSubject+"*.*.*."+job+".*", func(m jetstream.Msg) {
		address, worker, ok := resultAt(m.Subject())
		if !ok {
			return
		}
		r := readResult(m.Headers(), m.Data(), address)
		if r != nil && Token(r.Worker) != worker {
			r = nil
		}
		got(address, r)
	})
}

// readResult reads the result of a unit. It is nil if it is none.
func readResult(header nats.Header, data []byte, address string) *work.Result {
	r := new(work.Result)
	text, err := unpacked(header, data)
	if err != nil || json.Unmarshal(text, r) != nil || !Meant(r, address) {
		return nil
	}
	return r
}

// Meant tells whether a result is one, of this unit.
func Meant(r *work.Result, address string) bool {
	return r.Address == address && (len(r.Answer) > 0 || r.Failure != "")
}

// follow calls got with what comes in a stream at a subject, until the context ends. It goes
// on after interruptions where it was.
func (s *Store) follow(ctx context.Context, stream, subject string, got func(jetstream.Msg)) error {
	return s.attend(ctx, stream, func() (stop func(), err error) {
		consumer, err := s.js.OrderedConsumer(ctx, stream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{subject}, InactiveThreshold: time.Minute})
		if err != nil {
			return nil, err
		}
		following, err := consumer.Consume(got, jetstream.PullExpiry(5*time.Second), jetstream.PullHeartbeat(time.Second))
		if err != nil {
			return nil, err
		}
		return following.Stop, nil
	})
}

// Unreachable tells whether an error only says that the server is gone for a while.
func Unreachable(err error) bool {
	for _, one := range []error{
		nats.ErrNoResponders, nats.ErrTimeout, nats.ErrConnectionClosed, nats.ErrConnectionReconnecting, nats.ErrDisconnected, nats.ErrReconnectBufExceeded,
		jetstream.ErrNoStreamResponse, jetstream.ErrAsyncPublishTimeout, context.DeadlineExceeded,
	} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}
