package answertext

import (
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Remark says what else there is to know about an execution whose verdict is known:
// that something was late, and how many others there were if they may differ. It is
// empty if there is nothing.
func Remark(in *result.Injection) string {
	late := Lateness(in)
	switch {
	case in.Repeats == nil:
		return late
	case late == "":
		return in.Repeats.Replayed()
	default:
		return in.Repeats.Replayed() + "; " + late
	}
}

// Lateness says what was late in an execution; empty if nothing was.
func Lateness(in *result.Injection) string {
	if len(in.Awaited) == 0 {
		return ""
	}
	return in.Late.Of(in.Awaited[0].String())
}

// Reason says why an answer is inconclusive, and how far the search came. It is
// empty if the answer is another.
func Reason(a *result.Answer) string {
	switch {
	case a.Verdict != result.Inconclusive || a.Limit == nil:
		return ""
	case a.Decided > 0:
		return fmt.Sprintf("%s; with eot=%d it is decided", a.Limit.Reason, a.Decided)
	default:
		return a.Limit.Reason
	}
}

// Warnings returns what is to be known about an answer, one a line: warnings
// about the program, that the promise is vacuous, and what is taken for granted.
func Warnings(a *result.Answer) []string {
	var texts []string
	for _, w := range a.Warnings {
		place := w.Position.String()
		if w.Line == 0 {
			place = w.File
		}
		texts = append(texts, place+": "+w.Message)
	}
	if a.Vacuity != "" {
		texts = append(texts, "the promise is vacuous: "+a.Vacuity)
	}
	if s := a.Search; s != nil && s.Certificate != nil && s.Certificate.Assumption != "" {
		texts = append(texts, "assuming: "+s.Certificate.Assumption)
	}
	if s := a.Search; s != nil && s.Late != nil {
		texts = append(texts, s.Late.String())
	}
	if s := a.Search; s != nil && s.Inexact != "" && a.Verdict == result.Inconclusive {
		texts = append(texts, result.InexactUnseen(s.Inexact))
	}
	return texts
}

// ByWord says that there is a certificate of a host; "" of other answers.
func ByWord(a *result.Answer) string {
	if a == nil || a.Search == nil || !a.Search.ByHost || a.Search.Certificate == nil {
		return ""
	}
	return "the host searched by itself, and ldfi did not check its certificate"
}

// Executions is how many there were: to the first violation (systems), or
// altogether (protocols).
func Executions(a *result.Answer) int {
	if a.Search != nil {
		return a.Search.Executions
	}
	return a.Stats.Executions
}
