package maelstrom

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/specs/property"
)

// Broadcast is the workload in which what one node is told has to reach all:
//
//	topology {"topology": {"n0": ["n1"], ..}}  →  topology_ok
//	broadcast {"message": 7}                   →  broadcast_ok
//	read                                       →  read_ok {"messages": [7, ..]}
type Broadcast struct {
	// Topology are the neighbours of each node. Without it, the nodes are laid out
	// in a grid, in which n0 is beside n1 and above the first of the next row.
	Topology map[string][]string

	common
}

func (Broadcast) asks(n, _ int) Body { return Body{"type": "broadcast", "message": n} }
func (Broadcast) final() Body        { return Body{"type": "read"} }

func (b Broadcast) setup(nodes []string) (Body, error) {
	neighbours := b.Topology
	if neighbours == nil {
		neighbours = grid(nodes)
	}
	for _, node := range slices.Sorted(maps.Keys(neighbours)) {
		for _, name := range append([]string{node}, neighbours[node]...) {
			if !slices.Contains(nodes, name) {
				return nil, fmt.Errorf("the Topology of the workload names %s, and the nodes are %s: maelstrom.Names gives them other names", name, strings.Join(nodes, ", "))
			}
		}
	}
	return Body{"type": "topology", "topology": neighbours}, nil
}

func (Broadcast) promises(until int) []property.Property {
	return []property.Property{
		everywhere("every value reaches all", "broadcast", "message", "messages"),
		invented("no value is invented", "broadcast", "message", "messages"),
		answered(until),
	}
}

// grid returns who is beside whom, if the nodes stand in rows of a square, the last
// of which may be shorter.
func grid(nodes []string) map[string][]string {
	width := int(math.Ceil(math.Sqrt(float64(len(nodes)))))
	neighbours := make(map[string][]string, len(nodes))
	for i, node := range nodes {
		neighbours[node] = []string{}
		for _, j := range []int{i - width, i - 1, i + 1, i + width} {
			if j >= 0 && j < len(nodes) && (j%width == i%width || j/width == i/width) {
				neighbours[node] = append(neighbours[node], nodes[j])
			}
		}
	}
	return neighbours
}
