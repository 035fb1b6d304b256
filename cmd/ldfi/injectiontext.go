package main

import (
	"io"

	"github.com/lineage-driven/ldfi/internal/inwords"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// writeInjection writes what happened in one execution.
func writeInjection(w io.Writer, in *result.Injection, d drawing) error {
	verdict, about := string(in.Verdict), "the promise is kept in this execution"
	switch {
	case in.Verdict == result.Violated:
		about = inwords.Broken(in.Violations)
	case in.Verdict == "":
		verdict, about = "executed", "the program promises nothing"
	case in.Execution.System != "":
		about = "no property is violated in this execution"
	}
	if in.Repeats != nil && in.Repeats.Broken == 0 {
		about = "no property is violated in any of these executions"
	}
	p := newPage(verdict, about)
	p.field("faults", scheduleText(in.Schedule))
	if in.Repeats != nil {
		p.field("often", in.Repeats.Replayed())
	}
	if len(in.Violations) > 0 {
		p.field("stack", in.Violations[0].Stack...)
		p.field("conflict", in.Violations[0].Conflict...)
	}
	if in.Continued != nil {
		p.field("later", in.Continued.String())
	}
	p.field("but", subject.Lateness(in))
	p.field("because", in.Because...)
	if err := p.diagram(in.Execution, in.Violations, d); err != nil {
		return err
	}
	return p.writeTo(w)
}
