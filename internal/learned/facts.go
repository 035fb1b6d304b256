package learned

import (
	"fmt"

	"github.com/lineage-driven/ldfi/specs"
)

// facts writes how what is reported becomes facts, and what is in the sets.
func (p *programmer) facts() error {
	if len(p.relations) == 0 {
		return nil
	}
	p.comment("The facts that processes report, in their rounds. Who has crashed goes on in the table, but nobody hears of it.")
	if err := p.rules(factRules); err != nil {
		return err
	}
	for _, r := range p.relations {
		columns, more := "", ""
		for i := range r.columns {
			columns += fmt.Sprintf("X%d, ", i)
			more += fmt.Sprintf(", X%d", i)
		}
		if err := p.rules(relationRules, given(r.name), given(r.given), columns, more); err != nil {
			return err
		}
	}
	return nil
}

// together writes what is in the sets.
func (p *programmer) together() {
	if len(p.relations) == 0 {
		return
	}
	p.comment("What is reported together.")
	for n, set := range p.Table.Sets {
		for _, f := range set {
			p.fact(1, p.relationOf[f].given, append([]specs.Value{p.sets[n]}, p.rewritten(p.Table.Facts[f].Args)...)...)
		}
	}
}
