package search

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Beyond returns the target without the known violations: violations of the same properties
// or, for a panic and an exit, with the same cause. It judges whole executions, and
// strategies that look into processes are refused.
func (t *Target) Beyond(known []result.Violation) *Target {
	if len(known) == 0 {
		return t
	}
	beyond := *t
	beyond.past, beyond.ended = known, new(atomic.Int64)
	beyond.Open = func(eot int, record bool) (Executor, error) {
		x, err := t.Open(eot, record)
		return &passing{x, known, beyond.ended}, err
	}
	return &beyond
}

// Passed adds the known violations to an answer. If nothing else was found, and executions
// only reached a known end of a process, no other property judged them: then the answer
// decides nothing.
func (t *Target) Passed(a *result.Answer) {
	a.Search.Known = propertiesOf(t.past)
	if t.ended == nil || t.ended.Load() == 0 || a.First() != nil {
		return
	}
	names := propertiesOf(slices.DeleteFunc(slices.Clone(t.past), func(v result.Violation) bool { return !ends(v) }))
	leave(a, fmt.Sprintf("%s of %s ended with a known violation (%s), before other properties could be judged",
		text.Number(big.NewInt(t.ended.Load()), 9), text.Plural(a.Stats.Executions, "execution"), text.List(names, "and")),
		"fix the known violation", "leave out the faults that lead to it")
}

// Something describes the goal of a search in words.
func (t *Target) Something() string {
	if len(t.past) > 0 {
		return "a property, apart from known violations"
	}
	return "a property"
}

// Known tells whether v is Alike to one of the known violations.
func Known(v result.Violation, known []result.Violation) bool {
	return slices.ContainsFunc(known, func(w result.Violation) bool {
		if len(v.Stack) > 0 && len(w.Stack) > 0 || v.Property != NoPanic && v.Property != NoExit {
			return Alike(v, w)
		}
		return v.Property == w.Property && cause(v) == cause(w)
	})
}

// EndsHost tells whether v is the end of a whole host, or a host that does not answer:
// such an execution has no recording.
func EndsHost(v result.Violation) bool {
	return v.Fact.Relation != Died && (v.Property == NoHang || v.Property == NoExit)
}

// Exits tells whether a counterexample is an exit of its program by a process. Faults that
// disturb the set-up of servers cause exits, and an exit says nothing about the other
// properties.
func Exits(c *result.Counterexample) bool {
	return c != nil && c.Violations[0].Property == NoExit
}

// EachExtent calls execute for each number of rounds, and calls goOn with the violations,
// until goOn returns false. An execution in which a process or its host ends is an
// *ExecutionError: its violations before that count all the same.
func EachExtent(ctx context.Context, s rounds.Schedule, extents []int, execute func(n int) ([]result.Violation, error), goOn func(n int, violations []result.Violation) bool) error {
	for _, n := range extents {
		Spend(ctx, n)
		violations, err := execute(n)
		if err == nil && len(violations) == 1 && ends(violations[0]) {
			err = &ExecutionError{Schedule: s, Err: errors.New(violations[0].Text)}
		}
		if err != nil || !goOn(n, violations) {
			return err
		}
	}
	return nil
}

// ends tells whether an execution that violates this is judged by no other property.
func ends(v result.Violation) bool {
	return slices.Contains([]string{NoPanic, NoExit, NoHang}, v.Property)
}

// mostExits limits the ends of programs, at different places, that a search ignores.
const mostExits = 3

// PastExits continues a search that found exits of programs. It calls again to search with
// the exits as known violations. Counterexamples that again finds are added to the answer;
// otherwise the answer tells what was searched.
func PastExits(a *result.Answer, known []result.Violation, again func(known []result.Violation) (*result.Answer, error)) {
	for last := a.First(); Exits(last) && a.Search != nil; last = &a.Counterexamples[len(a.Counterexamples)-1] {
		n := len(a.Counterexamples)
		known = append(slices.Clip(known), last.Violations...)
		if n > mostExits {
			a.Search.Past = append(a.Search.Past, fmt.Sprintf("the search stopped after %d ends of programs", n))
			return
		}
		b, err := again(known)
		if err == nil {
			Behind(a, b)
		} else {
			a.Search.Past = append(a.Search.Past, fmt.Sprintf("%s: the search beyond it failed: %v", NoExit, err))
		}
		if len(a.Counterexamples) == n {
			return
		}
	}
}

// Behind adds to the answer a the counterexamples of past, a search that ignored those of
// a, or a note of what that search looked at.
func Behind(a, past *result.Answer) {
	what := a.Counterexamples[len(a.Counterexamples)-1].Violations[0].Property
	if first := past.First(); first != nil {
		a.Search.Past = append(a.Search.Past, fmt.Sprintf("%s: %s beyond it found %s", what, text.Plural(past.Stats.Executions, "execution"), first.Violations[0].Property))
		a.Counterexamples = append(a.Counterexamples, past.Counterexamples...)
		return
	}
	looked := string(past.Verdict)
	if past.Search != nil {
		looked = past.Summary()
	} else if past.Limit != nil {
		looked += ": " + past.Limit.Reason
	}
	a.Search.Past = append(a.Search.Past, fmt.Sprintf("%s: nothing else was found beyond it: %s", what, looked))
	if past.Search != nil {
		a.Search.Past = append(a.Search.Past, past.Search.Past...)
	}
}

// propertiesOf are the properties that are violated, each once.
func propertiesOf(known []result.Violation) []string {
	var names []string
	for _, v := range known {
		if !slices.Contains(names, v.Property) {
			names = append(names, v.Property)
		}
	}
	return names
}

// cause returns the output of a process that panicked or ended its program.
func cause(v result.Violation) string {
	if len(v.Fact.Args) < 2 {
		return v.Text
	}
	return v.Fact.Args[1].Text()
}

// unknown returns the violations that are not known.
func unknown(all, known []result.Violation) []result.Violation {
	return slices.DeleteFunc(slices.Clone(all), func(v result.Violation) bool { return Known(v, known) })
}

// passing is an executor that does not report known violations.
type passing struct {
	Executor
	known []result.Violation
	ended *atomic.Int64 // executions in which a process ended so, and nothing else was judged
}

func (p *passing) Execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	e, violations, err := p.Executor.Execute(ctx, s)
	left := unknown(violations, p.known)
	if len(left) == 0 && slices.ContainsFunc(violations, ends) {
		p.ended.Add(1)
	}
	return e, left, err
}

func (p *passing) Extents(ctx context.Context, s rounds.Schedule, extents []int, goOn func(n int, violations []result.Violation) bool) error {
	return p.Executor.Extents(ctx, s, extents, func(n int, violations []result.Violation) bool { return goOn(n, unknown(violations, p.known)) })
}
