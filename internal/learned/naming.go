package learned

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// reported is a relation of facts, with so many columns beside the round.
type reported struct {
	relation string // of the system
	columns  int
	name     string // in the program
	given    string // of what is in a set
}

// kind is what one process sends another in a round: messages of the same kinds.
type kind struct {
	relation string // of the messages
	sends    string // of what is sent
}

// taken returns the names that the relations of the table cannot have: those of the
// language, of recordings and of the properties.
func (p *programmer) taken() names {
	taken := names{}
	for _, name := range []string{syntax.Crash, syntax.Booted, "violation", "pre", "post", "good", "include", "choose", "notin"} {
		taken[name] = true
	}
	for _, r := range datalog.Environment {
		taken[r.Name] = true
	}
	for _, promised := range p.promised {
		for relation := range promised.rules.Derives {
			taken[promised.name(relation)] = true
		}
	}
	return taken
}

// nameFacts names the relations of facts. A property reads them by the names that they
// have in tables.
func (p *programmer) nameFacts(taken names) {
	type kind struct {
		relation string
		columns  int
	}
	known := map[kind]*reported{}
	for _, f := range p.Table.Facts {
		k := kind{f.Relation, len(f.Args)}
		if known[k] == nil {
			known[k] = &reported{relation: f.Relation, columns: len(f.Args)}
			p.relations = append(p.relations, known[k])
		}
		p.relationOf = append(p.relationOf, known[k])
	}
	slices.SortFunc(p.relations, func(r, s *reported) int {
		return cmp.Or(cmp.Compare(r.relation, s.relation), cmp.Compare(r.columns, s.columns))
	})
	for _, r := range p.relations { // what is read first, so that nothing else has its name
		if p.read(r) {
			r.name = taken.of(datalog.TableName(r.relation))
		}
	}
	for _, promised := range p.promised {
		for relation := range promised.rules.Reads {
			taken[relation] = true
		}
	}
	for _, r := range p.relations {
		if r.name == "" {
			r.name = taken.of(datalog.TableName(r.relation))
		}
	}
	for _, r := range p.relations {
		r.given = taken.of("reports_" + r.name)
	}
}

// read tells whether a property reads these facts.
func (p *programmer) read(r *reported) bool {
	return slices.ContainsFunc(p.promised, func(promised *promised) bool {
		columns, ok := promised.rules.Reads[datalog.TableName(r.relation)]
		return ok && columns == r.columns+1
	})
}

// nameMessages names the relations of messages, by their kinds.
func (p *programmer) nameMessages(taken names) {
	byKinds := map[string]*kind{}
	p.kindOf = make([]*kind, len(p.Table.Messages))
	for i, list := range p.Table.Messages[1:] {
		var kinds []string
		for _, m := range list {
			if k := identifier(m.Kind); !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
		name := strings.Join(kinds, "_and_")
		if len(name) > longest {
			name = "messages"
		}
		k := byKinds[name]
		if k == nil {
			k = &kind{relation: taken.of(name)}
			k.sends = taken.of("sends_" + k.relation)
			byKinds[name] = k
			p.kinds = append(p.kinds, k)
		}
		p.kindOf[i+1] = k
	}
}

// nameValues says what processes, states, lists of messages and sets of facts are
// called.
func (p *programmer) nameValues() {
	for i, name := range p.Table.Processes {
		p.processes = append(p.processes, p.value(specs.String(name)))
		states := texts{taken: names{}}
		p.states = append(p.states, states.all("state", p.Table.States[i]))
		for _, line := range states.explained {
			p.legend = append(p.legend, "  of "+name+": "+line)
		}
	}
	var lists, sets []string
	for _, list := range p.Table.Messages[1:] {
		var all []string
		for _, m := range list {
			all = append(all, strings.TrimSpace(m.Kind+" "+m.Text))
		}
		lists = append(lists, strings.Join(all, "; "))
	}
	for _, set := range p.Table.Sets[1:] {
		var all []string
		for _, f := range set {
			all = append(all, recording.Display(p.Table.Facts[f], p.Table.Processes))
		}
		sets = append(sets, strings.Join(all, "; "))
	}
	p.lists, p.sets = p.orNothing("messages", lists), p.orNothing("facts", sets)
}

// orNothing returns what things are called, the first of which is nothing.
func (p *programmer) orNothing(name string, things []string) []specs.Value {
	t := texts{taken: names{nothing: true}}
	all := append([]specs.Value{specs.String(nothing)}, t.all(name, things)...)
	for _, line := range t.explained {
		p.legend = append(p.legend, "  "+line)
	}
	return all
}

// nothing is what no messages and no facts are called.
const nothing = "-"
