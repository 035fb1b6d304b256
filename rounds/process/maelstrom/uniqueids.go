package maelstrom

import (
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// UniqueIDs is the workload in which nodes make names that nobody has made before:
//
//	generate  →  generate_ok {"id": 123}
type UniqueIDs struct{ common }

func (UniqueIDs) asks(int, int) Body { return Body{"type": "generate"} }
func (UniqueIDs) services() []string { return services }

func (UniqueIDs) promises(until int) []property.Property {
	const name = "ids are unique"
	return []property.Property{answered(until), {Name: name, FactsOnly: true, Func: func(e *recording.Execution) (all []result.Violation) {
		first := map[string]*operation{}
		for _, o := range asks(history(e), "generate") {
			id, has := o.told["id"]
			switch before := first[compact(id)]; {
			case o.told == nil:
			case !o.succeeded() || !has:
				all = append(all, violation(name, o.says()+", without an id", o.reply))
			case before != nil:
				all = append(all, violation(name, before.says()+"; and "+o.says(), before.reply, o.reply))
			default:
				first[compact(id)] = o
			}
		}
		return all
	}}}
}
