package syntax

// Components returns the strongly connected components of a graph, each after
// those that its vertices have edges to.
func (s Successors) Components() [][]int32 {
	n := len(s.start) - 1
	t := tarjan{
		Successors: s,
		order:      make([]int32, n),
		low:        make([]int32, n),
		at:         make([]int32, n),
		done:       make([]bool, n),
	}
	for v := range n {
		if t.order[v] == 0 {
			t.visit(int32(v))
		}
	}
	return t.components
}

// tarjan is Tarjan's algorithm, with a path of its own in place of recursion.
type tarjan struct {
	Successors
	order, low  []int32 // when a vertex was met, from 1; the earliest that it leads to
	at          []int32 // how many of its successors were looked at
	done        []bool
	path, stack []int32
	members     []int32
	count       int32
	components  [][]int32
}

func (t *tarjan) visit(v int32) {
	t.enter(v)
	for len(t.path) > 0 {
		v := t.path[len(t.path)-1]
		if i := t.start[v] + t.at[v]; i < t.start[v+1] {
			t.at[v]++
			w := t.next[i]
			if t.order[w] == 0 {
				t.enter(w)
			} else if !t.done[w] {
				t.low[v] = min(t.low[v], t.order[w])
			}
			continue
		}
		t.path = t.path[:len(t.path)-1]
		if len(t.path) > 0 {
			u := t.path[len(t.path)-1]
			t.low[u] = min(t.low[u], t.low[v])
		}
		if t.low[v] == t.order[v] {
			t.leave(v)
		}
	}
}

func (t *tarjan) enter(v int32) {
	t.count++
	t.order[v], t.low[v] = t.count, t.count
	t.path = append(t.path, v)
	t.stack = append(t.stack, v)
}

// leave takes the component of v off the stack.
func (t *tarjan) leave(v int32) {
	i := len(t.stack) - 1
	for t.stack[i] != v {
		i--
	}
	from := len(t.members)
	t.members = append(t.members, t.stack[i:]...)
	for _, w := range t.stack[i:] {
		t.done[w] = true
	}
	t.stack = t.stack[:i]
	t.components = append(t.components, t.members[from:len(t.members):len(t.members)])
}

// Edges collects the edges of a graph.
type Edges struct {
	from, to []int32
}

// Add adds an edge.
func (e *Edges) Add(from, to int32) {
	e.from = append(e.from, from)
	e.to = append(e.to, to)
}

// Successors are the edges of a graph, sorted by the vertex where they begin.
type Successors struct {
	start, next []int32 // those of vertex v are next[start[v]:start[v+1]]
}

// Of returns the vertices to which the edges of a vertex lead.
func (s Successors) Of(v int32) []int32 { return s.next[s.start[v]:s.start[v+1]] }

// Successors sorts the edges of a graph with n vertices.
func (e *Edges) Successors(n int) Successors {
	s := Successors{start: make([]int32, n+1), next: make([]int32, len(e.to))}
	for _, v := range e.from {
		s.start[v+1]++
	}
	for v := range n {
		s.start[v+1] += s.start[v]
	}
	place := append([]int32(nil), s.start...)
	for i, v := range e.from {
		s.next[place[v]] = e.to[i]
		place[v]++
	}
	return s
}

// Specification returns, of the relations that rules give, those that nobody sends and
// that the protocol does not read: only the promise does.
func Specification(rules []*Rule) map[string]bool {
	protocol := map[string]bool{}
	for before := -1; before < len(protocol); {
		before = len(protocol)
		for _, r := range rules {
			if r.Kind == Async {
				protocol[r.Head.Relation] = true
			}
			if !protocol[r.Head.Relation] {
				continue
			}
			for _, t := range r.Body {
				if t.Atom != nil {
					protocol[t.Atom.Relation] = true
				}
			}
		}
	}
	specified := map[string]bool{}
	for _, r := range rules {
		specified[r.Head.Relation] = !protocol[r.Head.Relation]
	}
	return specified
}
