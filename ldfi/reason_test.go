package ldfi_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// The reason of a counterexample names the messages that its faults lose, and no others:
// each fault of the set is named and no other, what is told to be lost is lost by the
// fault that is named, by the rules of faults, and was sent and lost in the execution, and
// what an omission loses there is told.
func TestReasonsNameWhatIsLost(t *testing.T) {
	var told claims
	for _, e := range oracle.QuickExpected(t, filepath.Join("..", "testdata", "protocols", "expected.txt")) {
		if !e.Violated {
			continue
		}
		t.Run(e.Line, func(t *testing.T) {
			p, b, goals, err := e.Load()
			require.NoError(t, err)
			a, err := model(t, p, b, ldfi.Options{Goals: goals}).Check(t.Context())
			require.NoError(t, err)
			require.NoError(t, told.check(a.First()))
		})
	}
	require.Greater(t, told.sets, 30)
	require.Greater(t, told.faults, 60)
	require.Greater(t, told.losses, 60)
	require.Greater(t, told.recorded, 30)
}

// Nor do those of random programs say what is not so.
func TestReasonsOfRandomPrograms(t *testing.T) {
	campaign.Run(t, 300, func(ctx context.Context, c oracle.Case) (string, error) {
		a, err := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: 3}).Check(ctx)
		if err != nil {
			return "", nil
		}
		for _, found := range a.Counterexamples {
			if err := new(claims).check(&found); err != nil {
				return "", fmt.Errorf("%w:\n%s", err, strings.Join(found.Because, "\n"))
			}
		}
		return string(a.Verdict), nil
	})
}

// claims counts what reasons said.
type claims struct{ sets, faults, losses, recorded int }

var (
	faultInText = regexp.MustCompile(`\(((?:crash|isolate|omit|restart|partition|cut|delay|duplicate) [^()]+)\)`)
	didNotCome  = regexp.MustCompile(`^(?:.* needs )?(\w+\(.*?\))(?:@[\d.]+)?(?:, which| would .*, but| rules out .*, and)? did not come by (\S+?)>(\S+) in rounds? (\d+)(?:\.\.(\d+))?: (.*)$`)
	lossInText  = regexp.MustCompile(`^(?:lost in rounds? (\d+)(?:\.\.(\d+))?|\S+ is silent from round (\d+) on|\S+ is down in rounds? (\d+)(?:\.\.(\d+))?|late, only in round \d+) \(([^()]+)\)$`)
	open        = regexp.MustCompile(`\b(?:_|[A-Z]\w*)\b`)
	besidesLost = regexp.MustCompile(`what (\S+) sends (\S+) in rounds? (\d+)(?:\.\.(\d+))?(?: \(([^()]*)\))? is lost \(([^()]+)\)`)
)

// loss is that a message is told to be lost in some rounds.
type loss struct {
	what        []string // relations, or facts as they are shown, with _ or a variable for any value
	from, to    string
	first, last int
	fault       rounds.Fault
}

// check reports what a reason leaves out, or says that is not so.
func (n *claims) check(c *result.Counterexample) error {
	if c.Because == nil {
		return fmt.Errorf("%q has no reason", c.Schedule)
	}
	n.sets++
	text := strings.Join(c.Because, "\n")
	for _, m := range faultInText.FindAllStringSubmatch(text, -1) {
		s, err := rounds.ParseSchedule(m[1])
		if err != nil {
			return err
		}
		if !slices.Contains(c.Schedule.Faults, s.Faults[0]) {
			return fmt.Errorf("%q is named, and is none of %q", m[1], c.Schedule)
		}
	}
	losses, err := lossesIn(c.Because)
	if err != nil {
		return err
	}
	env, err := schedules.NewEnvironment(c.Execution.Bounds, c.Schedule)
	if err != nil {
		return err
	}
	for _, l := range losses {
		if err := n.isLost(c.Execution, env, l); err != nil {
			return err
		}
	}
	for _, f := range c.Schedule.Faults {
		if err := n.isTold(c, f, losses, text); err != nil {
			return err
		}
	}
	return nil
}

// lossesIn reads what a reason tells to be lost.
func lossesIn(lines []string) (all []loss, err error) {
	for _, line := range lines {
		if !didNotCome.MatchString(line) {
			if strings.Contains(line, "did not come by") {
				return nil, fmt.Errorf("%q is not understood", line)
			}
			for _, m := range besidesLost.FindAllStringSubmatch(line, -1) {
				l := loss{what: strings.Split(m[5], ", "), from: m[1], to: m[2], first: number(m[3]), last: max(number(m[3]), number(m[4]))}
				if all, err = l.by(all, m[6]); err != nil {
					return nil, err
				}
			}
			continue
		}
		m := didNotCome.FindStringSubmatch(line)
		for _, text := range strings.Split(m[6], "), ") {
			text = strings.TrimSuffix(text, ")") + ")"
			part := lossInText.FindStringSubmatch(text)
			if part == nil {
				return nil, fmt.Errorf("%q of %q is not understood", text, line)
			}
			l := loss{what: []string{m[1]}, from: m[2], to: m[3], first: number(m[4]), last: max(number(m[4]), number(m[5]))}
			switch {
			case part[1] != "":
				l.first, l.last = number(part[1]), max(number(part[1]), number(part[2]))
			case part[3] != "":
				l.first = max(l.first, number(part[3]))
			case part[4] != "":
				l.first, l.last = number(part[4]), max(number(part[4]), number(part[5]))
			}
			if all, err = l.by(all, part[6]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// by appends a loss by a fault.
func (l loss) by(all []loss, fault string) ([]loss, error) {
	s, err := rounds.ParseSchedule(fault)
	if err != nil {
		return nil, err
	}
	l.fault = s.Faults[0]
	return append(all, l), nil
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// isLost reports that a loss is none: by the fault, or in the execution.
func (n *claims) isLost(e *recording.Execution, env *schedules.Environment, l loss) error {
	if l.fault.Kind == rounds.Delay {
		return nil
	}
	n.losses++
	processes := e.Bounds.Processes
	for round := l.first; round <= l.last; round++ {
		from := slices.Index(processes, l.from)
		if !env.Loses(l.fault, from, slices.Index(processes, l.to), round) {
			return fmt.Errorf("%s does not lose what %s sends %s in round %d", l.fault, l.from, l.to, round)
		}
		lost := slices.ContainsFunc(e.Messages, func(m recording.Message) bool { return m.Round == round && m.Lost && l.covers(m, processes) })
		if lost {
			n.recorded++
		} else if !e.Bounds.CrashStop || !env.Down(from, round) { // who has stopped sends nothing
			return fmt.Errorf("%s is told to lose %q from %s to %s in round %d, and was not sent", l.fault, l.what, l.from, l.to, round)
		}
	}
	return nil
}

// covers tells whether a message is one of those that are told to be lost.
func (l loss) covers(m recording.Message, processes []string) bool {
	if m.From != l.from || m.To != l.to || m.Round < l.first || l.last < m.Round {
		return false
	}
	fact := recording.Display(recording.Fact{Relation: m.Relation, Args: m.Args}, processes)
	return slices.ContainsFunc(l.what, func(what string) bool {
		pattern := open.ReplaceAllLiteralString(regexp.QuoteMeta(what), ".*")
		return what == m.Relation || regexp.MustCompile("^"+pattern+"$").MatchString(fact)
	})
}

// isTold reports that nothing is said of a fault, or not of a message that an omission
// loses.
func (n *claims) isTold(c *result.Counterexample, f rounds.Fault, losses []loss, text string) error {
	n.faults++
	if f.Kind == rounds.Choose {
		bare := strings.TrimPrefix(f.String(), "choose ")
		for _, name := range c.Execution.Bounds.Processes {
			bare = strings.ReplaceAll(bare, strconv.Quote(name), name)
		}
		if !strings.Contains(text, bare) {
			return fmt.Errorf("%s is not named", f)
		}
		return nil
	}
	if !strings.Contains(text, "("+f.String()+")") {
		return fmt.Errorf("%s is not named", f)
	}
	if f.Kind != rounds.Omit {
		return nil
	}
	told := slices.ContainsFunc(c.Execution.Messages, func(m recording.Message) bool {
		return m.Lost && slices.ContainsFunc(losses, func(l loss) bool { return l.fault == f && l.covers(m, c.Execution.Bounds.Processes) })
	})
	if !told {
		return fmt.Errorf("no message is named that %s loses", f)
	}
	return nil
}
