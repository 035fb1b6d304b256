package ldfi_test

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// executed is the executions of one program within its bounds, by the executor alone.
type executed struct {
	oracle.Case
}

func (x executed) run(ctx context.Context, s rounds.Schedule, relations ...string) (*recording.Execution, error) {
	b := provenance.Covering(x.Program, x.Bounds, s)
	b.At = ""
	m, err := lockstep.Compile(x.Program, b, lockstep.Options{Only: relations})
	if err != nil {
		return nil, err
	}
	return m.Execute(ctx, s)
}

// undoing leaves out the faults of a cut.
func undoing(s, faults rounds.Schedule) rounds.Schedule {
	for _, f := range faults.Faults {
		s = without(s, f)
	}
	return s
}

func holds(e *recording.Execution, f recording.Fact) bool {
	return slices.ContainsFunc(e.Facts, func(g recording.Fact) bool { return g.Compare(f) == 0 })
}

// arrivals returns in which round each message of an execution arrives first, those that
// are lost long after the end.
func arrivals(e *recording.Execution) map[string]int {
	const never = 1 << 20
	all := map[string]int{}
	for _, m := range e.Messages {
		at := cmp.Or(m.Arrival, m.Round)
		if m.Lost {
			at = never
		}
		name := fmt.Sprintf("%s %s>%s@%d", m.Relation, m.From, m.To, m.Round)
		all[name] = min(cmp.Or(all[name], never), at)
	}
	return all
}

// checkCut executes what a cut says: without its fault the outcome is otherwise, and the
// messages arrive that the fault loses. It returns whether the loss of just these does what
// the fault does, as far as that can be said with omissions.
func (x executed) checkCut(ctx context.Context, c result.Counterexample, cut result.Cut) (instead string, err error) {
	relation := cut.Fact.Relation
	bad, err := x.run(ctx, c.Schedule, relation)
	if err != nil {
		return "", err
	}
	rest := undoing(c.Schedule, cut.Fault)
	good, err := x.run(ctx, rest, relation)
	if err != nil {
		return "", err
	}
	if holds(good, cut.Fact) != cut.Missing || holds(bad, cut.Fact) == cut.Missing {
		return "", fmt.Errorf("without it %s holds: %t, with it: %t", cut.Fact, holds(good, cut.Fact), holds(bad, cut.Fact))
	}
	if len(cut.Messages)+len(cut.Effects) == 0 {
		return "", fmt.Errorf("it does nothing")
	}
	with, without := arrivals(bad), arrivals(good)
	omitted := rest
	for _, m := range cut.Messages {
		if without[m] == 0 || without[m] > x.Bounds.EOT || with[m] != 0 && with[m] <= without[m] {
			return "", fmt.Errorf("%s arrives without it in round %d, with it: %d", m, without[m], with[m])
		}
		_, link, _ := strings.Cut(m, " ")
		o, err := rounds.ParseSchedule("omit " + link)
		if err != nil {
			return "lost to its sender", nil
		}
		if !slices.Contains(omitted.Faults, o.Faults[0]) {
			omitted.Faults = append(slices.Clip(omitted.Faults), o.Faults[0])
		}
	}
	if len(cut.Effects) > 0 {
		return "with other effects", nil
	}
	alike, err := x.run(ctx, omitted.Normal(), relation)
	if err != nil {
		return "assumed to arrive", nil
	}
	if holds(alike, cut.Fact) == cut.Missing {
		return "more than these messages", nil
	}
	return "just these messages", nil
}

// What each fault of a set cuts is what executions show.
func TestCuts(t *testing.T) {
	campaign.Run(t, 300, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(100_000)) > 0 {
			return "too many schedules", nil
		}
		r, err := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: 4, Bare: true}).Hypotheses(ctx, nil, nil)
		if err != nil || r.Limit != nil {
			return "no answer", nil
		}
		instead := "no sets"
		for _, set := range r.Counterexamples {
			for _, cut := range set.Cuts {
				if instead, err = (executed{c}).checkCut(ctx, set, cut); err != nil {
					return "", fmt.Errorf("%s: %s: %w", set.Schedule, cut, err)
				}
			}
		}
		return instead, nil
	})
}

// And so it is for all protocols; to lose just these messages nearly always does what the
// fault does.
func TestCutsOfProtocols(t *testing.T) {
	outcomes := map[string]int{}
	for _, c := range oracle.Quick(t) {
		r, err := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: 5, Bare: true}).Hypotheses(t.Context(), nil, nil)
		require.NoError(t, err)
		for _, set := range r.Counterexamples {
			require.Empty(t, set.Because)
			for _, f := range set.Schedule.Faults {
				named := func(cut result.Cut) bool { return slices.Contains(cut.Fault.Faults, f) }
				require.True(t, f.Kind == rounds.Choose || slices.ContainsFunc(set.Cuts, named), "%s: %s: nothing is said of %s", c.Name, set.Schedule, f)
			}
			for _, cut := range set.Cuts {
				instead, err := executed{c}.checkCut(t.Context(), set, cut)
				require.NoError(t, err, "%s: %s: %s", c.Name, set.Schedule, cut)
				outcomes[instead]++
			}
		}
	}
	t.Log(outcomes)
	require.Greater(t, outcomes["just these messages"], 50)
	// Without them others are sent, that the fault loses too.
	require.Less(t, outcomes["more than these messages"], outcomes["just these messages"]/5)
}
