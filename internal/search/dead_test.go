package search_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// heir decides 1 at once if it is a, and tells the others in the next round. Who has heard of
// nothing by round 4 decides 2.
type heir struct {
	self  string
	heard bool
}

func (h *heir) Send(s *system.Step) {
	switch {
	case h.self == "a" && s.Round() == 1, h.heard && s.Round() == 4:
		s.Fact("decided", 1)
	case h.self == "a" && s.Round() == 2:
		s.Broadcast(1)
	case h.self != "a" && s.Round() == 4:
		s.Fact("decided", 2)
	}
}

func (h *heir) Receive(_ *system.Step, m []system.Message) { h.heard = h.heard || len(m) > 0 }
func (h *heir) Restart(*system.Step)                       { h.heard = true }

// decided are the values of a recording that processes decided, but for those that excused
// tells.
func disagree(excused func(e *recording.Execution, process string) bool) func(e *recording.Execution) []result.Violation {
	return func(e *recording.Execution) (all []result.Violation) {
		values := map[int64]bool{}
		for _, f := range e.Facts {
			if f.Relation == "decided" && !excused(e, f.Args[0].Text()) {
				values[f.Args[1].Int()] = true
			}
		}
		if len(values) > 1 {
			all = append(all, result.Violation{Text: "they disagree"})
		}
		return all
	}
}

// Two processes disagree, and one of them is dead: whether that counts is for the property
// to say, and the reason says so where it does not.
func TestFactsOfTheDead(t *testing.T) {
	nobody := func(*recording.Execution, string) bool { return false }
	crashed := func(e *recording.Execution, process string) bool {
		return strings.Contains(e.Schedule.String(), "crash "+process)
	}
	counts := property.Agreement("decided")
	counts.CrashedCounts = true
	const text = `violation(P, Q) :- decided(P, V, _), decided(Q, W, _), V < W`
	const dead = "decided(a, 1)@1 is a fact of a, which has crashed (crash a@2): "
	for name, test := range map[string]struct {
		property property.Property
		faults   string
		says     string
	}{
		"rules":                   {property.Agreement("decided"), "crash a@2", dead},
		"rules of one's own":      {rules.New("own", text+"."), "crash a@2", dead},
		"a function":              {property.Property{Name: "function", Func: disagree(nobody)}, "crash a@2", dead},
		"among others":            {property.Agreement("decided"), "crash a@2; crash c@5", dead},
		"the property excuses it": {rules.New("excused", text+", !crashed(P, _), !crashed(Q, _). violation(P, P) :- decided(P, 2, _)."), "crash a@2", ""},
		"a function excuses it": {property.Property{Name: "function", Func: func(e *recording.Execution) []result.Violation {
			return append(disagree(crashed)(e), result.Violation{Text: "another"})
		}}, "crash a@2", ""},
		"it counts":                {counts, "crash a@2", ""},
		"rules say that it counts": {rules.New("own", "# ldfi: crashed=counts\n"+text+"."), "crash a@2", ""},
		"nobody is dead":           {property.Agreement("decided"), "isolate a@2", ""},
		"others disagree as well":  {property.Agreement("decided"), "isolate b@2; crash a@3", ""},
		"it lived when violated":   {property.Agreement("decided"), "isolate a@2; crash a@5", ""},
		"it is back":               {property.Agreement("decided"), "crash a@2; restart a@6", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &system.System{Name: "heirs", Processes: []string{"a", "b", "c"}, Rounds: 6, Properties: []property.Property{test.property},
				New: func(name string, _ *rand.Rand) system.Process { return &heir{self: name} }}
			target, err := search.NewTarget(s, nil)
			require.NoError(t, err)
			schedule, err := rounds.ParseSchedule(test.faults)
			require.NoError(t, err)
			r, err := target.Replay(t.Context(), schedule, 6)
			require.NoError(t, err)
			require.NotEmpty(t, r.Left)
			because, err := target.Because(t.Context(), nil, r.Execution, r.Left[0], 6)
			require.NoError(t, err)
			var says []string
			for _, line := range because {
				if strings.Contains(line, "has crashed") {
					says = append(says, line)
				}
			}
			if test.says == "" {
				require.Empty(t, says)
				return
			}
			require.Len(t, says, 1)
			require.Equal(t, because[len(because)-1], says[0])
			require.Contains(t, says[0], test.says)
			require.Contains(t, says[0], "crashed=counts")
		})
	}
}

// Before anything is executed it can be said of rules that they take facts of the dead for
// those of others.
func TestDeadCount(t *testing.T) {
	const text = `violation(P, Q) :- decided(P, V, _), decided(Q, W, _), V < W`
	counts := property.Agreement("decided")
	counts.CrashedCounts = true
	for name, test := range map[string]struct {
		properties []property.Property
		bounds     rounds.Bounds
		says       string
	}{
		"rules":                    {[]property.Property{property.Agreement("decided"), counts}, rounds.Bounds{Crashes: 1}, `the rules of "agreement on decided" never look at crashes`},
		"two of them":              {[]property.Property{property.Agreement("decided"), rules.New("own", text+".")}, rounds.Bounds{Crashes: 1}, `the rules of "agreement on decided" and "own" never`},
		"nobody crashes":           {[]property.Property{property.Agreement("decided")}, rounds.Bounds{Isolations: 1}, ""},
		"nobody can crash":         {[]property.Property{property.Agreement("decided")}, rounds.Bounds{Crashes: 1, NeverCrash: []string{"a", "b"}}, ""},
		"it counts":                {[]property.Property{counts}, rounds.Bounds{Crashes: 1}, ""},
		"rules say that it counts": {[]property.Property{rules.New("own", "# ldfi: crashed=counts\n"+text+".")}, rounds.Bounds{Crashes: 1}, ""},
		"they look at crashes":     {[]property.Property{rules.New("own", text+", !crashed(P, _).")}, rounds.Bounds{Crashes: 1}, ""},
		"a relation between":       {[]property.Property{rules.New("own", "dead(P) :- crashed(P, _). "+text+", !dead(P).")}, rounds.Bounds{Crashes: 1}, ""},
		"messages and requests":    {[]property.Property{rules.New("own", "violation(I) :- request(_, I, _, _), !reply(_, I, _, _), lost(_, _, _, _, _).")}, rounds.Bounds{Crashes: 1}, ""},
		"what happens":             {[]property.Property{rules.New("own", "pre(P) :- decided(P, _, _). post(P) :- decided(P, 2, _).")}, rounds.Bounds{Crashes: 1}, ""},
		"a function":               {[]property.Property{{Name: "function", Func: disagree(nil)}}, rounds.Bounds{Crashes: 1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			target := search.Target{Properties: test.properties}
			target.Name, test.bounds.Processes = "heirs", []string{"a", "b"}
			warnings, err := target.DeadCount(test.bounds)
			require.NoError(t, err)
			if test.says == "" {
				require.Empty(t, warnings)
				return
			}
			require.Len(t, warnings, 1)
			require.Contains(t, warnings[0].String(), "heirs: warning: "+test.says)
			require.Contains(t, warnings[0].String(), "crashed=counts")
		})
	}
}

// What is no answer is refused, with its place.
func TestCrashedCountsOrNothing(t *testing.T) {
	_, err := property.Compile(rules.New("own", "violation(P) :- process(P).\n  # ldfi: crashed=maybe\n"))
	require.EqualError(t, err, "own:2:3: crashed=maybe: after # ldfi: there can only be crashed=counts, which says that facts of crashed processes count")
}
