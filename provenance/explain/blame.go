package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// prevented blames the fault by which a firing takes place here and, though all that it
// needs is there, not there.
func (ch *change) prevented(f *provenance.Firing, here, there *Explainer) {
	for _, blames := range []func(*provenance.Firing, *Explainer, *Explainer) bool{ch.later, ch.lost, ch.stopped, ch.forgotten, ch.kept} {
		if blames(f, here, there) {
			return
		}
	}
}

// later blames the faults that make a message late, or duplicate it, here.
func (ch *change) later(f *provenance.Firing, here, there *Explainer) bool {
	for _, by := range f.LateBy() {
		if suffers(here, by) && !suffers(there, by) {
			d := f.Delivery()
			ch.blame(result.Cause{How: causality.Later, From: d.From, To: d.To, Round: d.Round, Arrival: d.Arrival}, by)
			return true
		}
	}
	return false
}

// lost blames the faults that lose a message there, or make it late.
func (ch *change) lost(f *provenance.Firing, here, there *Explainer) bool {
	d := f.Delivery()
	if d == nil || there.True(d.Cond) {
		return false
	}
	m := result.Cause{How: causality.Lost, From: d.From, To: d.To, Round: d.Round}
	from, to := index(there, d.From), index(there, d.To)
	if by, down := there.Environment.DownBy(from, d.Round); down && there.Graph.Bounds.CrashStop { // and nothing was sent
		if suffers(here, by) {
			return ch.back(here, there, from, d.Round)
		}
		m.How = causality.Stopped
		ch.blame(m, by)
		return true
	}
	for _, by := range there.Schedule.Faults {
		messages := there.Environment.Of(d.Of, d.Nth)
		loses := messages.Loses(by, from, to, d.Round) || d.Arrival > d.Round && messages.Loses(by, -1, to, d.Arrival)
		if !loses || suffers(here, by) {
			continue
		}
		if by.Kind == rounds.Delay {
			m.How = causality.Late
			if _, lost := there.Environment.Lost(by); !lost {
				m.Arrival = by.Round + by.By
			}
		}
		ch.blame(m, by)
		return true
	}
	for _, by := range here.Schedule.Faults { // a restart because of which the process is up
		if by.Kind == rounds.Restart && !suffers(there, by) && by.Round <= max(d.Round, d.Arrival) && (by.Process == d.From || by.Process == d.To) {
			m.How = causality.Back
			ch.blame(m, by)
			return true
		}
	}
	return false
}

// stopped blames the crash by which a process does nothing there, or the restart without
// which it does nothing here.
func (ch *change) stopped(f *provenance.Firing, here, there *Explainer) bool {
	p := f.StopsWith()
	if p < 0 {
		return false
	}
	by, down := there.Environment.DownBy(p, f.Round())
	if !down {
		return false
	}
	if !suffers(here, by) {
		ch.blame(result.Cause{How: causality.Stopped}, by)
		return true
	}
	return ch.back(here, there, p, f.Round())
}

// back blames the restart by which a process is up in a round here, and not there.
func (ch *change) back(here, there *Explainer, p, round int) bool {
	for _, by := range slices.Backward(here.Schedule.Faults) {
		if by.Kind == rounds.Restart && by.Process == here.Graph.Bounds.Processes[p] && by.Round <= round && !suffers(there, by) {
			ch.blame(result.Cause{How: causality.Back}, by)
			return true
		}
	}
	return false
}

// forgotten blames the restart in which a process forgets the fact of the firing.
func (ch *change) forgotten(f *provenance.Firing, here, there *Explainer) bool {
	p := f.Forgets()
	if p < 0 || !there.Environment.Back(p, f.Round()+1) {
		return false
	}
	by := rounds.Fault{Kind: rounds.Restart, Process: there.Graph.Bounds.Processes[p], Round: f.Round() + 1}
	if suffers(here, by) {
		return false
	}
	ch.blame(result.Cause{How: causality.Forgot}, by)
	return true
}

// kept blames the crash since which a process keeps its fact here, or the restart because
// of which it does not keep it there.
func (ch *change) kept(f *provenance.Firing, here, there *Explainer) bool {
	if f.Rule() != nil {
		return false
	}
	p := index(here, f.Positive()[0].Arg(0).Text())
	by, down := here.Environment.DownBy(p, f.Round())
	if !down {
		return false
	}
	if !suffers(there, by) {
		ch.blame(result.Cause{How: causality.Stays}, by)
		return true
	}
	return ch.back(there, here, p, f.Round())
}

// suffers tells whether a fault is in the schedule of a world.
func suffers(x *Explainer, f rounds.Fault) bool {
	return slices.Contains(x.Schedule.Faults, f)
}

func index(x *Explainer, process string) int {
	return slices.Index(x.Graph.Bounds.Processes, process)
}

// reliable returns the setting of the bounds for a link on which only crashes lose
// messages, "" if there is none.
func (x *Explainer) reliable(from, to string) string {
	if from == to {
		return ""
	}
	return syntax.LinksMeant(x.Graph.Bounds.Reliable, from, to)
}

// sparing names the messages that the isolation of a process does not lose.
func (x *Explainer) sparing(process string) string {
	var patterns []string
	for _, pattern := range x.Graph.Bounds.Reliable {
		for _, other := range x.Graph.Bounds.Processes {
			only := []string{pattern}
			if other != process && syntax.LinksMeant(only, process, other)+syntax.LinksMeant(only, other, process) != "" {
				patterns = append(patterns, pattern)
				break
			}
		}
	}
	if patterns == nil {
		return ""
	}
	return " but for " + text.List(patterns, "and")
}
