package dedalus

import "slices"

// graph says which relations a relation depends on.
type graph map[string][]string

// components returns the number of the strongly connected component of each of
// the names: two relations that depend on each other have the same one.
func (g graph) components(names []string) map[string]int {
	t := &tarjan{graph: g, index: map[string]int{}, low: map[string]int{}, component: map[string]int{}}
	for _, name := range names {
		if t.index[name] == 0 {
			t.visit(name)
		}
	}
	return t.component
}

// tarjan is Tarjan's algorithm with a stack of its own.
type tarjan struct {
	graph      graph
	index, low map[string]int // from 1
	open       []string       // visited, without a component yet
	component  map[string]int
}

func (t *tarjan) visit(root string) {
	type frame struct {
		name string
		next int // in the relations that it depends on
	}
	t.enter(root)
	for stack := []frame{{name: root}}; len(stack) > 0; {
		f := &stack[len(stack)-1]
		if below := t.graph[f.name]; f.next < len(below) {
			name := below[f.next]
			f.next++
			if t.index[name] == 0 {
				t.enter(name)
				stack = append(stack, frame{name: name})
			} else if t.component[name] == 0 {
				t.low[f.name] = min(t.low[f.name], t.index[name])
			}
			continue
		}
		t.leave(f.name)
		stack = stack[:len(stack)-1]
		if len(stack) > 0 {
			above := stack[len(stack)-1].name
			t.low[above] = min(t.low[above], t.low[f.name])
		}
	}
}

func (t *tarjan) enter(name string) {
	t.index[name] = len(t.index) + 1
	t.low[name] = t.index[name]
	t.open = append(t.open, name)
}

// leave closes the component that a relation is the first of.
func (t *tarjan) leave(name string) {
	if t.low[name] != t.index[name] {
		return
	}
	for {
		last := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.component[last] = t.index[name]
		if last == name {
			return
		}
	}
}

// path returns a shortest way from one relation to another, nil if there is
// none.
func (g graph) path(from, to string) []string {
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
		for _, next := range g[todo[0]] {
			if _, seen := before[next]; !seen {
				before[next] = todo[0]
				todo = append(todo, next)
			}
		}
	}
	return nil
}
