package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/inwords"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// writeDifference writes by what two executions differ, the bad one of which was found by
// a search if there is an answer: by a fault set of that.
func writeDifference(w io.Writer, d *result.Difference, b rounds.Bounds, searched *result.Answer, set *result.Counterexample) error {
	words := causality.Describe(d, b)
	about := words.Same
	if len(d.Bad.Violations) > 0 {
		about = inwords.Broken(d.Bad.Violations)
	}
	p := newPage(string(d.Bad.Verdict), about)
	p.field("version", d.Bad.Version)
	faults := scheduleText(d.Bad.Schedule)
	if searched != nil {
		faults += "   " + sizeText(*set)
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
		return err
	}
	if drawn.Len() > 0 {
		fmt.Fprintln(p)
	}
	for line := range strings.Lines(drawn.String()) {
		p.WriteString("  " + line)
	}
	return p.writeTo(w)
}

// against says what the good execution is, and how it fares.
func against(good result.Side) string {
	text := scheduleText(good.Schedule) + ", with which "
	if good.Version != "" {
		text = good.Version + ", in which "
	}
	if len(good.Violations) > 0 {
		return text + inwords.Broken(good.Violations)
	}
	return text + "the promise is kept"
}
