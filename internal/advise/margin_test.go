package advise

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// asked is a protocol.
type asked struct{ bounds rounds.Bounds }

func (a asked) Bounds() rounds.Bounds { return a.bounds }

func (a asked) Possible(b rounds.Bounds) error {
	if b.Restarts > 0 && !b.CrashStop {
		return errors.New("mute")
	}
	return errors.Join(b.Validate(), b.CheckProgram())
}

var threeMargins = []string{"a", "b", "c"}

// Of each kind there is one more fault, if there are further schedules with it.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name   string
		bounds rounds.Bounds
		want   string
	}{
		{"nothing", rounds.Bounds{EOT: 3}, "crashes=1, omissions=1, isolations=1, partitions=1, cuts=1, delays=1, duplicates=1, eot=4"},
		{"all that is lost one by one", rounds.Bounds{EOT: 6, EFF: 3, Omissions: rounds.Unlimited, Crashes: 1}, "crashes=2, delays=1, duplicates=1, eff=4, eot=7 eff=4"},
		{"only at the beginning of a phase", rounds.Bounds{EOT: 4, Period: 2, At: "phase"}, "crashes=1, isolations=1, partitions=1, cuts=1, eot=6"},
		{"all crash", rounds.Bounds{EOT: 2, Crashes: 3, Omissions: rounds.Unlimited, CrashStop: true, Delays: rounds.Unlimited, Duplicates: rounds.Unlimited}, "restarts=1, eot=3"},
		{"nobody crashes", rounds.Bounds{EOT: 2, NeverCrash: threeMargins, Omissions: 2, Isolations: rounds.Unlimited, Partitions: rounds.Unlimited, Cuts: rounds.Unlimited, Delays: rounds.Unlimited, Duplicates: rounds.Unlimited}, "omissions=3, eot=3"},
		{"phases", rounds.Bounds{EOT: 8, EFF: 5, Period: 4, Isolations: 1}, "crashes=1, omissions=1, isolations=2, partitions=1, cuts=1, delays=1, duplicates=1, eff=9, eot=12 eff=9"},
		{"losses to the end", rounds.Bounds{EOT: 2, EFF: 3, NeverCrash: threeMargins, Omissions: 1, Isolations: -1, Partitions: -1, Cuts: -1, Delays: -1, Duplicates: -1}, "omissions=2, eot=3 eff=4"},
	} {
		c.bounds.Processes = threeMargins
		var names []string
		for _, s := range steps(asked{bounds: c.bounds.Normal()}) {
			names = append(names, s.name)
		}
		require.Equal(t, c.want, strings.Join(names, ", "), c.name)
	}
}

// Whatever a question ends with is told, and the next one is asked.
func TestFind(t *testing.T) {
	omit, err := rounds.ParseSchedule("omit a>b@1")
	require.NoError(t, err)
	bounds := rounds.Bounds{Processes: threeMargins, EOT: 2, Omissions: rounds.Unlimited}.Normal()
	var doing []string
	m := Margin(t.Context(), asked{bounds}, func(_ context.Context, b rounds.Bounds) (*result.Answer, error) {
		switch {
		case b.Crashes == 1:
			return &result.Answer{Verdict: result.Violated, Counterexamples: []result.Counterexample{{Schedule: omit}}}, nil
		case b.Delays == 1:
			return &result.Answer{Verdict: result.Inconclusive, Limit: &result.Limit{Reason: "too much"}}, nil
		case b.Duplicates == 1:
			return nil, errors.New("no meaning")
		}
		return &result.Answer{Verdict: result.Holds, Vacuity: "nothing happens"}, nil
	}, func(text string) { doing = append(doing, text) })
	require.Equal(t, &result.Margin{Questions: []result.Beyond{
		{Bounds: "crashes=1", Verdict: result.Violated, Schedule: omit},
		{Bounds: "delays=1", Verdict: result.Inconclusive, Reason: "too much"},
		{Bounds: "duplicates=1", Verdict: result.Inconclusive, Reason: "no meaning"},
		{Bounds: "eot=3", Verdict: result.Holds, Reason: "the promise is vacuous there: nothing happens"},
	}}, m)
	require.Equal(t, []string{"margin, crashes=1", "margin, delays=1", "margin, duplicates=1", "margin, eot=3"}, doing)
}
