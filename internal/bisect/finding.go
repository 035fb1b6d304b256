package bisect

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/ldfi/result"
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
	Version string `json:"version"` // its name
	Input   string `json:"input"`   // what the version was given to do; "" where the versions say that themselves
	Note    string `json:"note"`    // about the version: the title of a commit
	State   State  `json:"verdict"`
	Reason  string `json:"reason"` // why there is no more to say; of a version that is skipped, what is wrong with it, in one line
	Log     string `json:"log"`    // of a version that is skipped, all that was said about it

	Instead     result.List[string] `json:"instead"`           // the relations of which the program states facts that do not count, because the input gives them
	Kin         string              `json:"kin"`               // an earlier version with the same rules, so that this one is that one with other inputs
	Same        string              `json:"same_as"`           // an earlier version that is the same program, and was searched in its place
	Replayed    string              `json:"replayed_from"`     // the version whose schedule broke this one, where its own search found none
	Schedule    rounds.Schedule     `json:"schedule"`          // executed and seen fail
	Size        int                 `json:"size"`              // the number of its faults
	Minimal     bool                `json:"minimal"`           // none of the schedules that among names has fewer faults and breaks the promise
	Among       string              `json:"among"`             // which schedules have no fewer faults, a phrase; empty unless it is minimal
	Irreducible bool                `json:"irreducible"`       // without any one of its faults it does not break the promise
	Repeats     *result.Repeats     `json:"repeats,omitempty"` // how often it breaks the promise, if executions of one schedule may differ
	Broken      result.List[string] `json:"broken"`            // what it breaks, a sentence each without its full stop

	Executions int                 `json:"executions"` // to the first violation (systems), or altogether (protocols)
	Scope      result.Scope        `json:"scope,omitzero"`
	Warnings   result.List[string] `json:"warnings"` // about the program, a text each
	Cached     bool                `json:"cached"`   // known from an earlier run

	page   *report.Page // nil: there is none
	again  string       // the command that executes the schedule, "" if there is none
	advice string       // what to try, where its search came to no end
}

// take fills in the answer of a search. A search of a system that ended without a
// certificate found nothing, which is worth less than a certificate, and more than an
// interruption.
func (f *Finding) take(a *result.Answer, system, interrupted bool) {
	f.Reason, f.Executions, f.Scope, f.Warnings = answertext.Reason(a), answertext.Executions(a), a.Scope, answertext.Warnings(a)
	if a.Rounds != nil {
		f.Scope.Text = a.Scope.Bounds.OfAnyRounds()
	}
	if word := answertext.ByWord(a); word != "" {
		f.Warnings = append(f.Warnings, word)
	}
	if f.Reason != "" {
		f.advice = strings.Join(a.Limit.Advice, "; or ")
	}
	switch {
	case a.Verdict == result.Violated:
		f.broken(a.First())
	case a.Verdict == result.Holds:
		f.State = Holds
	case system && !interrupted:
		f.State = NothingFound
	default:
		f.State = Inconclusive
	}
}

// broken fills in the schedule that breaks the version.
func (f *Finding) broken(c *result.Counterexample) {
	f.State, f.Reason, f.advice = Violated, "", ""
	f.Schedule, f.Size = c.Schedule, c.Size
	f.Minimal, f.Among, f.Irreducible = c.Minimal, c.Among, c.Irreducible
	f.Repeats = c.Repeats
	for _, v := range c.Violations {
		f.Broken = append(f.Broken, v.String())
	}
}

// like copies the result of the same program.
func (f *Finding) like(g *Finding) {
	version, input, note, same := f.Version, f.Input, f.Note, f.Same
	*f = *g
	f.Version, f.Input, f.Note, f.Same = version, input, note, same
}

// name returns the name of the version and input of the finding, for people.
func (f *Finding) name() string {
	if f.Input == "" {
		return f.Version
	}
	return f.Version + " with " + f.Input
}

// verdict is that of all versions together: Inconclusive if the search was
// interrupted; else Violated if some version is; else Holds if all versions are
// certified.
func (r *Report) verdict() result.Verdict {
	violated, open := 0, 0
	for _, m := range r.Matrices {
		violated += len(m.in(Violated))
		open += len(m.Findings) - len(m.in(Holds))
	}
	switch {
	case r.Interrupted:
		return result.Inconclusive
	case violated > 0:
		return result.Violated
	case open > 0:
		return result.Inconclusive
	default:
		return result.Holds
	}
}
