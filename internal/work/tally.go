package work

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/text"
)

// tally is who has done how many units.
type tally struct {
	mutex   sync.Mutex
	ordered bool           // some unit was
	units   map[string]int // that were done, by worker
	before  map[string]int // that were known, by the worker who had done them
	here    map[string]int // that were not handed out, by the reason
	failed  []Failed

	answers   map[string]int // that whoever does the unit again comes to, by worker
	rechecked int
}

// Failed is a unit that nobody could do.
type Failed struct {
	Unit   *Unit
	Result *Result
}

func newTally() *tally {
	return &tally{units: map[string]int{}, before: map[string]int{}, here: map[string]int{}, answers: map[string]int{}}
}

// order takes note of a unit that is handed out.
func (t *tally) order() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.ordered = true
}

// did takes note of a result, which somebody has come to just now, or before.
func (t *tally) did(u *Unit, r *Result, before bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if r.SetAside() != "" {
		t.failed = append(t.failed, Failed{u, r})
		return
	}
	if before {
		t.before[r.Worker]++
	} else {
		t.units[r.Worker]++
	}
	if answers(r) {
		t.answers[r.Worker]++
	}
}

// kept takes note of a unit that was not handed out.
func (t *tally) kept(why string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.here[why]++
}

// again takes note of an answer that was rechecked, and is true.
func (t *tally) again() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.rechecked++
}

// answers tells whether whoever does the unit again comes to the same.
func answers(r *Result) bool { return r.Final && r.Failure == "" }

// believed is how many answers of the worker were believed, beside this one.
func (t *tally) believed(r *Result) int {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	n := t.answers[r.Worker]
	if answers(r) {
		n--
	}
	return n
}

// String says who has computed what, the most busy first.
func (t *tally) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var parts []string
	for _, worker := range busiest(t.units) {
		parts = append(parts, fmt.Sprintf("%s (%s)", worker, text.Plural(t.units[worker], "unit")))
	}
	for _, worker := range busiest(t.before) {
		parts = append(parts, fmt.Sprintf("%s (%s, kept from before)", worker, text.Plural(t.before[worker], "unit")))
	}
	for _, why := range busiest(t.here) {
		parts = append(parts, fmt.Sprintf("here (%d: %s)", t.here[why], why))
	}
	switch {
	case len(parts) > 0:
	case t.ordered:
		parts = []string{"nobody"}
	default:
		parts = []string{"here: nothing was handed out"}
	}
	s := strings.Join(parts, ", ")
	all := 0
	for _, n := range t.answers {
		all += n
	}
	if all > 0 {
		s += fmt.Sprintf("; %d of %s rechecked", t.rechecked, text.Plural(all, "answer"))
	}
	return s
}

// busiest returns the keys, the largest count first.
func busiest(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
}

// Name is what the unit is called.
func (f Failed) Name() string { return unitName(f.Unit) }
