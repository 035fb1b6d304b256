package subject

import (
	"context"

	"github.com/lineage-driven/ldfi/ldfi"
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
	// an order; of a system those that held in some execution.
	Possible() []recording.Fact
	// Execute executes a schedule once, or not at all if what happens is known.
	Execute(ctx context.Context, s rounds.Schedule) (*result.Injection, error)
	// Confirmed tells whether an execution need not be confirmed.
	Confirmed(in *result.Injection) bool
	// Confirm executes once more what Execute found broken. An error says that something
	// else happens then.
	Confirm(ctx context.Context, in *result.Injection) (*result.Injection, error)
}

// Trials returns what tries schedules of a protocol, or of a system.
func (o *Opened) Trials(ctx context.Context) (Trials, error) {
	h, ok := o.asked.(*hosted)
	if ok {
		return newReplays(o, h), nil
	}
	t, err := o.Model().Trials(ctx)
	if err != nil {
		return nil, err
	}
	return circuits{t}, nil
}

// circuits are the trials of a protocol: an execution of it is always the same.
type circuits struct{ *ldfi.Trials }

func (circuits) Confirmed(*result.Injection) bool { return true }

func (circuits) Confirm(_ context.Context, in *result.Injection) (*result.Injection, error) {
	return in, nil
}
