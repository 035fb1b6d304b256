package bisect

import (
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
)

// State is what is known about a version.
type State string

// The states.
const (
	Violated     State = "violated"     // a schedule was executed and broke the promise
	Holds        State = "holds"        // no schedule within the bounds breaks it
	NothingFound State = "none found"   // a search that cannot certify came to its end, and found none
	Inconclusive State = "inconclusive" // the search was stopped before its end
	Skipped      State = "skipped"      // the version cannot be searched
	NotSearched  State = "not searched" // the search did not begin
)

// known tells whether the state counts in the history of a promise.
func (s State) known() bool { return s == Violated || s == Holds || s == NothingFound }

// Finding is what is known about one version.
type Finding struct {
	Version string
	Note    string // about the version: the title of a commit
	State   State
	Reason  string // why there is no more to say; of a version that is skipped, what is wrong with it

	Same     string          // an earlier version that is the same program, and was searched in its place
	Replayed string          // the version whose schedule broke this one, where its own search found none
	Schedule rounds.Schedule // executed and seen fail
	Size     int             // the number of its faults
	Minimal  bool
	Broken   []string // what it breaks, a sentence each without its full stop

	Executions int // to the first violation (systems), or altogether (protocols)
	Scope      ldfi.Scope
	Warnings   []string
	Cached     bool // known from an earlier run
}

// take fills in what a search answered. A search of a system that came to its
// end without a certificate found nothing, which is worth less than a certificate,
// and more than an interruption.
func (f *Finding) take(a *subject.Answer, system, interrupted bool) {
	f.Reason, f.Executions, f.Scope, f.Warnings = a.Reason, a.Executions, a.Scope, a.Warnings
	switch {
	case a.Verdict == ldfi.Violated:
		f.broken(a, system)
	case a.Verdict == ldfi.Holds:
		f.State = Holds
	case system && !interrupted:
		f.State = NothingFound
	default:
		f.State = Inconclusive
	}
}

// broken fills in the schedule that breaks the version.
func (f *Finding) broken(a *subject.Answer, system bool) {
	f.State, f.Reason = Violated, ""
	f.Schedule, f.Size, f.Minimal = a.Schedule, a.Size, a.Minimal
	for _, v := range a.Violations {
		text := v.Text
		if system {
			text = v.Property + ": " + text
		}
		f.Broken = append(f.Broken, text)
	}
}

// like takes over what is known about the same program.
func (f *Finding) like(g *Finding) {
	version, note, same := f.Version, f.Note, f.Same
	*f = *g
	f.Version, f.Note, f.Same = version, note, same
}
