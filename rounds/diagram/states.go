package diagram

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// state is a fact that is shown in a round, at the process that its first argument
// names: count("a", 3) is count(3) at a.
type state struct {
	process int    // a column; -1: it is of none
	text    string // without the process, if it has a column
	further bool   // it is there besides those of the round before
}

// mostStates are the facts of a process in a round that are shown.
const mostStates = 6

// place is where facts of a relation belong.
type place struct {
	process  int
	relation string
}

// states returns the facts that are shown, by round.
func (m *model) states(e *recording.Execution, column map[string]int) map[int][]state {
	if len(m.options.Show) == 0 {
		return nil
	}
	byRound := map[int]map[place][]recording.Fact{}
	for _, f := range e.Facts {
		if !slices.Contains(m.options.Show, f.Relation) {
			continue
		}
		if byRound[f.Round] == nil {
			byRound[f.Round] = map[place][]recording.Fact{}
		}
		at := place{placeOf(f, column), f.Relation}
		byRound[f.Round][at] = append(byRound[f.Round][at], f)
	}
	states := map[int][]state{}
	for round := 1; round <= m.eot; round++ {
		states[round] = m.limited(m.changes(round, byRound[round-1], byRound[round]))
	}
	return states
}

// placeOf returns the column of the process that a fact is about.
func placeOf(f recording.Fact, column map[string]int) int {
	if len(f.Args) == 0 {
		return -1
	}
	if i, ok := column[f.Args[0].Text()]; ok {
		return i
	}
	return -1
}

// changes returns what is to be shown of a round after the one before: all facts of each
// relation of which a process has not the same facts, or only the further ones if it
// has those before as well. If all is to be drawn that is all there is.
func (m *model) changes(round int, before, now map[place][]recording.Fact) (all []state) {
	var places []place
	for at := range now {
		places = append(places, at)
	}
	for at := range before {
		if now[at] == nil {
			places = append(places, at)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(a.process-b.process, slices.Index(m.options.Show, a.relation)-slices.Index(m.options.Show, b.relation))
	})
	for _, at := range places {
		all = append(all, m.change(round, at, before[at], now[at])...)
	}
	return all
}

// change is changes of one relation at one process. What a system reports in one round
// need not be reported in the next, and that who has crashed has forgotten all goes
// without saying.
func (m *model) change(round int, at place, before, now []recording.Fact) []state {
	further := missing(now, before)
	switch {
	case m.options.All:
		return m.texts(at, now, false)
	case m.reports:
		return m.texts(at, further, false)
	case len(now) == 0 && at.process >= 0 && m.crashedBy(at.process, round, false):
		return nil
	case len(now) == 0:
		return []state{{process: at.process, text: "no " + at.relation}}
	case len(before) > 0 && len(now) == len(before)+len(further):
		return m.texts(at, further, true)
	case len(further) > 0 || len(now) < len(before):
		return m.texts(at, now, false)
	}
	return nil
}

// missing returns the facts that others do not have, in whichever round these are.
func missing(facts, others []recording.Fact) (all []recording.Fact) {
	known := map[string]bool{}
	for _, f := range others {
		known[recording.Display(f, nil)] = true
	}
	for _, f := range facts {
		if !known[recording.Display(f, nil)] {
			all = append(all, f)
		}
	}
	return all
}

// texts writes facts as they are shown where they belong.
func (m *model) texts(at place, facts []recording.Fact, further bool) (all []state) {
	for _, f := range facts {
		if at.process >= 0 {
			f.Args = f.Args[1:]
		}
		text := f.Relation
		if len(f.Args) > 0 {
			text = recording.Display(f, m.processes)
		}
		if further {
			text = "+ " + text
		}
		all = append(all, state{at.process, text, further})
	}
	return all
}

// limited leaves out all but some facts of each process, and says so.
func (m *model) limited(all []state) (some []state) {
	if m.options.All {
		return all
	}
	for _, of := range byProcess(all) {
		if more := len(of) - mostStates; more > 0 {
			of = append(of[:mostStates:mostStates], state{process: of[0].process, text: fmt.Sprintf("and %d more", more)})
		}
		some = append(some, of...)
	}
	return some
}

// byProcess groups states, which are sorted by process.
func byProcess(all []state) (groups [][]state) {
	for i, s := range all {
		if i == 0 || s.process != all[i-1].process {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], s)
	}
	return groups
}

// stateLabel is a fact as it stands in a column, cut where many columns leave little
// room for it.
func (d *diagram) stateLabel(s state) string {
	if s.process < 0 {
		return ""
	}
	return shorten(text.Safe(s.text), max(width/len(d.processes)-4, longestLabel))
}

// drawStates returns the rows of the facts of a round: those of a process below each
// other, those of several side by side. What is cut in its column, or belongs to
// none, stands behind them.
func (d *diagram) drawStates(r round) (rows []string) {
	groups := byProcess(r.states)
	for i := 0; slices.ContainsFunc(groups, func(of []state) bool { return i < len(of) }); i++ {
		row := d.lifelines(r.number, d.reports)
		var remarks []string
		for _, of := range groups {
			if i < len(of) {
				remarks = append(remarks, d.drawState(&row, of[i])...)
			}
		}
		rows = append(rows, d.finish(row, strings.Join(remarks, "; "), plain))
	}
	return rows
}

// drawState draws a fact in its column, and returns what is to stand behind the row.
func (d *diagram) drawState(row *canvas, s state) []string {
	if s.further {
		d.explain("+ besides those before")
	}
	if s.process < 0 {
		return []string{s.text}
	}
	label := d.stateLabel(s)
	row.set(d.x(s.process)+2, label, plain)
	if label == text.Safe(s.text) {
		return nil
	}
	return []string{d.processes[s.process] + ": " + s.text}
}

// statesOf returns the same as notes.
func (m *mermaid) statesOf(r round) (lines []string) {
	for _, s := range r.states {
		first, last := s.process, s.process
		if s.process < 0 {
			first, last = 0, max(m.columns()-1, 0)
		}
		lines = append(lines, noteLine(first, last, s.text)+"\n")
	}
	return lines
}

// things are what is drawn in a round.
func (m *mermaid) things() string {
	if len(m.options.Show) > 0 {
		return "messages and facts"
	}
	return "messages"
}
