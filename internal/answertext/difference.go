package answertext

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// Difference is by what two executions differ, the bad one of which was found by a search
// if there is an answer: by a fault set of that.
func Difference(d *result.Difference, b rounds.Bounds, searched *result.Answer, set *result.Counterexample, style diagram.Style) (*Page, error) {
	words := causality.Describe(d, b)
	about := words.Same
	if len(d.Bad.Violations) > 0 {
		about = Broken(d.Bad.Violations)
	}
	p := newPage(string(d.Bad.Verdict), about, style)
	p.field("version", d.Bad.Version)
	faults := Schedule(d.Bad.Schedule)
	if searched != nil {
		faults += "   " + Size(*set)
	}
	p.field("faults", faults)
	p.field("against", against(d.Good))
	if searched != nil {
		p.field("scope", searched.Scope.Text+scopeEnd(searched))
	}
	if about != words.Same {
		p.field("same", words.Same)
	}
	for i, part := range words.Parts {
		p.field(causality.Beginning(i), part.First)
		p.field("instead", part.Instead)
		p.field("so", part.So...)
	}
	p.field("without", words.Without...)
	var drawn bytes.Buffer
	if err := causality.WriteTree(&drawn, d, b); err != nil {
		return nil, err
	}
	if drawn.Len() > 0 {
		p.space()
	}
	for line := range strings.Lines(drawn.String()) {
		p.text.WriteString("  " + line)
	}
	return p, nil
}

// against says what the good execution is, and how it fares.
func against(good result.Side) string {
	text := Schedule(good.Schedule) + ": "
	if good.Version != "" {
		text = good.Version + ": "
	}
	if len(good.Violations) > 0 {
		return text + Broken(good.Violations)
	}
	return text + "the promise is kept"
}

// NotFound is an answer about one of two versions where no set of faults was found that
// breaks it and not the other, which the heading says.
func NotFound(a *result.Answer, heading string, style diagram.Style) *Page {
	p := newPage(string(a.Verdict), heading, style)
	if first := a.First(); first != nil {
		p.field("faults", Schedule(first.Schedule)+"   "+Size(*first))
	}
	p.field("scope", a.Scope.Text+scopeEnd(a))
	return p
}

// Alike says in how far two versions are alike, of which one may break and the other keeps
// the promise: so many fault sets break both, and so many do not fit the other one.
func Alike(a *result.Answer, breaks, keeps string, both, unfit int) string {
	switch {
	case a.Verdict == result.Inconclusive:
		return fmt.Sprintf("no fault set was found that breaks only one of %s and %s: %s", breaks, keeps, About(a))
	case a.First() == nil:
		return fmt.Sprintf("no schedule within the bounds breaks %s or %s", breaks, keeps)
	case unfit > 0:
		return fmt.Sprintf("of %s found for %s, %d break %s too, and the others do not fit it: name another schedule by --faults", text.Plural(both+unfit, "fault set"), breaks, both, keeps)
	case both == 1:
		return fmt.Sprintf("the only minimal fault set that breaks %s breaks %s too: name another schedule by --faults", breaks, keeps)
	}
	return fmt.Sprintf("each of the %d fault sets found for %s breaks %s too: name another schedule by --faults", both, breaks, keeps)
}
