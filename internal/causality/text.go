package causality

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// WriteText writes the reasons as text.
func (g *Reasons) WriteText(out io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, g.head())
	field := func(name string, lines ...string) { text.Field(&b, "  ", 9, name, text.SafeEach(lines)...) }
	field("faults", g.Schedule.String())
	field("needs", g.needs()...)
	field("lost", g.lost()...)
	field("past", g.pastLines()...)
	field("instead", g.instead()...)
	field("undone", g.undone()...)
	field("tried", g.tried()...)
	field("note", g.note()...)
	_, err := b.WriteTo(out)
	return err
}

// head says whether the fact holds.
func (g *Reasons) head() string {
	if g.Holds {
		return text.Safe(fmt.Sprintf("holds      %s in round %d, as %s reports", g.text(*g.Fact), g.Fact.Round, g.process()))
	}
	return text.Safe("absent     " + g.Query + " does not hold")
}

func (g *Reasons) process() string {
	if len(g.Fact.Args) == 0 {
		return "a process"
	}
	return g.Fact.Args[0].Text()
}

func (g *Reasons) text(f recording.Fact) string {
	f.Round = 0
	return recording.Display(f, g.bounds.Processes)
}

// needs lists the messages that the fact needs, each alone.
func (g *Reasons) needs() (lines []string) {
	if !g.Holds {
		return nil
	}
	for _, a := range g.Past {
		if !a.Needed {
			continue
		}
		if g.Executions == 0 {
			lines = append(lines, fmt.Sprintf("%s (%s)", a.link(), a.what()))
			continue
		}
		line := fmt.Sprintf("%s (%s): without it alone the fact does not hold in round %d", a.link(), a.what(), g.Fact.Round)
		if a.Later > 0 {
			line += fmt.Sprintf(", but in round %d", a.Later)
		}
		lines = append(lines, line)
	}
	switch {
	case lines != nil || len(g.Past) == 0 || g.Untried > 0 || g.Executions == 0:
		return lines
	case len(g.Together) == 0:
		return []string{"no message that others sent: with all of them lost the fact holds in its round"}
	}
	lines = []string{"no message by itself, and some of these: without all of them it does not hold, with any one of them it does"}
	for _, a := range g.Together {
		lines = append(lines, fmt.Sprintf("  %s (%s)", a.link(), a.what()))
	}
	return lines
}

// lost are the messages that were lost on the way to the process, the latest last.
func (g *Reasons) lost() (lines []string) {
	most := g.Lost[max(len(g.Lost)-mostOthers, 0):]
	if left := len(g.Lost) - len(most); left > 0 {
		lines = append(lines, text.Plural(left, "message")+" before these")
	}
	for _, a := range most {
		lines = append(lines, fmt.Sprintf("%s (%s): %s", a.link(), a.what(), a.Cause))
	}
	return lines
}

// link names the message as a schedule does.
func (a *Arrival) link() string {
	text := fmt.Sprintf("%s>%s@%d", a.From, a.To, a.Round)
	if a.Arrives != a.Round {
		text += fmt.Sprintf(", which arrives in round %d", a.Arrives)
	}
	return text
}

func (a *Arrival) what() string {
	const longest = 60
	text := []rune(strings.Join(a.Messages, "; "))
	if len(text) > longest {
		return string(text[:longest]) + "..."
	}
	return string(text)
}

// pastLines are the messages by which the process could know, one line a round.
func (g *Reasons) pastLines() (lines []string) {
	if g.Holds && len(g.Past) == 0 {
		return []string{"nothing that others sent could have reached " + g.process() + " by then: it comes from its own state, or from a request"}
	}
	for i := 0; i < len(g.Past); {
		round := g.Past[i].Round
		var links []string
		for ; i < len(g.Past) && g.Past[i].Round == round; i++ {
			links = append(links, g.Past[i].From+">"+g.Past[i].To)
		}
		lines = append(lines, fmt.Sprintf("round %d: %s", round, strings.Join(links, ", ")))
	}
	return lines
}

// instead lists the facts that hold in place of the fact of the question.
func (g *Reasons) instead() (lines []string) {
	if g.Holds {
		return nil
	}
	for _, f := range g.Instead {
		lines = append(lines, fmt.Sprintf("%s holds in round %d", g.text(f), f.Round))
	}
	if lines == nil {
		relation, _, _ := strings.Cut(g.Query, "(")
		if len(g.promised) > 0 {
			return []string{relation + " is a relation of a property: ask for a fact that processes report (" + text.List(g.promised, "or") + ")"}
		}
		return []string{"no process reports " + relation + " in this execution"}
	}
	return lines
}

// undone lists the results without single faults.
func (g *Reasons) undone() (lines []string) {
	if len(g.Schedule.Faults) == 0 && !g.Holds && g.Executions > 0 && g.promised == nil {
		return []string{"there are no faults to be undone: it does not hold without any (ldfi whatif finds what it would take)"}
	}
	for _, u := range g.Undone {
		word := "it does not hold"
		if u.Holds {
			word = "it holds"
		}
		switch {
		case u.Holds && g.Holds:
			word += " as well"
		case !u.Holds && !g.Holds:
			word += " either"
		}
		lines = append(lines, fmt.Sprintf("without %s %s", u.Fault, word))
	}
	return lines
}

// tried lists the executions of the analysis, and those left out.
func (g *Reasons) tried() []string {
	s := text.Plural(g.Executions, "execution")
	switch g.Executions {
	case 0:
		return nil
	case 1:
		return []string{s}
	}
	s += ": each fault undone alone"
	if g.Holds {
		s += ", each message of the past lost alone"
	}
	if len(g.Together) > 0 {
		s += ", and messages lost together until none could be left out (there may be other such sets)"
	}
	if g.Untried > 0 {
		s += fmt.Sprintf("; not tried is the loss of the first %s of the past", text.Plural(g.Untried, "message"))
	}
	return []string{s}
}

func (g *Reasons) note() []string {
	if g.Note == "" {
		return nil
	}
	return []string{g.Note}
}
