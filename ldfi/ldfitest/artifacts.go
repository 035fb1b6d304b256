package ldfitest

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/report"
	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// keepsArtifacts tells whether go test is to keep files of its tests.
func keepsArtifacts() bool {
	on := flag.Lookup("test.artifacts")
	return on != nil && on.Value.String() == "true"
}

// keepArtifacts writes the recording of an execution, its diagram and a report to the place
// where go test keeps such files, and returns a text that names the place.
func keepArtifacts(t *testing.T, o *outcome, command, host string) string {
	switch {
	case !keepsArtifacts() && listened():
		return ""
	case !keepsArtifacts():
		return "go test -artifacts keeps the recording of the execution, and a report; ldfi test has all systems in one table and one report.\n"
	}
	name := func(file string) string { return filepath.Join(t.ArtifactDir(), file) }
	lines, drawing, page := name("recording.jsonl"), name("diagram.txt"), name("report.html")
	if err := errors.Join(
		files.Replace(lines, o.broken.execution.WriteLines),
		files.Replace(drawing, func(w io.Writer) error { return diagram.Write(w, o.broken.execution, diagram.Options{All: true}) }),
		files.Replace(page, func(w io.Writer) error { return o.report(w, t.Name(), command, host) }),
	); err != nil {
		t.Error(err)
	}
	return fmt.Sprintf("The recording is %s, the diagram %s, and the report %s.\n", lines, drawing, page)
}

// plain is the execution without the faults of a schedule.
type plain struct {
	execution  *recording.Execution
	violations []result.Violation
}

// withoutFaults executes the choices and settings of a schedule, without its faults; nil if
// that fails.
func (c *check) withoutFaults(ctx context.Context, t *engine.Target, s rounds.Schedule) *plain {
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind != rounds.Choose })
	r, err := t.Replay(ctx, s, c.options.Bounds.EOT)
	if err != nil {
		return nil
	}
	return &plain{r.Execution, r.Left}
}

// report writes the violations as one HTML page.
func (o *outcome) report(w io.Writer, test, command, host string) error {
	b, e := o.broken, o.broken.execution
	p := report.NewPage(test, command, e.Bounds)
	p.Headline, p.Text = b.violation.String(), o.text(command, host)
	if o.plain != nil {
		p.Plain = p.AddExecution(o.plain.execution, o.plain.violations)
	}
	p.Fields = []report.Field{{Name: "property", Lines: []string{b.violation.Property}}, {Name: "faults", Lines: []string{b.faults()}}, {Name: "found", Lines: []string{b.found}}, {Name: "kept", Lines: []string{b.file}}}
	a := &result.Answer{Verdict: result.Violated, Counterexamples: []result.Counterexample{{
		Schedule: b.schedule, Size: b.schedule.Size(), Violations: []result.Violation{b.violation}, Execution: e, Because: slices.Concat(b.violation.Conflict, b.violation.Stack, b.because),
	}}}
	words := report.Words{
		About:  func(result.Counterexample) string { return cmp.Or(b.size, "found "+b.found) },
		Replay: func(rounds.Schedule) string { return command },
	}
	if err := p.AddAnswer(a, words); err != nil {
		return err
	}
	return report.Write(w, p)
}
