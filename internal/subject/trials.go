package subject

import (
	"context"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Trials try one schedule after the other, at as little cost as there can be. Several
// goroutines can ask at once.
type Trials interface {
	// Prepare makes Predict know a schedule, and others with faults of the same kinds. An
	// error says that there are no predictions, and why.
	Prepare(ctx context.Context, s rounds.Schedule) error
	// Predict says without executing anything what happens under a schedule, nil if that
	// is not known.
	Predict(s rounds.Schedule) *result.Injection
	// Possible returns the facts that can hold under schedules that Predict knows, without
	// an order; none if that is not known.
	Possible() []recording.Fact
	// Execute executes a schedule.
	Execute(ctx context.Context, s rounds.Schedule) (*result.Injection, error)
}

// Trials returns what tries schedules of a protocol, or of a system.
func (o *Opened) Trials(ctx context.Context) (Trials, error) {
	if m := o.Model(); m != nil {
		return m.Trials(ctx)
	}
	return replays{o}, nil
}

// replays are the trials of a system, of which nothing is known without executing it.
type replays struct{ *Opened }

func (r replays) Prepare(context.Context, rounds.Schedule) error { return nil }
func (r replays) Predict(rounds.Schedule) *result.Injection      { return nil }
func (r replays) Possible() []recording.Fact                     { return nil }
func (r replays) Execute(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	return r.Replay(ctx, s)
}
