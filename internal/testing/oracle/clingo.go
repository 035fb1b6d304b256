package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
)

// Installed tells whether there is a clingo here.
func Installed() bool {
	_, err := exec.LookPath("clingo")
	return err == nil
}

// output is what clingo prints as JSON, as far as it is read.
type output struct {
	Result string
	Call   []struct {
		Witnesses []struct{ Value []string }
	}
}

// Solve returns the units of an answer set, a best one if the program says what is,
// and false if there is none.
func Solve(ctx context.Context, text string, options ...string) (units []int, ok bool, err error) {
	cmd := exec.CommandContext(ctx, "clingo", append([]string{"-", "--outf=2", "--warn=none"}, options...)...)
	cmd.Stdin = strings.NewReader(text)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Run() // its status says what it found
	if ctx.Err() != nil {
		return nil, false, &Unread{"clingo takes too long"}
	}
	if _, what, found := strings.Cut(stderr.String(), "UNREAD: "); found {
		return nil, false, &Unread{strings.TrimSpace(strings.SplitN(what, "\n", 2)[0])}
	}
	var out output
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		return nil, false, fmt.Errorf("clingo: %w\n%s", errors.Join(runErr, err), stderr.String())
	}
	switch out.Result {
	case "UNSATISFIABLE":
		return nil, false, nil
	case "SATISFIABLE", "OPTIMUM FOUND":
		return unitsOf(out)
	}
	return nil, false, fmt.Errorf("clingo: %s\n%s", out.Result, stderr.String())
}

// unitsOf reads the units of the last answer set.
func unitsOf(out output) (units []int, ok bool, err error) {
	found := out.Call[len(out.Call)-1].Witnesses
	for _, value := range found[len(found)-1].Value {
		digits := strings.TrimSuffix(strings.TrimPrefix(value, "on("), ")")
		n, err := strconv.Atoi(digits)
		if err != nil {
			return nil, false, fmt.Errorf("clingo: an answer set has %s", value)
		}
		units = append(units, n)
	}
	slices.Sort(units)
	return units, true, nil
}

// Smallest returns a schedule that breaks the promise with the fewest faults, and of
// those with the fewest choices; false if none does.
func (p *Problem) Smallest(ctx context.Context) (faults rounds.Schedule, ok bool, err error) {
	text := p.Text + ":- not broken.\n"
	text += fmt.Sprintf("#minimize { 1@2,N : on(N), N < %d; 1@1,N : on(N), N >= %d }.\n", p.Faults, p.Faults)
	units, ok, err := Solve(ctx, text, "--opt-strategy=usc")
	for _, n := range units {
		faults.Faults = append(faults.Faults, p.Units[n])
	}
	return faults, ok, err
}

// Undefined tells whether some fact depends on its own absence, in some schedule
// within the bounds.
func (p *Problem) Undefined(ctx context.Context) (bool, error) {
	if !p.Recursive {
		return false, nil
	}
	_, ok, err := Solve(ctx, p.Doubled)
	return ok, err
}

// Breaks tells whether a schedule breaks the promise, within the bounds.
func (p *Problem) Breaks(ctx context.Context, s rounds.Schedule) (bool, error) {
	on, err := p.numbers(s)
	if err != nil {
		return false, err
	}
	text := p.Text + ":- not broken.\n"
	for n := range p.Units {
		if slices.Contains(on, n) {
			text += fmt.Sprintf(":- not on(%d).\n", n)
		} else {
			text += fmt.Sprintf(":- on(%d).\n", n)
		}
	}
	_, ok, err := Solve(ctx, text)
	return ok, err
}

// numbers returns the units of a schedule, sorted.
func (p *Problem) numbers(s rounds.Schedule) (on []int, err error) {
	for _, f := range s.Faults {
		n := slices.Index(p.Units, f)
		if n < 0 {
			return nil, fmt.Errorf("%s is not within the bounds", f)
		}
		on = append(on, n)
	}
	slices.Sort(on)
	return on, nil
}

// Further returns a schedule that breaks the promise and has the faults of none of
// these; with before, only one that comes earlier in the canonical order: it has fewer
// faults, or those whose numbers come first as a list, or the same faults and fewer
// choices, or those that come first.
func (p *Problem) Further(ctx context.Context, found []rounds.Schedule, before *rounds.Schedule) (s rounds.Schedule, ok bool, err error) {
	text := p.Text + ":- not broken.\n"
	for _, f := range found {
		on, err := p.numbers(f)
		if err != nil {
			return s, false, err
		}
		text += ":- " + strings.Join(append([]string{"broken"}, all(p.faultsOf(on))...), ", ") + ".\n"
	}
	if before != nil {
		on, err := p.numbers(*before)
		if err != nil {
			return s, false, err
		}
		text += p.earlier(on)
	}
	units, ok, err := Solve(ctx, text)
	for _, n := range units {
		s.Faults = append(s.Faults, p.Units[n])
	}
	return s, ok, err
}

// faultsOf returns the units that are faults.
func (p *Problem) faultsOf(units []int) []int {
	return slices.DeleteFunc(slices.Clone(units), func(n int) bool { return n >= p.Faults })
}

// all says that units are on.
func all(units []int) (literals []string) {
	for _, n := range units {
		literals = append(literals, fmt.Sprintf("on(%d)", n))
	}
	return literals
}

// earlier asks for units that come before some in the canonical order.
func (p *Problem) earlier(on []int) string {
	faults := p.faultsOf(on)
	text := before("faults", faults, 0, p.Faults) + before("choices", on[len(faults):], p.Faults, len(p.Units))
	return text + "earlier :- faults_before.\nearlier :- faults_same, choices_before.\n:- not earlier.\n"
}

// before says when the units from one number to another come before some in the
// order of size and then of lists, and when they are the same.
func before(name string, on []int, from, to int) string {
	text := fmt.Sprintf("%s_count(N) :- N = #count{ U : on(U), %d <= U, U < %d }.\n", name, from, to)
	text += fmt.Sprintf("%s_before :- %s_count(N), N < %d.\n", name, name, len(on))
	same := []string{fmt.Sprintf("%s_count(%d)", name, len(on))}
	for i, n := range on {
		text += fmt.Sprintf("%s_before :- %s, on(U), %d <= U, U < %d.\n", name, strings.Join(same, ", "), from, n)
		same, from = append(same, all(on[i:i+1])...), n+1
	}
	return text + fmt.Sprintf("%s_same :- %s.\n", name, strings.Join(same, ", "))
}
