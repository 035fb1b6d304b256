package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Patience is how long a worker can give no sign of life before its units are given to
// others.
const Patience = 6 * time.Second

const limitHeader = "Ldfi-Limit" // how long the unit may take

// Hand hands out a unit, and does not wait until the server has it: that is told to the
// handlers that the store was opened with. Whoever hands out what is there already gets an
// error that [There] knows.
func (s *Store) Hand(p Place, text []byte, limit time.Duration) error {
	msg := &nats.Msg{Subject: p.subject(), Data: text}
	if limit > 0 {
		msg.Header = nats.Header{limitHeader: {strconv.FormatInt(int64(limit), 10)}}
	}
	_, err := s.js.PublishMsgAsync(msg)
	return err
}

// Handed is the place of a unit that was handed out, by the message of a handler.
func Handed(m *nats.Msg) (Place, bool) { return placeAt(m.Subject) }

// TakeOut takes out a unit that is not needed any more.
func (s *Store) TakeOut(ctx context.Context, sequence uint64) error {
	err := s.units.DeleteMsg(ctx, sequence)
	if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) { // somebody has done it
		return nil
	}
	return err
}

// Clear takes out all units of a job.
func (s *Store) Clear(ctx context.Context, job string) error {
	return s.units.Purge(ctx, jetstream.WithPurgeSubject(unitSubject+"*.*."+job+".*"))
}

// Waiting is how many units nobody has done yet.
func (s *Store) Waiting(ctx context.Context) (uint64, error) {
	info, err := s.units.Info(ctx)
	if err != nil {
		return 0, err
	}
	return info.State.Msgs, nil
}

// Queue is where units come from that one kind of workers can do.
func (s *Store) Queue(ctx context.Context, build, on string) (jetstream.Consumer, error) {
	return s.units.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable:       Token(build) + "-" + platform(on),
		FilterSubject: unitSubject + Token(build) + "." + platform(on) + ".>",
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       Patience, MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 1 << 16,
		InactiveThreshold: keepUnits,
	})
}

// Taken is a unit that a worker has taken.
type Taken struct {
	Place
	Unit     *work.Unit
	Limit    time.Duration
	Sequence uint64 // of the message
	msg      jetstream.Msg
}

// Take reads a unit. It has an error if the message is none: others can write whatever
// they want into the stream.
func Take(m jetstream.Msg) (*Taken, error) {
	t := &Taken{msg: m, Unit: new(work.Unit)}
	var ok bool
	if t.Place, ok = placeAt(m.Subject()); !ok {
		return t, fmt.Errorf("a unit at %q, where none belongs", m.Subject())
	}
	meta, err := m.Metadata()
	if err != nil {
		return t, err
	}
	t.Sequence = meta.Sequence.Stream
	if err := json.Unmarshal(m.Data(), t.Unit); err != nil {
		return t, fmt.Errorf("a unit that cannot be read: %w", err)
	}
	if err := t.Unit.Check(); err != nil {
		return t, err
	}
	if t.Place != PlaceOf(t.Unit, t.Unit.Address(), t.Job) {
		return t, errors.New("a unit with the address of another one")
	}
	if text := m.Headers().Get(limitHeader); text != "" {
		limit, err := strconv.ParseInt(text, 10, 64)
		if err != nil || limit < 0 {
			return t, fmt.Errorf("a unit with the limit %q, which is none", text)
		}
		t.Limit = time.Duration(limit)
	}
	return t, nil
}

// Keep says that the unit is still being done.
func (t *Taken) Keep() error { return t.msg.InProgress() }

// Finish takes the unit out: it is done, or nobody needs it.
func (t *Taken) Finish() error { return t.msg.Ack() }

// GiveBack gives the unit to somebody else, after a while.
func (t *Taken) GiveBack(after time.Duration) error { return t.msg.NakWithDelay(after) }

// There tells whether a unit is not handed out because it is there already.
func There(err error) bool {
	return strings.Contains(apiText(err), "maximum messages per subject")
}

// Full tells whether the store has no room.
func Full(err error) bool {
	switch apiCode(err) {
	case 10002, 10023, 10028, 10047: // resources of the account, of the server, memory, disk
		return true
	}
	text := apiText(err)
	return strings.Contains(text, "maximum bytes") || strings.Contains(text, "maximum messages exceeded") || strings.Contains(text, "no space left")
}

// TooLarge tells whether the server takes nothing that large.
func TooLarge(err error) bool {
	return errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, jetstream.ErrStreamMessageExceedsMaximum) || errors.Is(err, jetstream.ErrMaxBytesExceeded)
}

func apiText(err error) string {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.Description
	}
	return ""
}

func apiCode(err error) jetstream.ErrorCode {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.ErrorCode
	}
	return 0
}
