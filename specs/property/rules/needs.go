package rules

import (
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/text"
)

// lineage checks the relations that say what an outcome needs: both are about
// outcomes of equally many columns, those of post if there is one.
func (r *rules) lineage() {
	outcome, known := r.defined["post"]
	whose := "post"
	for _, l := range []struct {
		name    string
		columns int
		text    string
	}{
		{datalog.Needs, 3, "From, To and Round"},
		{datalog.NeedsSome, 5, "Group, N, From, To and Round"},
	} {
		have, defined := r.defined[l.name]
		switch {
		case !defined:
		case have < l.columns:
			r.report(r.derived(l.name), "%s has %s here, and needs %d: those of the outcome, then %s", l.name, text.Plural(have, "column"), l.columns, l.text)
		case known && have-l.columns != outcome:
			r.report(r.derived(l.name), "%s has %s here, and needs %d: the %d of %s, then %s", l.name, text.Plural(have, "column"), outcome+l.columns, outcome, whose, l.text)
		case !known:
			outcome, known, whose = have-l.columns, true, l.name+"'s outcome"
		}
	}
}
