package members

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
)

// The rest of what a coordinator and workers say to each other at once. None of it is
// needed to come to the result: it makes that faster.
const (
	begunSubject  = "ldfi.begun." // JOB: a worker has begun a unit
	cancelSubject = "ldfi.cancel" // units are not needed any more
	handSubject   = "ldfi.hand."  // JOB: a worker has what the store has no room for
)

// Begun says that a worker has begun a unit.
type Begun struct {
	ID       string `json:"id"` // of the worker
	Name     string `json:"name"`
	Address  string `json:"address"`
	Sequence uint64 `json:"sequence"`
}

// SayBegun tells the coordinator of a job that a unit was begun.
func SayBegun(nc *nats.Conn, job string, b Begun) error { return say(nc, begunSubject+job, b) }

// HearBegun calls begun for each unit of a job that somebody begins.
func HearBegun(nc *nats.Conn, job string, begun func(Begun)) error {
	return hear(nc, begunSubject+job, begun)
}

// Cancel is which unit is not needed any more.
type Cancel struct {
	Job      string `json:"job"`
	Sequence uint64 `json:"sequence"`
}

// SayCancel tells all workers that a unit is not needed any more.
func SayCancel(nc *nats.Conn, c Cancel) error { return say(nc, cancelSubject, c) }

// HearCancel calls cancel for each unit that is not needed any more.
func HearCancel(nc *nats.Conn, cancel func(Cancel)) error { return hear(nc, cancelSubject, cancel) }

// Hand gives something to the coordinator of a job, past the store.
func Hand(nc *nats.Conn, job string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = nc.Request(handSubject+job, text, 5*time.Second)
	return err
}

// Take calls take with what workers hand to the coordinator of a job.
func Take[T any](nc *nats.Conn, job string, take func(T)) error {
	_, err := nc.Subscribe(handSubject+job, func(m *nats.Msg) {
		var v T
		if json.Unmarshal(m.Data, &v) == nil {
			take(v)
			_ = m.Respond(nil)
		}
	})
	return err
}

func say(nc *nats.Conn, subject string, v any) error {
	text, err := json.Marshal(v)
	return errors.Join(err, nc.Publish(subject, text))
}

func hear[T any](nc *nats.Conn, subject string, got func(T)) error {
	_, err := nc.Subscribe(subject, func(m *nats.Msg) {
		var v T
		if json.Unmarshal(m.Data, &v) == nil {
			got(v)
		}
	})
	return err
}
