package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/difference"
	"github.com/lineage-driven/ldfi/internal/inwords"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// writeDifference writes by what two executions differ.
func writeDifference(w io.Writer, d *result.Difference, c *comparison) error {
	words := difference.Of(d, c.opened.Bounds())
	about := words.Same
	if len(d.Bad.Violations) > 0 {
		about = inwords.Broken(d.Bad.Violations)
	}
	p := newPage(string(d.Bad.Verdict), about)
	faults := scheduleText(d.Bad.Schedule)
	if c.searched != nil {
		faults += "   " + sizeText(*c.searched.First())
	}
	p.field("faults", faults)
	p.field("against", against(d.Good))
	if c.searched != nil {
		p.field("scope", c.searched.Scope.Text+scopeEnd(c.searched))
	}
	if about != words.Same {
		p.field("same", words.Same)
	}
	p.field("first", words.First)
	p.field("instead", words.Instead)
	p.field("so", words.So...)
	p.field("without", words.Without...)
	var drawn bytes.Buffer
	if err := difference.WriteTree(&drawn, d, c.opened.Bounds()); err != nil {
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
	text := scheduleText(good.Schedule) + ", with which the promise is kept"
	if len(good.Violations) > 0 {
		text = scheduleText(good.Schedule) + ", with which " + inwords.Broken(good.Violations)
	}
	return text
}
