package vet

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/graph"
)

// dependencies says which relations a relation depends on.
type dependencies map[string][]string

// components returns the number of the strongly connected component of each of
// the relations: two that depend on each other have the same one.
func (d dependencies) components() map[string]int {
	var names []string
	number := map[string]int32{}
	vertex := func(name string) int32 {
		v, known := number[name]
		if !known {
			v = int32(len(names))
			number[name] = v
			names = append(names, name)
		}
		return v
	}
	var edges graph.Edges
	for name, below := range d {
		for _, other := range below {
			edges.Add(vertex(name), vertex(other))
		}
	}
	component := map[string]int{}
	for i, members := range edges.Successors(len(names)).Components() {
		for _, v := range members {
			component[names[v]] = i
		}
	}
	return component
}

// path returns a shortest way from one relation to another, nil if there is
// none.
func (d dependencies) path(from, to string) []string {
	before := map[string]string{from: ""}
	for todo := []string{from}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == to {
			var way []string
			for name := to; name != ""; name = before[name] {
				way = append(way, name)
			}
			slices.Reverse(way)
			return way
		}
		for _, next := range d[todo[0]] {
			if _, seen := before[next]; !seen {
				before[next] = todo[0]
				todo = append(todo, next)
			}
		}
	}
	return nil
}
