package explore

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Look is what happens under the current schedule, as the circuit has it: at once, and
// nothing is executed. It is nil for a system, and as long as the circuit does not know
// the schedule.
func (e *Exploration) Look() *result.Injection { return e.trials.Predict(e.now.schedule) }

// Prepare makes Look know a schedule. It may take its time, and be called beside
// everything else. An error says why there is nothing to look at but executions.
func (e *Exploration) Prepare(ctx context.Context, s rounds.Schedule) error {
	return e.trials.Prepare(ctx, s)
}

// Execute executes a schedule. It may be called beside everything else.
func (e *Exploration) Execute(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	return e.trials.Execute(ctx, s)
}

// Confirmed tells whether nothing remains to be confirmed of what Execute returned.
func (e *Exploration) Confirmed(in *result.Injection) bool { return e.trials.Confirmed(in) }

// Confirm executes once more what is broken of a system. An error says that something
// else happens then. It may be called beside everything else.
func (e *Exploration) Confirm(ctx context.Context, in *result.Injection) (*result.Injection, error) {
	return e.trials.Confirm(ctx, in)
}

// Disagreement returns an internal error if an execution is not what the circuit says.
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
