package ldfi_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// TestReachable compares promises for any number of rounds with a walk through all states that
// are reached, for random programs. The walk executes schedules from the first round on, and
// shares nothing with the circuit of a step.
func TestReachable(t *testing.T) {
	programs := 240
	if flag.Lookup("all").Value.String() == "true" {
		programs = 1000
	}
	campaign.RunOn(t, finite, programs, reachesTheSame)
}

// finite is a random program that counts no further than 2, that reads no relation of a round that may be
// to come. Its promise is pre and post, or violation where the original breaks its promise, once or for
// the fourth time at most.
func finite(seed uint64) generate.Case {
	r := rand.New(rand.NewPCG(seed, 9))
	original := generate.Random(seed)
	var text strings.Builder
	columns, crashes := 0, r.IntN(4) == 0
	for line := range strings.Lines(original.Text) {
		if !strings.Contains(line, ":-") {
			line = strings.NewReplacer(" goals=witnessed", "", "// ldfi: choices=", "// ").Replace(line)
			if strings.HasPrefix(line, "choose") && r.IntN(2) == 0 {
				line = line[:strings.LastIndex(line, "@")] + "@each;\n"
			}
			text.WriteString(line)
			continue
		}
		head, body, _ := strings.Cut(line, ":-")
		head = regexp.MustCompile(`(\w+) ([+*-]) (\d)`).ReplaceAllString(head, "(($1 $2 $3) % 3)")
		head = regexp.MustCompile(`^(violation|good)\(`).ReplaceAllString(head, "bad(")
		if strings.HasPrefix(head, "post(") {
			columns = strings.Count(head, ",") + 1
		}
		body = regexp.MustCompile(`\)@[2-9]`).ReplaceAllString(body, ")")
		if !crashes {
			body = regexp.MustCompile(`(notin )?crash\((.*?), (.*?), (.*?)\)`).ReplaceAllString(body, "${1}node($2, $3), ${1}num($2, $4)")
		} else if r.IntN(2) == 0 {
			body = regexp.MustCompile(`(crash\(.*?, .*?, )[^)]*\)`).ReplaceAllString(body, "${1}_)")
		}
		text.WriteString(head + ":-" + body)
	}
	if columns > 0 {
		args := strings.Join([]string{"X", "Y", "Z"}[:columns], ", ")
		fmt.Fprintf(&text, "bad(X) :- pre(%s), notin post(%[1]s);\n", args)
	}
	rules := text.String()
	if columns == 0 || r.IntN(3) > 0 {
		rules = regexp.MustCompile(`\b(pre|post)\(`).ReplaceAllString(rules, "${1}sent(") + again(r.IntN(4))
	}
	p, err := dedalus.ParseText(fmt.Sprintf("finite-%d.ded", seed), rules)
	if err != nil {
		return generate.Case{Program: &dedalus.Program{}}
	}
	return generate.Case{Text: rules, Program: p}
}

// again are rules of a violation: what is bad is bad for so many more times than once.
func again(times int) (rules string) {
	violation := "violation(P) :- bad(P)"
	for i := range times {
		if i == 0 {
			rules += "bad1(P)@next :- bad(P);\n"
		} else {
			rules += fmt.Sprintf("bad%d(P)@next :- bad%d(P), bad(P);\n", i+1, i)
		}
		rules += fmt.Sprintf("bad%d(P)@next :- bad%[1]d(P);\n", i+1)
	}
	if times > 0 {
		violation += fmt.Sprintf(", bad%d(P)", times)
	}
	return rules + violation + ";\n"
}

// reachesTheSame compares what AnyRounds says of one program with the walk.
func reachesTheSame(ctx context.Context, c oracle.Case) (string, error) {
	c.Goals, c.Bounds.From = "every", 0
	m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals})
	if err != nil {
		return "", err
	}
	a, gotErr := m.AnyRounds(ctx)
	if errors.As(gotErr, new(*provenance.UntimedError)) {
		c.Bounds.From, c.Bounds.Joins, c.Bounds.Delays, c.Bounds.Duplicates, c.Bounds.MaxDelay, c.Bounds.Choices = 0, nil, 0, 0, 0, 0
		if m, err = ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals}); err != nil {
			return "", err
		}
		a, gotErr = m.AnyRounds(ctx)
	}
	switch {
	case errors.As(gotErr, new(*ldfi.NoPromiseError)), errors.As(gotErr, new(*provenance.UntimedError)):
		return "refused", nil
	case errors.As(gotErr, new(*limits.RunawayError)), errors.As(gotErr, new(*limits.LimitError)):
		return "runaway", nil
	case gotErr == nil && a.Verdict == result.Inconclusive:
		return "inconclusive", nil
	}
	w := newWalk(c)
	switch err := w.run(ctx); {
	case errors.Is(err, errTooMany):
		return "too many states", nil
	case errors.As(err, new(*limits.RunawayError)), errors.As(err, new(*limits.LimitError)):
		return "runaway", nil
	case err != nil:
		return "", err
	}
	for _, round := range c.Bounds.Joins {
		if w.violated > 0 {
			w.violated = max(w.violated, round) // there are no runs of fewer rounds
		}
	}
	undefined := errors.As(gotErr, new(*limits.UndefinedError))
	switch {
	case gotErr != nil && !undefined:
		return "", gotErr
	case undefined && w.undefined > 0 && (w.violated == 0 || w.undefined <= w.violated):
		return "undefined", nil
	case undefined && w.violated > 0:
		if _, err := m.Check(ctx); errors.As(err, new(*limits.UndefinedError)) {
			return "undefined", nil // in a later round
		}
		fallthrough
	case undefined || w.undefined > 0 && (w.violated == 0 || w.undefined < w.violated):
		return "", fmt.Errorf("the error is %v; a fact depends on its own absence in round %d, and the promise breaks in round %d of %q", gotErr, w.undefined, w.violated, w.last)
	case (a.Verdict == result.Violated) != (w.violated > 0) || a.Rounds.Round != w.violated:
		return "", fmt.Errorf("it is %s in round %d; the promise breaks in round %d of %q, there are %d states", a.Verdict, a.Rounds.Round, w.violated, w.last, len(w.seen))
	case w.violated > 3:
		return "violated late", nil
	case a.Verdict == result.Holds && a.Rounds.Vacuous:
		return "holds of nothing", nil
	}
	return string(a.Verdict), nil
}

// walk goes through all states that a program reaches, whatever the number of rounds. A state is the
// end of a prefix of a schedule; two are the same if the next round has the same facts after both, whatever
// happens in it, and the same faults can follow.
type walk struct {
	oracle.Case
	faults   [][]rounds.Fault          // by round
	machines map[int]*lockstep.Machine // by number of rounds
	named    int                       // the last round that the program names
	first    int                       // of the rounds that can be the last one
	crashes  bool                      // it reads the rounds of crashes
	work     int                       // schedules that were looked at, and runs
	most     int                       // of these

	seen                map[string]bool
	violated, undefined int             // the first such rounds
	last                rounds.Schedule // the schedule of the first of both
}

// mostDepth limits the rounds of a walk.
const mostDepth = 30

// mostWork limits the schedules that a walk looks at, and its runs.
func mostWork() int {
	if flag.Lookup("long").Value.String() != "0" || flag.Lookup("all").Value.String() == "true" {
		return 10_000
	}
	return 1_500
}

func newWalk(c oracle.Case) *walk {
	w := &walk{Case: c, machines: map[int]*lockstep.Machine{}, seen: map[string]bool{}, most: mostWork()}
	if w.Bounds.Implied {
		w.Bounds.Omissions, w.Bounds.Implied = rounds.Unlimited, false
	}
	w.Bounds.EFF, w.Bounds.EOT, w.Bounds.Choose = 0, mostDepth, nil
	for _, f := range c.Program.Facts {
		w.named = max(w.named, f.Round)
	}
	for _, round := range c.Bounds.Joins {
		w.named, w.first = max(w.named, round), max(w.first, round)
	}
	for _, choice := range c.Program.Choices {
		for _, r := range choice.Rounds.Ranges {
			_, until := r.Rounds()
			w.named = max(w.named, until)
		}
	}
	for _, r := range c.Program.Rules {
		for _, term := range r.Body {
			w.named = max(w.named, term.At)
			if term.Atom != nil && term.Atom.Relation == "crash" {
				_, wild := term.Atom.Args[2].(*syntax.Wildcard)
				w.crashes = w.crashes || !wild
			}
		}
	}
	return w
}

func (w *walk) run(ctx context.Context) error {
	b, err := w.Bounds.Knowing(w.Program)
	if err != nil {
		return err
	}
	w.Bounds = b.Normal()
	w.faults = make([][]rounds.Fault, mostDepth+1)
	for u, unit := schedules.New(w.Bounds), 0; unit < u.Len(); unit++ {
		if f := u.Fault(unit); u.Alive(unit) {
			w.faults[f.Round] = append(w.faults[f.Round], f)
		}
	}
	states := []rounds.Schedule{{}}
	for round := 1; len(states) > 0 && w.violated+w.undefined == 0; round++ {
		if round+2 > mostDepth {
			return errTooMany
		}
		var next []rounds.Schedule
		for _, before := range states {
			for s := range w.extended(before, round, nil) {
				if err := w.judge(ctx, s, round); err != nil {
					return err
				}
				key, err := w.key(ctx, s, round)
				if err != nil {
					return err
				}
				if w.seen[key] {
					continue
				}
				w.seen[key] = true
				next = append(next, s)
			}
			if w.work > w.most {
				return errTooMany
			}
		}
		states = next
	}
	return nil
}

// extended yields a schedule with every set of faults of a round that there may be: of some kinds, or of all.
func (w *walk) extended(s rounds.Schedule, round int, kinds []rounds.Kind) func(func(rounds.Schedule) bool) {
	var faults []rounds.Fault
	for _, f := range w.faults[round] {
		if kinds == nil || slices.Contains(kinds, f.Kind) {
			faults = append(faults, f)
		}
	}
	return func(yield func(rounds.Schedule) bool) {
		var extend func(s rounds.Schedule, from int) bool
		extend = func(s rounds.Schedule, from int) bool {
			if w.work++; w.work > w.most {
				return false
			}
			within := schedules.Within(s, w.Bounds) == nil
			if within && !yield(s) {
				return false
			}
			if !within && w.Bounds.Restarts == 0 { // a restart may undo what is too much
				return true
			}
			for i := from; i < len(faults); i++ {
				if !extend(rounds.Schedule{Faults: append(slices.Clone(s.Faults), faults[i])}.Normal(), i+1) {
					return false
				}
			}
			return true
		}
		extend(s, 0)
	}
}

// execute runs a schedule for so many rounds.
func (w *walk) execute(ctx context.Context, s rounds.Schedule, eot int) (*lockstep.Run, error) {
	m, err := w.machine(eot)
	if err != nil {
		return nil, err
	}
	return m.Run(ctx, until(s, eot))
}

func (w *walk) machine(eot int) (*lockstep.Machine, error) {
	w.work++
	for _, round := range w.Bounds.Joins {
		eot = max(eot, round)
	}
	m := w.machines[eot]
	if m == nil {
		b := w.Bounds
		b.EOT, b.Choose = eot, nil
		var err error
		if m, err = lockstep.Compile(w.Program, b, lockstep.Options{Only: []string{"pre", "post", "violation"}, MaxFacts: 20_000}); err != nil {
			return nil, err
		}
		w.machines[eot] = m
	}
	return m, nil
}

// until is what a schedule does to the rounds up to one.
func until(s rounds.Schedule, eot int) rounds.Schedule {
	var cut rounds.Schedule
	late := map[rounds.Fault]bool{} // the messages that come too late
	for _, f := range s.Faults {
		if f.Kind == rounds.Delay && f.Round+f.By > eot {
			late[rounds.Fault{Kind: rounds.Omit, Process: f.Process, To: f.To, Round: f.Round}] = true
		}
	}
	for _, f := range s.Faults {
		f.Until = min(f.Until, eot)
		if f.Round+f.By > eot {
			continue
		}
		if lost := (rounds.Fault{Kind: rounds.Omit, Process: f.Process, To: f.To, Round: f.Round}); f.Kind == rounds.Duplicate && late[lost] {
			f.Kind = rounds.Delay // the first copy is the one that comes in time
			delete(late, lost)
		}
		cut.Faults = append(cut.Faults, f)
	}
	for f := range late {
		cut.Faults = append(cut.Faults, f)
	}
	cut = cut.Normal()
	return cut
}

// judge looks at what a schedule does in a round.
func (w *walk) judge(ctx context.Context, s rounds.Schedule, round int) error {
	run, err := w.execute(ctx, s, round)
	if errors.As(err, new(*limits.UndefinedError)) {
		if w.undefined == 0 {
			w.undefined, w.last = round, s
		}
		return nil
	}
	if err != nil {
		return err
	}
	broken := len(run.Facts("violation", round)) > 0
	for _, args := range run.Facts("pre", round) {
		broken = broken || round >= w.first && !run.Has("post", args, round)
	}
	if broken && w.violated == 0 {
		w.violated, w.last = round, s
	}
	return nil
}

// key is the state after a round.
func (w *walk) key(ctx context.Context, s rounds.Schedule, round int) (string, error) {
	var text strings.Builder
	fmt.Fprintln(&text, min(round, w.named), round%max(w.Bounds.Period, 1))
	used := map[rounds.Kind]int{}
	for _, f := range s.Faults {
		used[f.Kind]++
		if f.Until > round {
			f.Round, f.Until = 0, 0
			fmt.Fprintln(&text, f, "lasts")
		}
	}
	for _, k := range rounds.Kinds() {
		if n := w.Bounds.Budget(k); n != rounds.Unlimited && n > 0 {
			fmt.Fprintln(&text, k, used[k])
		}
	}
	for _, p := range w.Bounds.Processes {
		if turns := schedules.Turns(s.Faults, p); len(turns) > 0 && turns[len(turns)-1].Kind == rounds.Crash {
			fmt.Fprintln(&text, p, "is down")
		}
	}
	if err := w.underway(ctx, &text, s, round); err != nil {
		return "", err
	}
	for now := range w.extended(s, round+1, []rounds.Kind{rounds.Choose, rounds.Crash, rounds.Restart}) {
		run, err := w.execute(ctx, now, round+1)
		if errors.As(err, new(*limits.UndefinedError)) {
			fmt.Fprintln(&text, "undefined", s) // the next round says so
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&text, "next")
		for _, relation := range w.Program.Relations() {
			if relation.Name == "crash" && !w.crashes {
				continue
			}
			for _, args := range run.Facts(relation.Name, round+1) {
				fmt.Fprintln(&text, relation.Name, args)
			}
		}
		w.remember(&text, run, round+1)
	}
	return text.String(), nil
}

// underway adds the messages that are still on their way after a round.
func (w *walk) underway(ctx context.Context, text *strings.Builder, s rounds.Schedule, round int) error {
	if w.Bounds.Delays == 0 && w.Bounds.Duplicates == 0 {
		return nil
	}
	eot := round + 1 + max(w.Bounds.MaxDelay, 1)
	m, err := w.machine(eot)
	if err != nil {
		return err
	}
	e, err := m.Execute(ctx, until(s, eot))
	if errors.As(err, new(*limits.UndefinedError)) {
		fmt.Fprintln(text, "undefined", s)
		return nil
	}
	if err != nil {
		return err
	}
	for _, message := range e.Messages {
		if message.Round <= round && message.Arrival > round && !message.Lost {
			fmt.Fprintln(text, message.To, message.Relation, message.Args, message.Arrival-round, message.Again)
		}
	}
	return nil
}

// remember adds the facts that rules read of rounds that are over.
func (w *walk) remember(text *strings.Builder, run *lockstep.Run, round int) {
	for _, r := range w.Program.Rules {
		for _, term := range r.Body {
			if term.At > 0 && term.At <= round {
				fmt.Fprintln(text, term.Atom.Relation, term.At, run.Facts(term.Atom.Relation, term.At))
			}
		}
	}
}
