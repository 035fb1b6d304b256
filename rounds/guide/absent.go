package guide

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// mostNames limits the names that a warning lists.
const mostNames = 12

// Names returns the names of relations, kinds of messages and processes that an execution has,
// each kind of name sorted.
func Names(e *recording.Execution) (all []Named) {
	seen := map[Named]bool{}
	add := func(of, name string) {
		if n := (Named{Of: of, Name: name}); name != "" && !seen[n] {
			seen[n] = true
			all = append(all, n)
		}
	}
	for _, p := range e.Bounds.Processes {
		add("process", p)
	}
	for _, m := range e.Messages {
		add("process", m.From)
		add("process", m.To)
		add("kind", kindOf(&m))
	}
	for _, f := range e.Facts {
		add("relation", f.Relation)
	}
	slices.SortFunc(all, compareNames)
	return all
}

func compareNames(a, b Named) int {
	return slices.Compare([]string{a.Of, a.Name}, []string{b.Of, b.Name})
}

// Absent returns warnings of the names in the guide that no execution has: had are those of
// the executions. A name that stands first in a rule that may never fire may be absent.
func (g *Guide) Absent(had []Named) (all []specs.Warning) {
	for _, n := range g.named {
		var others []string
		for _, h := range had {
			if h.Of == n.Of && !slices.Contains(others, h.Name) {
				others = append(others, h.Name)
			}
		}
		if slices.Contains(others, n.Name) || g.ruleAt(n.Line).never {
			continue
		}
		slices.Sort(others)
		what := map[string]string{"kind": "sends a message of kind", "process": "has a process", "relation": "reports a fact of"}[n.Of]
		message := fmt.Sprintf("no execution %s %q%s", what, n.Name, text.DidYouMean(n.Name, slices.Concat(others, n.others())))
		if len(others) > 0 {
			if more := len(others) - mostNames; more > 0 {
				others = append(others[:mostNames], fmt.Sprintf("%d more", more))
			}
			message += "; there is " + text.List(others, "and")
		}
		all = append(all, specs.Warning{Position: n.Position, Message: text.SafeLines(message), Excerpt: g.lines[n.Line-1]})
	}
	return all
}

// others returns the names that there are in every execution.
func (n Named) others() (names []string) {
	if n.Of != "relation" {
		return nil
	}
	for _, r := range slices.Concat(datalog.Environment, language.Given) {
		names = append(names, r.Name)
	}
	return names
}

// ruleAt returns the rule of the file that begins last up to a line.
func (g *Guide) ruleAt(line int) *rule {
	last := g.rules[0]
	for _, r := range g.rules[:g.own] {
		if at := r.source.Position.Line; at <= line && at >= last.source.Position.Line {
			last = r
		}
	}
	return last
}
