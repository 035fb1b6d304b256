package explore

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Look returns the outcome of the current schedule by the circuit: at once, and without
// executing it. It is nil for a system, and as long as the circuit does not know the
// schedule.
func (e *Exploration) Look() *result.Injection { return e.trials.Predict(e.now.schedule) }

// Prepare makes Look know a schedule. It may take long, and be called at the same time as
// everything else. The error says why Look cannot know it.
func (e *Exploration) Prepare(ctx context.Context, s rounds.Schedule) error {
	return e.trials.Prepare(ctx, s)
}

// Execute executes a schedule. It may be called beside everything else.
func (e *Exploration) Execute(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	return e.trials.Execute(ctx, s)
}

// Confirmed tells whether a result of Execute needs no confirmation.
func (e *Exploration) Confirmed(in *result.Injection) bool { return e.trials.Confirmed(in) }

// Confirm executes a broken schedule of a system once more. The error says that the
// executions differ. It may be called at the same time as everything else.
func (e *Exploration) Confirm(ctx context.Context, in *result.Injection) (*result.Injection, error) {
	return e.trials.Confirm(ctx, in)
}

// Disagreement returns an internal error if an execution differs from the prediction of the
// circuit.
func Disagreement(predicted, executed *result.Injection) error {
	if predicted == nil || executed == nil || predicted.Schedule.String() != executed.Schedule.String() {
		return nil
	}
	said, seen := texts(predicted), texts(executed)
	if predicted.Verdict == executed.Verdict && slices.Equal(said, seen) {
		return nil
	}
	return fmt.Errorf("internal error: under the schedule %q the circuit says %s %q, and the execution %s %q: please report this", executed.Schedule, predicted.Verdict, said, executed.Verdict, seen)
}

// texts are the violations of an injection.
func texts(in *result.Injection) []string {
	var all []string
	for _, v := range in.Violations {
		all = append(all, v.String())
	}
	slices.Sort(all)
	return all
}
