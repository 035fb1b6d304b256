package guide

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// Decisions are what a guide decides in a round.
type Decisions struct {
	Fates    []Fate // of messages of the round, in their order
	Releases []int  // messages that were held and arrive now, in their order
	Acts     []Act  // in the order of the file

	fired    map[int]int // by rule
	findings []Finding
}

// Fate is what happens to a message.
type Fate struct {
	Message int    // its number, from 1
	Do      string // "drop", "deliver", "hold", or "" where there is only a lie
	Lie     string // the name of a lie, or ""
	Rule    int    // the rule that decided Do, or else the lie

	liar int
}

// Act is what happens to a process.
type Act struct {
	Do      string // "crash", "restart", "pause", "isolate", "part", "tick" or "ask"
	Process string
	Other   string // part: the process that it is parted from
	N       int    // tick: how many times
	Payload string // ask
	Rule    int    // that decided it
}

// and returns what was decided in a round at first, with what was decided of more messages.
func (d Decisions) and(more Decisions) Decisions {
	if len(more.fired) == 0 {
		return d
	}
	d.Fates = slices.SortedFunc(slices.Values(slices.Concat(d.Fates, more.Fates)), byMessage)
	d.findings, d.fired = slices.Concat(d.findings, more.findings), maps.Clone(d.fired)
	for rule, times := range more.fired {
		d.fired[rule] += times
	}
	return d
}

func byMessage(a, b Fate) int { return cmp.Compare(a.Message, b.Message) }

// derive evaluates the rules that decide. With only it says what is decided of messages for which only is true.
func (r *Run) derive(ctx context.Context, only func(message int) bool) (d Decisions, err error) {
	if r.decide == nil {
		return d, nil
	}
	if err := r.decide.Turn(ctx); err != nil {
		return d, err
	}
	defer r.decide.Seen()
	fates := map[int]*Fate{}
	before := r.outcome.Findings
	d.fired, r.outcome.Findings = map[int]int{}, nil
	defer func() {
		d.findings, r.outcome.Findings = r.outcome.Findings, before
		for _, f := range d.findings {
			r.note(f)
		}
	}()
	for _, of := range r.guide.decisions.heads {
		rows := r.wanted(of)
		if only != nil {
			rows = slices.DeleteFunc(rows, func(row []specs.Value) bool {
				return headOf(of.head).Columns[0] != "Message" || !row[0].IsInt() || !only(int(row[0].Int()))
			})
		}
		r.outcome.Fired[of.index] += len(rows)
		if len(rows) > 0 {
			d.fired[of.index] += len(rows)
		}
		for _, row := range rows {
			r.apply(&d, fates, of, row)
		}
	}
	return r.settle(d, fates), nil
}

// wanted returns what a rule wants in the round, sorted.
func (r *Run) wanted(of *rule) [][]specs.Value {
	relation := r.decide.Relation(of.relation)
	_, momentary := r.guide.decisions.momentary[of.relation]
	var rows [][]specs.Value
	switch {
	case of.stays && !momentary:
		for _, row := range r.decide.Rows(relation, r.taken[of.index]) {
			r.taken[of.index]++
			if at := row[len(row)-1]; at.IsInt() && at.Int() >= int64(r.round) {
				r.coming[int(at.Int())] = append(r.coming[int(at.Int())], pending{of, row})
			}
		}
		for _, p := range r.coming[r.round] {
			if p.rule == of {
				rows = append(rows, p.row)
			}
		}
	default:
		rows = slices.DeleteFunc(r.decide.Rows(relation, 0), func(row []specs.Value) bool { return !r.now(of, row) })
	}
	slices.SortFunc(rows, func(a, b []specs.Value) int { return slices.CompareFunc(a, b, specs.Value.Compare) })
	return rows
}

// now tells whether a row is about the round.
func (r *Run) now(of *rule, row []specs.Value) bool {
	if columns := headOf(of.head).Columns; columns[len(columns)-1] == "Round" {
		return row[len(row)-1] == specs.Int(int64(r.round))
	}
	first := r.number - r.count
	return row[0].IsInt() && row[0].Int() > int64(first) && row[0].Int() <= int64(r.number)
}

// apply adds what a rule wants to the decisions, unless an earlier rule wants the opposite.
func (r *Run) apply(d *Decisions, fates map[int]*Fate, of *rule, row []specs.Value) {
	switch of.head {
	case "drop", "deliver", "hold", "lie":
		f := fates[int(row[0].Int())]
		if f == nil {
			f = &Fate{Message: int(row[0].Int()), Rule: of.index}
			fates[f.Message] = f
		}
		r.want(f, of, row)
		return
	case "release":
		d.Releases = append(d.Releases, int(row[0].Int()))
		return
	}
	act := Act{Do: of.head, Process: row[0].Text(), Rule: of.index}
	switch of.head {
	case "part":
		act.Other = row[1].Text()
	case "tick":
		if act.N = int(min(row[1].Int(), mostTicks)); act.N < 1 {
			return
		}
	case "ask":
		act.Payload = row[1].Text()
	}
	for _, p := range []string{act.Process, act.Other} {
		if p != "" && !slices.Contains(r.bounds.Processes, p) {
			r.find(of, fmt.Sprintf("%s is about %q, which is no process: the processes are %s", of.head, p, strings.Join(r.bounds.Processes, ", ")))
			return
		}
	}
	if act.Process != act.Other && !slices.ContainsFunc(d.Acts, func(have Act) bool { have.Rule = act.Rule; return have == act }) {
		d.Acts = append(d.Acts, act)
	}
}

// want adds what a rule wants to the fate of a message.
func (r *Run) want(f *Fate, of *rule, row []specs.Value) {
	winner := r.guide.rules[f.Rule]
	switch {
	case of.head == "lie" && f.Lie != "" && f.Lie != row[1].Text():
		winner = r.guide.rules[f.liar]
	case of.head == "lie" && f.Do == "drop":
	case of.head == "lie":
		if f.Lie == "" {
			f.Lie, f.liar = row[1].Text(), of.index
		}
		return
	case of.head == "drop" && f.Lie != "":
		winner = r.guide.rules[f.liar]
	case f.Do == "":
		f.Do, f.Rule = of.head, of.index
		return
	case f.Do == of.head:
		return
	}
	if !winner.first {
		r.find(winner, fmt.Sprintf("%s wins over %s of line %d: they want opposite things of one message; if that is meant, end the line with # first", winner.head, of.head, of.source.Position.Line))
	}
}

// find notes a finding about a rule.
func (r *Run) find(of *rule, message string) { r.note(r.finding(of, message)) }

func (r *Run) finding(of *rule, message string) Finding {
	return Finding{specs.Warning{Position: of.source.Position, Message: text.SafeLines(message), Excerpt: r.guide.lines[of.source.Position.Line-1]}, 1}
}

// note adds a finding to those of the execution.
func (r *Run) note(f Finding) {
	for i := range r.outcome.Findings {
		if r.outcome.Findings[i].Warning == f.Warning {
			r.outcome.Findings[i].Times += f.Times
			return
		}
	}
	r.outcome.Findings = append(r.outcome.Findings, f)
}

// settle orders what was decided, and leaves out what changes nothing.
func (r *Run) settle(d Decisions, fates map[int]*Fate) Decisions {
	releases := d.Releases
	d.Releases = nil
	slices.Sort(releases)
	for _, m := range slices.Compact(releases) {
		if f := fates[m]; f != nil && f.Do == "hold" {
			f.Do = "" // it arrives in its own round
		} else if r.held[m] {
			d.Releases = append(d.Releases, m)
		}
	}
	for _, f := range fates {
		if f.Do != "" || f.Lie != "" {
			d.Fates = append(d.Fates, *f)
		}
	}
	slices.SortFunc(d.Fates, byMessage)
	return d
}
