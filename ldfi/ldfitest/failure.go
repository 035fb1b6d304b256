package ldfitest

import (
	"bytes"
	"fmt"
	"strings"

	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// The limits of the lines of a failed test, which has fewer than 60 lines with those of go
// test and the log, and of a stack or a conflict in it.
const (
	mostLines   = 52
	mostDetails = 10
)

// text describes a violation for people, in few lines: it shows the execution around the
// faults and the violation. command repeats the test of the property, and host the test of
// the system.
func (o *outcome) text(command, host string) string {
	var out strings.Builder
	b := o.broken
	fmt.Fprintf(&out, "violated  %s\n", text.Safe(b.violation.String()))
	details(&out, b.violation.Conflict)
	details(&out, b.violation.Stack)
	fmt.Fprintf(&out, "  faults  %s\n", b.faults())
	for i, line := range b.because {
		fmt.Fprintf(&out, "  %-8s%s\n", []string{"because", ""}[min(i, 1)], text.Safe(line))
	}
	if b.often != "" {
		fmt.Fprintf(&out, "  often   %s\n", b.often)
	}
	if b.continued != nil {
		fmt.Fprintf(&out, "  later   %s\n", b.continued)
	}
	for _, exit := range o.exits {
		fmt.Fprintf(&out, "  also    %s: %s; %s\n", text.Safe(exit.violation.String()), exit.faults(), exit.file)
	}
	fmt.Fprintf(&out, "  found   %s\n", b.found)
	fmt.Fprintf(&out, "  kept    %s\n", b.file)
	fmt.Fprintf(&out, "  again   %s\n", command)
	fmt.Fprintf(&out, "  whole   %s\n\n", text.ShellJoin("ldfi", "inject", "--system", host, "--faults", b.schedule.String()))
	out.WriteString(b.diagram(b.execution, o.hide, mostLines-strings.Count(out.String(), "\n")))
	return out.String()
}

// details writes the first of some lines, and the number of further ones.
func details(b *strings.Builder, lines []string) {
	left := 0
	if len(lines) > mostDetails {
		left = len(lines) - mostDetails + 1
	}
	for _, line := range lines[:len(lines)-left] {
		fmt.Fprintf(b, "            %s\n", text.Safe(line))
	}
	if left > 0 {
		fmt.Fprintf(b, "            … and %d more lines\n", left)
	}
}

// around is the number of rounds before and after each fault and the violation to draw, in
// order of preference.
var around = []int{5, 3, 2, 1, 0}

// diagram draws an execution in no more than most lines, with as many rounds around the
// faults and the violation as fit.
func (b *broken) diagram(e *recording.Execution, hide []string, most int) string {
	o := diagram.Options{Hide: hide, Fold: true, Around: b.rounds(e)}
	if round, how := engine.Ends(b.violation); round > 0 {
		o.Notes = []diagram.Note{{Round: round, Text: how}}
	}
	var drawn bytes.Buffer
	for _, o.Within = range around {
		drawn.Reset()
		if err := diagram.Write(&drawn, e, o); err != nil {
			return err.Error() + "\n"
		}
		if bytes.Count(drawn.Bytes(), []byte("\n")) <= most {
			return drawn.String()
		}
	}
	lines := strings.SplitAfter(strings.TrimSuffix(drawn.String(), "\n"), "\n")
	return strings.Join(lines[:most-1], "") + fmt.Sprintf("… and %d more lines of the diagram\n", len(lines)-most+1)
}

// rounds returns the rounds in which faults begin or end, and the round of the violation.
func (b *broken) rounds(e *recording.Execution) []int {
	all := []int{}
	for _, f := range b.schedule.Faults {
		all = append(all, f.Round, max(f.Round, min(f.Until, e.Bounds.EOT)))
	}
	switch round, _ := engine.Ends(b.violation); {
	case round > 0:
		return append(all, round)
	case b.violation.Fact.Round > 0:
		return append(all, min(b.violation.Fact.Round, e.Bounds.EOT))
	}
	return append(all, e.Bounds.EOT)
}
