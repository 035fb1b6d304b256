package advise

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// WeakestReport is what a protocol can bear.
type WeakestReport struct {
	Processes   []string     `json:"processes"`             // who takes part
	Rounds      int          `json:"eot"`                   // the number of rounds
	AnyRounds   bool         `json:"any_rounds,omitempty"`  // the verdicts are about any number of rounds
	Crash       string       `json:"crash"`                 // mute or stop
	OwnLost     bool         `json:"own_lost,omitempty"`    // who is isolated loses its own messages
	Loss        string       `json:"loss"`                  // the kind of loss, by the key of its bound
	Most        string       `json:"most"`                  // the largest of the bounds, as a phrase
	Questions   int          `json:"questions"`             // how many were asked
	Bounds      int          `json:"bounds"`                // that are compared
	NotAsked    int          `json:"not_asked"`             // of these
	Interrupted bool         `json:"interrupted,omitempty"` // it was stopped before its end
	Rows        []WeakestRow `json:"rows"`                  // by verdict: holds, violated, inconclusive, not asked
}

// WeakestRow is some bounds. Those with which the promise holds are the largest budgets and
// the weakest assumptions; those with which it breaks the smallest and strongest, as
// are those of which nothing is known.
type WeakestRow struct {
	Verdict     string           `json:"verdict"`       // holds, violated, inconclusive or not asked
	Crashes     int              `json:"crashes"`       // at most so many
	Losses      string           `json:"losses"`        // a number or unlimited
	EFF         int              `json:"eff,omitempty"` // 0: in any round
	Assumptions []string         `json:"assumptions"`   // what is taken for granted, as settings: deliver=n-f
	Asked       bool             `json:"asked"`         // or it follows from another answer
	Faults      *rounds.Schedule `json:"faults,omitempty"`
	Reason      string           `json:"reason,omitempty"` // why it is inconclusive
}

// notAsked is of what nothing is known.
const notAsked = "not asked"

// mostNotAsked is how many rows there are of what was not asked.
const mostNotAsked = 5

func (s *weakestSearch) report() *WeakestReport {
	r := &WeakestReport{Processes: s.bounds.Processes, Rounds: s.bounds.EOT, Questions: s.asked, Bounds: len(s.points), NotAsked: s.open, Rows: []WeakestRow{}}
	if r.Crash = "mute"; s.bounds.CrashStop {
		r.Crash = "stop"
	}
	r.OwnLost = s.bounds.OwnLost
	r.Most = s.within(point{s.crashes, s.losses, len(s.effs) - 1, 0})
	r.AnyRounds = s.AnyRounds
	r.Loss = text.PluralWord(s.loss.Noun())
	for _, verdict := range []result.Verdict{result.Holds, result.Violated, result.Inconclusive, ""} {
		rows := s.edge(verdict)
		if verdict == "" {
			rows = rows[:min(len(rows), mostNotAsked)]
		}
		for _, i := range rows {
			r.Rows = append(r.Rows, s.row(i))
		}
	}
	return r
}

// edge returns the points with a verdict that say most: those that hold and are within
// no other, or have no other that is within them. All that is inconclusive was asked.
func (s *weakestSearch) edge(verdict result.Verdict) (all []int) {
	for i, p := range s.points {
		if s.known[i].verdict != verdict {
			continue
		}
		inner := false
		for j, q := range s.points {
			if i == j || s.known[j].verdict != verdict || verdict == result.Inconclusive {
				continue
			}
			if inner = verdict == result.Holds && p.within(q) || verdict != result.Holds && q.within(p); inner {
				break
			}
		}
		if !inner {
			all = append(all, i)
		}
	}
	return all
}

func (s *weakestSearch) row(i int) WeakestRow {
	p, k := s.points[i], s.known[i]
	row := WeakestRow{Verdict: string(k.verdict), Crashes: p.crashes, Losses: strconv.Itoa(p.losses), EFF: s.effs[p.eff], Assumptions: []string{}, Asked: k.asked, Faults: k.found, Reason: k.reason}
	if p.losses == s.losses {
		row.Losses = "unlimited"
	}
	if k.verdict == "" {
		row.Verdict = notAsked
	}
	for j, a := range s.assumed {
		if p.made>>j&1 == 1 {
			row.Assumptions = append(row.Assumptions, a.Text)
		}
	}
	return row
}

// text says in a phrase what is asked.
func (s *weakestSearch) text(p point) string {
	return fmt.Sprintf("question %d: %s", s.asked+1, s.within(p))
}

// within are the bounds of a point as a phrase.
func (s *weakestSearch) within(p point) string {
	b := s.at(p)
	if !s.AnyRounds {
		return b.String()
	}
	return b.OfAnyRounds()
}

// Holds tells whether the promise holds within some of the bounds, and Whole whether
// it is known of all.
func (r *WeakestReport) Holds() bool {
	return slices.ContainsFunc(r.Rows, func(row WeakestRow) bool { return row.Verdict == string(result.Holds) })
}

// Whole tells whether a verdict is known of all bounds.
func (r *WeakestReport) Whole() bool {
	return !slices.ContainsFunc(r.Rows, func(row WeakestRow) bool {
		return row.Verdict == notAsked || row.Verdict == string(result.Inconclusive)
	})
}

func (r *WeakestReport) table() [][]string {
	rows := [][]string{{"verdict", "crashes", r.Loss, "eff", "assuming", "known", ""}}
	for _, row := range r.Rows {
		eff := "any"
		if row.EFF > 0 {
			eff = strconv.Itoa(row.EFF)
		}
		assuming, how, more := "-", "follows", row.Reason
		if len(row.Assumptions) > 0 {
			assuming = strings.Join(row.Assumptions, " ")
		}
		switch {
		case row.Verdict == notAsked:
			how = "-"
		case row.Asked:
			how = "asked"
		}
		if row.Faults != nil {
			more = row.Faults.String()
			if more == "" {
				more = "without faults"
			}
		}
		rows = append(rows, []string{row.Verdict, strconv.Itoa(row.Crashes), row.Losses, eff, assuming, how, more})
	}
	if r.AnyRounds { // without an eff
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 3, 4)
		}
	}
	return rows
}

// summary says what the table is about, in lines.
func (r *WeakestReport) summary() []string {
	within := "before round eff the promise bears"
	if r.AnyRounds {
		within = "the promise bears for any number of rounds"
	}
	lines := []string{
		fmt.Sprintf("how many crashes and %s %s, with and without assumptions", r.Loss, within),
		"up to " + r.Most,
	}
	count := fmt.Sprintf("%s about %d bounds", text.Plural(r.Questions, "question"), r.Bounds)
	switch {
	case r.Interrupted:
		count += fmt.Sprintf("; stopped: %d bounds were not asked and do not follow from others", r.NotAsked)
	case r.NotAsked > 0:
		count += fmt.Sprintf("; %d bounds were not asked and do not follow from others", r.NotAsked)
	}
	return append(lines, count)
}

// explanation says how the table is read.
const explanation = "holds: the largest budgets and the weakest assumptions; smaller budgets and more assumptions hold as well. violated: the smallest budgets and strongest assumptions with a schedule that breaks the promise."

// WriteText writes the report as text.
func (r *WeakestReport) WriteText(w io.Writer) error {
	var b bytes.Buffer
	for _, line := range r.summary() {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintln(&b)
	text.Table(&b, "  ", r.table())
	fmt.Fprintf(&b, "\n%s\n", explanation)
	_, err := w.Write(b.Bytes())
	return err
}

// WriteMarkdown writes the report as Markdown.
func (r *WeakestReport) WriteMarkdown(w io.Writer) error {
	var page text.MarkdownPage
	for _, line := range r.summary() {
		page.Line("%s  ", text.Markdown(line))
	}
	page.Line("")
	page.Table(r.table())
	page.Line("\n%s", explanation)
	_, err := io.WriteString(w, page.String())
	return err
}
