package suite

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/text"
)

// WriteText writes the report for people: a line for each case, then differences and
// remarks.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	rows := [][]string{{"case", "verdict", "expected", "faults", "time"}}
	for i := range r.Cases {
		row := r.Cases[i].row()
		row[3] = shorten(row[3])
		rows = append(rows, row)
	}
	text.Table(&b, "", rows)
	part := ""
	if r.Shard != "" {
		part = fmt.Sprintf(" (part %s of %s)", r.Shard, text.Plural(r.Total, "case"))
	}
	fmt.Fprintf(&b, "\n%s%s\n", r.summary(), part)
	for i := range r.Cases {
		if c := &r.Cases[i]; c.Outcome != Pass || c.NewKept != "" || len(c.warnings()) > 0 || slices.ContainsFunc(c.Kept, func(k KeptResult) bool { return k.Known }) {
			c.writeDetails(&b)
		}
	}
	if note := r.byHosts(); note != "" {
		fmt.Fprintf(&b, "\nnote: %s\n", note)
	}
	_, err := io.WriteString(w, text.SafeLines(b.String()))
	return err
}

// row returns the line of a case in a table: its name, verdict, expectation, faults, and
// time.
func (c *CaseResult) row() []string {
	want, faults, took := string(c.Expect), "", fmt.Sprintf("%.2f s", c.elapsed().Seconds())
	if c.ExpectFaults != nil {
		want += fmt.Sprintf(" by %d", *c.ExpectFaults)
	}
	if c.ExpectVacuous {
		want += ", vacuous"
	}
	faults = c.looked()
	if broken := c.broken(); broken != nil {
		faults = answertext.Schedule(broken.Schedule)
	}
	switch {
	case c.Cached:
		took = "cached"
	case c.Answer == nil:
		took = ""
	}
	return []string{c.Name, c.verdictText(), want, faults, took}
}

// shorten cuts a schedule that is too long for a table.
func shorten(text string) string {
	const most = 50
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// writeDetails writes how a case differs from its expectation, and further remarks.
func (c *CaseResult) writeDetails(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n%s  %s:%d:%d\n", text.Safe(c.Name), c.File, c.Line, c.Column)
	names := []string{"differs", "unknown", "error", "faults", "rounds", "because", "conflict", "also", "past", "keeps", "known", "again", "warning"}
	if c.Outcome == Pass && c.NewKept == "" {
		names = []string{"past", "known", "warning"}
	}
	for _, d := range c.details() {
		if slices.Contains(names, d.name) {
			text.Field(b, "  ", 9, d.name, d.lines...)
		}
	}
}

// detail is something to know about a case, in some lines.
type detail struct {
	name  string
	lines []string
}

// details are all details of a case, some without a text: how it differs from its
// expectation, the violation with its faults and causes, and the command that executes it
// again.
func (c *CaseResult) details() []detail {
	var all []detail
	add := func(name string, lines ...string) { all = append(all, detail{name, lines}) }
	each := func(name string, texts []string) {
		for _, text := range texts {
			add(name, text)
		}
	}
	switch {
	case c.Error != "":
		add("error", strings.Split(c.Error, "\n")...)
	case c.Outcome == Inconclusive:
		add("unknown", c.Differs)
	default:
		add("differs", c.Differs)
	}
	if a := c.Answer; a != nil {
		add("verdict", string(a.Verdict))
		add("reason", c.reason())
		each("violated", c.violations())
		if broken := a.First(); broken != nil {
			add("faults", fmt.Sprintf("%s (%s)", answertext.Schedule(broken.Schedule), broken.Minimality()))
			add("because", broken.Because...)
			add("conflict", c.conflict()...)
		}
		if a.Search != nil {
			for i := 1; i < len(a.Counterexamples); i++ {
				also := &a.Counterexamples[i]
				add("also", fmt.Sprintf("%s: %s (%s)", also.Violations[0], answertext.Schedule(also.Schedule), also.Minimality()))
			}
			each("past", a.Search.Past)
		}
		add("scope", scopeText(a))
		add("rounds", c.ofRounds())
		if a.Asynchronous != nil {
			add("async", a.Asynchronous.Text)
		}
	}
	for _, k := range c.Kept {
		name := "kept"
		if k.Known {
			name = "known"
		}
		add(name, fmt.Sprintf("%s: %s", k.File, k.text()))
		if !k.Expected && k.Again != c.Again {
			add("again", k.Again)
		}
	}
	add("keeps", c.NewKept)
	add("again", c.Again)
	if c.Answer != nil {
		each("warning", c.warnings())
		add("note", answertext.ByWord(c.Answer))
	}
	return all
}
