package ldfi_test

import (
	"context"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

var campaign = oracle.NewCampaign()

// TestExhaustive compares verdicts with the execution of every schedule, for
// random programs. For small scopes the complete list of minimal fault sets has
// to be the same.
func TestExhaustive(t *testing.T) {
	campaign.Run(t, 200, func(ctx context.Context, c oracle.Case) (string, error) {
		return agreeWithEnumeration(ctx, c.Program, c.Bounds, c.Goals, 2000)
	})
}

// TestExhaustiveHypotheses compares the fault sets under random assumptions with
// the execution of every schedule.
func TestExhaustiveHypotheses(t *testing.T) {
	campaign.Run(t, 200, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(2000)) > 0 {
			return "too many schedules", nil
		}
		a := newAssumptions(c)
		want, err := enumerate(ctx, c.Program, c.Bounds, c.Goals, a.meet)
		r, gotErr := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: everySet}).Hypotheses(ctx, a.require, a.forbid)
		if outcome, err := sameError(err, gotErr); outcome != "" || err != nil {
			return outcome, err
		}
		got := findings(r)
		slices.Sort(got)
		if slices.Sort(want.minimal); !slices.Equal(want.minimal, got) {
			return "", fmt.Errorf("require %q, forbid %q: the minimal sets are %q; executed: %q", a.require, a.forbid, got, want.minimal)
		}
		if err := want.sizes(r); err != nil {
			return "", fmt.Errorf("require %q, forbid %q: %w", a.require, a.forbid, err)
		}
		if (r.Conflict != nil) != (len(got) == 0) {
			return "", fmt.Errorf("require %q, forbid %q: %d sets, conflict %v", a.require, a.forbid, len(got), r.Conflict)
		}
		if r.Conflict != nil {
			if err := checkConflict(ctx, c, r.Conflict); err != nil {
				return "", fmt.Errorf("require %q, forbid %q: %w", a.require, a.forbid, err)
			}
		}
		return fmt.Sprintf("with sets: %t", len(got) > 0), nil
	})
}

// checkConflict executes every schedule: with the assumptions of a conflict alone nothing
// breaks the promise, and without any one of them something does.
func checkConflict(ctx context.Context, c oracle.Case, conflict *result.Conflict) error {
	breaks := func(require, forbid []string) (bool, error) {
		a, err := assuming(c, require, forbid)
		if err != nil {
			return false, err
		}
		found, err := enumerate(ctx, c.Program, c.Bounds, c.Goals, a.meet)
		return len(found.sets) > 0, err
	}
	if some, err := breaks(conflict.Require, conflict.Forbid); some || err != nil {
		return fmt.Errorf("%v is no conflict: %v", conflict, err)
	}
	for i := range conflict.Require {
		if some, err := breaks(slices.Delete(slices.Clone(conflict.Require), i, i+1), conflict.Forbid); !some || err != nil {
			return fmt.Errorf("of %v %q is not needed: %v", conflict, conflict.Require[i], err)
		}
	}
	for i := range conflict.Forbid {
		if some, err := breaks(conflict.Require, slices.Delete(slices.Clone(conflict.Forbid), i, i+1)); !some || err != nil {
			return fmt.Errorf("of %v %q is not needed: %v", conflict, conflict.Forbid[i], err)
		}
	}
	return nil
}

// assumptions are random ones.
type assumptions struct {
	require, forbid   []string
	required, forbade []rounds.Pattern
	bounds            rounds.Bounds
}

func newAssumptions(c oracle.Case) *assumptions {
	a := &assumptions{bounds: c.Bounds}
	random := rand.New(rand.NewPCG(c.Seed, 0))
	u := schedules.New(c.Bounds)
	for range random.IntN(3) {
		if u.Len() == 0 {
			break
		}
		unit := random.IntN(u.Len())
		if !u.Alive(unit) {
			continue // it would strike somebody before he joins
		}
		f := u.Fault(unit)
		p := rounds.Pattern{Kind: f.Kind, Process: f.Process, To: f.To}
		switch relation, _, _ := strings.Cut(f.Detail, "("); {
		case f.Kind == rounds.Partition:
			p.Sides = f.Detail
		case f.Kind == rounds.Choose && random.IntN(2) == 0:
			p.Fact = relation
		case f.Kind == rounds.Choose:
			p.Fact = f.Detail
		}
		if random.IntN(2) == 0 {
			p.From, p.Until = f.Round, f.Round
		}
		if all := random.IntN(3) == 0; all && f.Kind == rounds.Partition {
			p.Sides = "*"
		} else if all && f.Kind == rounds.Choose {
			p.Fact = "*"
		} else if all {
			p.Process = "*"
		}
		if random.IntN(2) == 0 {
			a.require, a.required = append(a.require, p.String()), append(a.required, p)
		} else {
			a.forbid, a.forbade = append(a.forbid, p.String()), append(a.forbade, p)
		}
	}
	return a
}

// assuming returns assumptions by their texts.
func assuming(c oracle.Case, require, forbid []string) (*assumptions, error) {
	a := &assumptions{require: require, forbid: forbid, bounds: c.Bounds}
	for _, text := range require {
		p, err := rounds.ParsePattern(text)
		if err != nil {
			return nil, err
		}
		a.required = append(a.required, p)
	}
	for _, text := range forbid {
		p, err := rounds.ParsePattern(text)
		if err != nil {
			return nil, err
		}
		a.forbade = append(a.forbade, p)
	}
	return a, nil
}

func (a *assumptions) meet(s rounds.Schedule) bool {
	if len(a.bounds.Choose) > 0 {
		e, err := schedules.NewEnvironment(a.bounds, s)
		if err != nil {
			return false
		}
		s.Faults = slices.Concat(s.Faults, e.Chosen())
	}
	there := func(p rounds.Pattern) bool {
		return slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return p.Matches(f, a.bounds.Processes) })
	}
	missing := func(p rounds.Pattern) bool { return !there(p) }
	return !slices.ContainsFunc(a.required, missing) && !slices.ContainsFunc(a.forbade, there)
}

// TestExhaustiveProtocols compares verdicts for every protocol, within those of
// some smaller bounds that have few enough schedules.
func TestExhaustiveProtocols(t *testing.T) {
	most := int64(1000)
	if flag.Lookup("long").Value.String() != "0" {
		most = mostSchedules
	}
	for _, c := range oracle.Quick(t) {
		for _, b := range smallBounds(c.Bounds, most) {
			outcome, err := agreeWithEnumeration(t.Context(), c.Program, b, c.Goals, 2000)
			require.NoError(t, err, "%s: %s", c.Name, b)
			t.Logf("%s: %s: %s", c.Name, b, outcome)
		}
	}
}

// smallBounds returns variants of bounds with at most so many schedules: of
// each kind of faults, as many faults as that allows.
func smallBounds(b rounds.Bounds, most int64) []rounds.Bounds {
	few := func(b rounds.Bounds) bool { return schedules.Count(b).Cmp(big.NewInt(most)) <= 0 }
	if few(b) {
		return []rounds.Bounds{b}
	}
	var all []rounds.Bounds
	for _, kinds := range [][3]int{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}} {
		for n := 3; n > 0; n-- {
			small := b
			small.Crashes, small.Omissions, small.Isolations = n*kinds[0], n*kinds[1], n*kinds[2]
			if kinds[1]+kinds[2] == 0 {
				small.EFF = 0 // which would allow any omissions
			}
			if few(small) {
				all = append(all, small)
				break
			}
		}
	}
	return all
}

// TestDeterminism checks that the same question gets the same report, byte for
// byte.
func TestDeterminism(t *testing.T) {
	for _, c := range oracle.Quick(t) {
		var first string
		for range 2 {
			r, err := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: 3}).Check(t.Context())
			require.NoError(t, err, c.Name)
			text := timeless(t, r)
			if first == "" {
				first = text
			}
			require.Equal(t, first, text, c.Name)
		}
	}
}
