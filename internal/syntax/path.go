package syntax

import "slices"

// Path returns a shortest path from one vertex to another along edges, nil if there
// is none.
func Path[V comparable](from, to V, edges func(V) []V) []V {
	before := map[V]V{from: from}
	for todo := []V{from}; len(todo) > 0; todo = todo[1:] {
		v := todo[0]
		if v == to {
			path := []V{v}
			for ; v != from; v = before[v] {
				path = append(path, before[v])
			}
			slices.Reverse(path)
			return path
		}
		for _, next := range edges(v) {
			if _, seen := before[next]; !seen {
				before[next] = v
				todo = append(todo, next)
			}
		}
	}
	return nil
}

// Components returns the strongly connected components of a graph, each after those
// that its vertices have edges to. Edges to what is none of the vertices do not count.
func Components[V comparable](vertices []V, edges func(V) []V) [][]V {
	number := make(map[V]int32, len(vertices))
	for i, v := range vertices {
		number[v] = int32(i)
	}
	var e Edges
	for i, v := range vertices {
		for _, next := range edges(v) {
			if to, known := number[next]; known {
				e.Add(int32(i), to)
			}
		}
	}
	var all [][]V
	for _, members := range e.Successors(len(vertices)).Components() {
		var component []V
		for _, i := range members {
			component = append(component, vertices[i])
		}
		all = append(all, component)
	}
	return all
}
