package answerset

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
	text := p.Text + ":- not broken.\n"
	for _, f := range s.Faults {
		if !slices.Contains(p.Units, f) {
			return false, fmt.Errorf("%s is not within the bounds", f)
		}
	}
	for n, f := range p.Units {
		if slices.Contains(s.Faults, f) {
			text += fmt.Sprintf(":- not on(%d).\n", n)
		} else {
			text += fmt.Sprintf(":- on(%d).\n", n)
		}
	}
	_, ok, err := Solve(ctx, text)
	return ok, err
}
