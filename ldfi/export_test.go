package ldfi_test

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestFormulaOfRandomPrograms compares the minimal models of the exported formula, found
// by trying every assignment, with the fault sets that Hypotheses lists.
func TestFormulaOfRandomPrograms(t *testing.T) {
	campaign.Run(t, 200, func(ctx context.Context, c oracle.Case) (string, error) {
		return formulaAgrees(ctx, c.Program, c.Bounds, c.Goals)
	})
}

func TestFormulaOfProtocols(t *testing.T) {
	agreed := 0
	for _, c := range oracle.Quick(t) {
		for _, b := range smallBounds(c.Bounds, 300) {
			outcome, err := formulaAgrees(t.Context(), c.Program, b, c.Goals)
			require.NoError(t, err, "%s: %s", c.Name, b)
			if outcome == "with sets" {
				agreed++
			}
		}
	}
	require.Greater(t, agreed, 5)
}

// mostVariables is how many faults a formula has at most all of whose assignments are
// tried.
const mostVariables = 12

func formulaAgrees(ctx context.Context, p *dedalus.Program, b rounds.Bounds, goals string) (string, error) {
	if schedules.New(b).Len() > mostVariables {
		return "too many faults", nil
	}
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals, Max: everySet})
	if err != nil {
		return "", err
	}
	want, err := m.Hypotheses(ctx, nil, nil)
	var text bytes.Buffer
	gotErr := m.Export(ctx, &text, nil, nil)
	if outcome, err := sameError(err, gotErr); outcome != "" || err != nil {
		return outcome, err
	}
	got, err := minimalModels(text.String())
	if err != nil {
		return "", err
	}
	sets := findings(want)
	slices.Sort(sets)
	if slices.Sort(got); !slices.Equal(sets, got) {
		return "", fmt.Errorf("the minimal models of the formula are %q, and the hypotheses %q", got, sets)
	}
	if len(sets) == 0 {
		return "without sets", nil
	}
	return "with sets", nil
}

// minimalModels reads a formula, and returns the fault sets of its minimal models.
func minimalModels(text string) ([]string, error) {
	faults, clauses, variables, err := readDIMACS(text)
	if err != nil {
		return nil, err
	}
	models := map[uint]bool{}
	for set := range uint(1) << len(faults) {
		models[set] = satisfied(clauses, variables, len(faults), set)
	}
	chosen := uint(0) // the variables of choices, which are free
	for i, f := range faults {
		if strings.HasPrefix(f, "choose ") {
			chosen |= 1 << i
		}
	}
	least := map[uint]uint{} // by the faults of minimal models, one with the fewest choices
	for set := range uint(1) << len(faults) {
		if !models[set] {
			continue
		}
		minimal, struck := true, set&^chosen
		for part := range uint(1) << len(faults) {
			minimal = minimal && (part&^chosen == struck || part&struck != part&^chosen || !models[part])
		}
		if best, known := least[struck]; minimal && (!known || bits.OnesCount(set) < bits.OnesCount(best)) {
			least[struck] = set
		}
	}
	var all []string
	for _, set := range least {
		s, err := rounds.ParseSchedule(scheduleOf(faults, set))
		if err != nil {
			return nil, err
		}
		all = append(all, findingOf(s))
	}
	return all, nil
}

func scheduleOf(faults []string, set uint) string {
	var chosen []string
	for ; set != 0; set &= set - 1 {
		chosen = append(chosen, faults[bits.TrailingZeros(set)])
	}
	s, err := rounds.ParseSchedule(strings.Join(chosen, "; "))
	if err != nil {
		return err.Error()
	}
	return s.Normal().String()
}

// readDIMACS reads a formula whose first variables are faults.
func readDIMACS(text string) (faults []string, clauses [][]int, variables int, err error) {
	declared := -1
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if comment, ok := strings.CutPrefix(line, "c "); ok {
			number, name, _ := strings.Cut(comment, " ")
			if n, err := strconv.Atoi(number); err == nil && n == len(faults)+1 {
				faults = append(faults, name)
			}
			continue
		}
		if strings.HasPrefix(line, "p cnf ") {
			if _, err := fmt.Sscanf(line, "p cnf %d %d", &variables, &declared); err != nil {
				return nil, nil, 0, err
			}
			continue
		}
		var clause []int
		for _, word := range strings.Fields(line) {
			l, err := strconv.Atoi(word)
			if err != nil || max(l, -l) > variables {
				return nil, nil, 0, fmt.Errorf("%q is no clause over %d variables", line, variables)
			}
			if l != 0 {
				clause = append(clause, l)
			}
		}
		clauses = append(clauses, clause)
	}
	if len(clauses) != declared {
		return nil, nil, 0, fmt.Errorf("there are %d clauses, and the header says %d", len(clauses), declared)
	}
	return faults, clauses, variables, nil
}

// satisfied tells whether an assignment of the first variables has an extension that
// satisfies all clauses: the others follow by unit propagation.
func satisfied(clauses [][]int, variables, faults int, set uint) bool {
	values := make([]int, variables+1) // 0: not known
	for i := range faults {
		values[i+1] = -1
		if set>>i&1 == 1 {
			values[i+1] = 1
		}
	}
	value := func(l int) int {
		if l < 0 {
			return -values[-l]
		}
		return values[l]
	}
	for changed := true; changed; {
		changed = false
		for _, clause := range clauses {
			open, free, met := 0, 0, false
			for _, l := range clause {
				switch value(l) {
				case 1:
					met = true
				case 0:
					open, free = open+1, l
				}
			}
			if !met && open == 0 {
				return false
			}
			if !met && open == 1 {
				values[max(free, -free)] = 1
				if free < 0 {
					values[-free] = -1
				}
				changed = true
			}
		}
	}
	return !slices.Contains(values[1:], 0)
}

// TestFactsAlone evaluates the exported facts, without the program, under schedules: the
// facts that the promise is about hold exactly where executions have them.
func TestFactsAlone(t *testing.T) {
	agreed := 0
	for _, c := range oracle.Quick(t) {
		for _, stop := range []bool{false, true} {
			b := c.Bounds
			if b.Restarts != 0 {
				continue // of which there are no facts
			}
			b.CrashStop = stop
			if n := compareFactsAlone(t, c, b); n > 0 {
				agreed++
			}
		}
	}
	require.Greater(t, agreed, 15)
}

// compareFactsAlone returns how many facts were compared.
func compareFactsAlone(t *testing.T, c oracle.Case, b rounds.Bounds) int {
	t.Helper()
	m := model(t, c.Program, b, ldfi.Options{Goals: c.Goals, MaxFacts: 1000})
	var text bytes.Buffer
	if err := m.Export(t.Context(), nil, nil, &text); err != nil {
		return 0 // it has no value under some schedule, or is too large
	}
	lineage, err := readLineage(text.String())
	require.NoError(t, err, c.Name)
	if lineage.aggregates || lineage.recursive {
		return 0
	}
	machine, err := lockstep.Compile(c.Program, b, lockstep.Options{Only: []string{"pre", "post", "good", "violation"}})
	require.NoError(t, err)
	u, n := schedules.New(b), 0
	for seed := range uint64(20) {
		s := u.Random(rand.New(rand.NewPCG(seed, 0)))
		run, err := machine.Run(t.Context(), s)
		require.NoError(t, err)
		holds := lineage.under(s)
		for _, root := range lineage.roots {
			require.Equal(t, hasFact(run, root), holds[root], "%s (%s): %s under %q", c.Name, b, root, s)
			n++
		}
	}
	return n
}

// hasFact tells whether an execution has a fact, by its text.
func hasFact(run *lockstep.Run, text string) bool {
	relation, _, _ := strings.Cut(text, "(")
	round, _ := strconv.Atoi(text[strings.LastIndex(text, "@")+1:])
	for _, args := range run.Facts(relation, round) {
		words := make([]string, len(args))
		for i, a := range args {
			words[i] = a.String()
		}
		if fmt.Sprintf("%s(%s)@%d", relation, strings.Join(words, ", "), round) == text {
			return true
		}
	}
	return false
}

// lineage is what an exported file of facts says.
type lineage struct {
	stated     map[string]bool
	madeBy     map[string][]string
	firings    []*exported // in the order of the file: those that a fact needs come before it
	numbers    map[int64]*exported
	roots      []string
	aggregates bool
	recursive  bool
}

// exported is a firing in the file.
type exported struct {
	fact                   string
	needs, needsNo, lostBy []string
}

func readLineage(text string) (*lineage, error) {
	facts, err := datalog.ReadMangle(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	l := &lineage{stated: map[string]bool{}, madeBy: map[string][]string{}, numbers: map[int64]*exported{}}
	for _, f := range facts {
		if f.Relation == "row" {
			l.aggregates = true
		}
		if f.Relation == "fired" {
			firing := &exported{fact: f.Args[1].Text()}
			l.numbers[f.Args[0].Int()] = firing
			l.firings = append(l.firings, firing)
		}
	}
	if l.aggregates {
		return l, nil
	}
	for _, f := range facts {
		switch f.Relation {
		case "stated":
			l.stated[f.Args[0].Text()] = true
		case "root":
			l.roots = append(l.roots, f.Args[0].Text())
		case "made_by":
			l.madeBy[f.Args[0].Text()] = append(l.madeBy[f.Args[0].Text()], f.Args[1].Text())
		case "fired":
		default:
			firing, text := l.numbers[f.Args[0].Int()], f.Args[1].Text()
			list := map[string]*[]string{"needs": &firing.needs, "needs_no": &firing.needsNo, "lost_by": &firing.lostBy}[f.Relation]
			*list = append(*list, text)
		}
	}
	l.recursive = l.cyclic()
	return l, nil
}

// cyclic tells whether some firing needs a fact that only later firings give.
func (l *lineage) cyclic() bool {
	last := map[string]int{}
	for i, f := range l.firings {
		last[f.fact] = i
	}
	for i, f := range l.firings {
		for _, used := range slices.Concat(f.needs, f.needsNo) {
			if at, given := last[used]; given && at >= i {
				return true
			}
		}
	}
	return false
}

// under returns the facts that hold under a schedule.
func (l *lineage) under(s rounds.Schedule) map[string]bool {
	happens := func(fault string) bool {
		return slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.String() == fault })
	}
	holds := map[string]bool{}
	for fact := range l.stated {
		holds[fact] = true
	}
	for fact, faults := range l.madeBy {
		holds[fact] = slices.ContainsFunc(faults, happens)
	}
	for _, f := range l.firings {
		lacks := slices.ContainsFunc(f.needs, func(fact string) bool { return !holds[fact] })
		meets := slices.ContainsFunc(f.needsNo, func(fact string) bool { return holds[fact] })
		if !lacks && !meets && !slices.ContainsFunc(f.lostBy, happens) {
			holds[f.fact] = true
		}
	}
	return holds
}
