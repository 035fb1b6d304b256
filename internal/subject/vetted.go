package subject

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
)

// Vetted is what looks wrong.
type Vetted struct {
	Warnings result.List[specs.Warning]  `json:"warnings"`         // of a protocol; of a system that facts of crashed processes count
	Tests    result.List[execution.Test] `json:"tests"`            // of a system
	Orders   *Orders                     `json:"orders,omitempty"` // of a protocol
	Rounds   string                      `json:"rounds,omitempty"` // of a protocol: whether it is finite for any number of rounds, or what grows
	Within   string                      `json:"within,omitempty"` // of a protocol whose promise is about the time after the last loss: what else to ask
}

// Orders say where it matters for the promise of a protocol when messages arrive, which
// is no mistake.
type Orders struct {
	Matter result.List[specs.Warning] `json:"matter"` // none: the promise is monotone
}

// Wrong tells whether anything does.
func (v *Vetted) Wrong() bool {
	return len(v.Warnings) > 0 || slices.ContainsFunc(v.Tests, func(t execution.Test) bool { return len(t.Found) > 0 })
}

// WriteText writes the warnings about a protocol, or the runs and findings of the
// self-tests of a system.
func (v *Vetted) WriteText(w io.Writer) error {
	var b bytes.Buffer
	for _, warning := range v.Warnings {
		fmt.Fprintln(&b, warning)
	}
	if v.Orders != nil {
		v.Orders.write(&b)
	}
	if v.Rounds != "" {
		fmt.Fprintln(&b, "rounds    ", text.Safe(v.Rounds))
	}
	if v.Within != "" {
		fmt.Fprintln(&b, "within    ", v.Within)
	}
	for _, t := range v.Tests {
		text.Field(&b, "", len(execution.Determinism)+2, t.Name, testText(t))
		for _, text := range t.Found {
			fmt.Fprintln(&b, text)
		}
		for _, text := range t.Matters {
			fmt.Fprintln(&b, "  where", text)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// write writes where the promise depends on the arrival times of messages.
func (o *Orders) write(b *bytes.Buffer) {
	if len(o.Matter) == 0 {
		fmt.Fprintln(b, "order      does not matter: a message that comes late or twice breaks the promise only if it misses the last round")
		return
	}
	fmt.Fprintf(b, "order      matters at %s; this is not an error:\n", text.Plural(len(o.Matter), "point"))
	for _, point := range o.Matter {
		fmt.Fprintf(b, "  %s: %s\n", point.Position, text.Safe(point.Message))
	}
}

// testText describes the runs of a self-test, and whether it found something.
func testText(t execution.Test) string {
	if t.Skipped != "" {
		return "not tested: " + t.Skipped
	}
	s := fmt.Sprintf("%s, %s", text.Plural(t.Schedules, "random schedule"), text.Plural(t.Executions, "execution"))
	if t.States > 0 || t.Compared > 0 {
		s += fmt.Sprintf(", %s, %s", text.Plural(t.States, "state"), text.Plural(t.Compared, "comparison"))
	}
	if t.Crashes > 0 {
		s += fmt.Sprintf(", %s with a restart", text.Plural(t.Crashes, "crash"))
	}
	if t.Points > 0 {
		s += fmt.Sprintf(", crashes at %d of %s", t.CrashedAt, text.Plural(t.Points, "point"))
		if len(t.Never) > 0 {
			s += fmt.Sprintf(" (never reached: %s)", strings.Join(t.Never, ", "))
		}
	}
	if t.Orders > 0 {
		s += fmt.Sprintf(", %s", text.Plural(t.Orders, "other order"))
	}
	if t.Unnamed > 0 {
		s += fmt.Sprintf("; not compared %s: no fingerprint", text.Plural(t.Unnamed, "time"))
	}
	if t.Inexact != "" && t.Name == execution.States {
		s += "; some not compared, because executions may differ: " + t.Inexact
	}
	if len(t.Found) > 0 {
		return s + ":"
	}
	if len(t.Matters) > 0 {
		return s + ": the order in which messages of a round arrive matters"
	}
	return s + ": " + fine(t)
}

// fine describes the runs of a test that found nothing.
func fine(t execution.Test) string {
	switch {
	case t.Name == execution.States && t.Compared == 0:
		return "nothing was compared"
	case t.Name == execution.States:
		return "processes in equal states do the same"
	case t.Name == execution.Durability && t.Crashes == 0:
		return "no process crashed and restarted, so nothing was tested"
	case t.Name == execution.Durability:
		return "no process forgets what it must not"
	case t.Name == execution.Orders && t.Orders == 0:
		return "no process gets messages of two others in a round"
	case t.Name == execution.Orders:
		return "none made a difference"
	case t.Inexact != "" && t.Name == execution.Determinism:
		return fmt.Sprintf("executed twice, %d of %d differ%s", t.Differed, t.Schedules, result.InexactAdvice(t.Inexact))
	case t.Name == execution.Determinism:
		return "each does the same twice"
	}
	return "nothing was found"
}
