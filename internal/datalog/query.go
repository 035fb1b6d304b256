package datalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Query evaluates rules over the table of an execution, as relations.Tabulator
// makes it and relations.ReadMangle reads it. It returns everything that they
// derive, sorted. The facts are in no round: their Round is 0. The dot behind the
// last rule may be left out.
func Query(ctx context.Context, table []recording.Fact, text string) ([]recording.Fact, error) {
	compiled, err := New("rules", dotted(text)).Compile()
	if err != nil {
		return nil, err
	}
	if err := fit(table, compiled); err != nil {
		return nil, err
	}
	v, err := compiled.Evaluator()
	if err != nil {
		return nil, err
	}
	if err := v.RunTable(ctx, table); err != nil {
		return nil, err
	}
	var found []recording.Fact
	for _, relation := range slices.Sorted(maps.Keys(compiled.Derives)) {
		for _, args := range v.Rows(relation) {
			found = append(found, recording.Fact{Relation: relation, Args: args})
		}
	}
	return found, nil
}

// fit reports a fact that the rules would overlook, or take for their own.
func fit(table []recording.Fact, c *Compiled) error {
	for _, f := range table {
		switch columns := c.Reads[f.Relation]; {
		case c.Derived(f.Relation):
			return fmt.Errorf("%s: the rules derive %s, and the recording has facts of it, as in %s: call the derived relation something else", c.Name, f.Relation, recording.Display(f, nil))
		case c.Read(f.Relation) && columns != len(f.Args):
			return fmt.Errorf("%s: the rules read %s with %s, and %s has %d, with the round as the last", c.Name, f.Relation, text.Plural(columns, "column"), recording.Display(f, nil), len(f.Args))
		}
	}
	return nil
}

// dotted returns rules with the dot that ends the last one.
func dotted(rules string) string {
	text := strings.TrimRight(rules, " \t\r\n")
	if text == "" || strings.HasSuffix(text, ".") {
		return rules
	}
	return text + "."
}
