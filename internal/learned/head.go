package learned

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// head writes what the program is, and within which bounds.
func (p *programmer) head() {
	p.line("// What the processes of the system %s do, as executions have shown it: a table, and rules that read it.", text.Safe(p.source.System))
	p.line("// ldfi learn wrote it, from %s.", text.Safe(p.source.Command))
	p.comment(p.summary()...)
	p.line("")
	p.line("// ldfi: %s", p.settings())
}

// summary says how much is known.
func (p *programmer) summary() []string {
	lines := []string{"learned within " + p.source.Bounds.String() + ",", "  from " + text.Plural(p.Answer.Stats.Executions, "execution") + fmt.Sprintf(", chosen with the seed %d", p.Answer.Search.Seed) + p.drawn()}
	if p.Complete() {
		lines = append(lines, "complete: within these bounds nothing else can happen")
	} else {
		lines = append(lines, "NOT complete: "+p.Answer.Limit.Reason+"; an execution with an unknown step counts as one that breaks the promise")
	}
	for _, left := range p.left {
		lines = append(lines, "NOT promised: "+left)
	}
	for _, name := range p.late {
		lines = append(lines, fmt.Sprintf("judged at the end: %s; a search of the system waits longer, and excuses what is only late", name))
	}
	return lines
}

// drawn says what was drawn at random, once for all executions.
func (p *programmer) drawn() string {
	s := p.Table.Settings
	s.Reliable = ""
	if s == (rounds.Settings{}) {
		return ""
	}
	return "; all had " + s.String()
}

// settings are the bounds as a program has them: in its last round nothing is lost.
func (p *programmer) settings() string {
	b := p.source.Bounds.Normal()
	all := []string{"processes=" + strings.Join(b.Processes, ","), fmt.Sprint("eot=", p.last)}
	if b.Omissions != 0 || lasting(b) {
		all = append(all, fmt.Sprint("eff=", b.LastLoss()+1))
	}
	if b.From > 1 {
		all = append(all, fmt.Sprint("from=", b.From))
	}
	for _, k := range []rounds.Kind{rounds.Crash, rounds.Omit, rounds.Isolate, rounds.Partition, rounds.Cut} {
		switch n := b.Budget(k); {
		case n == rounds.Unlimited:
			all = append(all, text.PluralWord(k.Noun())+"=unlimited")
		case n > 0:
			all = append(all, fmt.Sprintf("%s=%d", text.PluralWord(k.Noun()), n))
		}
	}
	if lasting(b) {
		all = append(all, fmt.Sprint("period=", b.Period))
	}
	if len(b.NeverCrash) > 0 {
		all = append(all, "never-crash="+strings.Join(b.NeverCrash, ","))
	}
	if len(b.Reliable) > 0 {
		all = append(all, "reliable="+strings.Join(b.Reliable, ","))
	}
	return strings.Join(all, " ")
}

// lasting tells whether there are faults that last for a phase.
func lasting(b rounds.Bounds) bool {
	return b.Isolations != 0 || b.Partitions != 0 || b.Cuts != 0
}
