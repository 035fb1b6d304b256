package lockstep_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// chosenNaively calls give for the facts that a schedule chooses of a statement, and
// for those that hold because it chooses none.
func chosenNaively(p *dedalus.Program, c *syntax.Choose, b rounds.Bounds, s rounds.Schedule, give func(round int, args row)) {
	type alternative struct {
		args  row
		round int
	}
	var keys []string
	groups := map[string][]alternative{}
	for round := 1; round <= b.EOT; round++ {
		in := slices.ContainsFunc(c.Rounds.Ranges, func(r syntax.Range) bool {
			return int(r.First.Int()) <= round && round <= int(r.Last.Int())
		})
		if !in && c.Rounds.Word == "" {
			continue
		}
		for _, args := range product(p, c, b) {
			key := ""
			if c.Separate() {
				key = fmt.Sprint(round)
			}
			for i, o := range c.Columns {
				if o.Word == syntax.Each {
					key += " " + args[i].String()
				}
			}
			if groups[key] == nil {
				keys = append(keys, key)
			}
			groups[key] = append(groups[key], alternative{args, round})
		}
	}
	for _, key := range keys {
		chosen := 0
		for _, a := range groups[key] {
			text := "choose " + recordingText(c.Relation, a.args, a.round)
			if slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.String() == text }) {
				give(a.round, a.args)
				chosen++
			}
		}
		if first := groups[key][0]; chosen == 0 && c.Mode == "one" {
			give(first.round, first.args)
		}
	}
}

// recordingText writes a fact with its round.
func recordingText(relation string, args row, round int) string {
	text := (&syntax.Fact{Relation: relation, Args: args, Round: round}).String()
	return strings.TrimSuffix(text, ";")
}

// product returns all facts of a statement.
func product(p *dedalus.Program, c *syntax.Choose, b rounds.Bounds) []row {
	all := []row{nil}
	for _, o := range c.Columns {
		var values []specs.Value
		for _, name := range b.Processes {
			if o.Word != "" {
				values = append(values, p.ProcessValue(name))
			}
		}
		for _, r := range o.Ranges {
			if !r.First.IsInt() {
				values = append(values, r.First)
				continue
			}
			for n := r.First.Int(); n <= r.Last.Int(); n++ {
				values = append(values, specs.Int(n))
			}
		}
		var longer []row
		for _, args := range all {
			for _, v := range values {
				longer = append(longer, append(slices.Clone(args), v))
			}
		}
		all = longer
	}
	return all
}
