package maelstrom

import "github.com/lineage-driven/ldfi/specs/property"

// GSet is the workload of a set that only grows, and is the same everywhere in the end:
//
//	add {"element": 7}  →  add_ok
//	read                →  read_ok {"value": [7, ..]}
type GSet struct{ common }

func (GSet) asks(n, _ int) Body { return Body{"type": "add", "element": n} }
func (GSet) final() Body        { return Body{"type": "read"} }

func (GSet) promises(until int) []property.Property {
	return []property.Property{
		everywhere("every element reaches all", "add", "element", "value"),
		invented("no element is invented", "add", "element", "value"),
		answered(until),
	}
}
