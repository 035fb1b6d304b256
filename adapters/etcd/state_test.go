package etcd

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// text returns the text of a value.
func text(value any) string {
	var b bytes.Buffer
	new(state).write(&b, value)
	return b.String()
}

func TestState(t *testing.T) {
	type message struct{ To, Term uint64 }
	type inflights struct {
		start, count, size int
		buffer             []uint64
	}
	type node struct {
		term   uint64
		votes  map[uint64]bool
		data   []byte
		msgs   []*message
		ins    *inflights
		self   *node
		step   func()
		logger any
	}
	n := &node{
		term: 3, votes: map[uint64]bool{10: true, 2: false}, data: []byte("x"),
		msgs: []*message{{2, 1}, {1, 1}, {2, 0}},
		ins:  &inflights{start: 2, count: 2, size: 3, buffer: []uint64{7, 8, 9}},
		step: func() {}, logger: "what it logs",
	}
	n.self = n
	require.Equal(t, `{term:3 votes:(2:false 10:true ) data:"x" msgs:{To:1 Term:1 } {To:2 Term:1 } {To:2 }  ins:<9 7 > }`, text(n))
}

// The text of a node has what its wrappers keep.
func TestStateOfWrappers(t *testing.T) {
	type inner struct {
		Node
		waiting []string
	}
	type outer struct {
		Node
		ticks int
	}
	of := func(ticks int, waiting ...string) string {
		var b bytes.Buffer
		new(state).node(&b, &outer{inner{raw{}, waiting}, ticks})
		return b.String()
	}
	require.Equal(t, `ticks:2 waiting:["x" ] 7`, of(2, "x"))
	require.NotEqual(t, of(2, "x"), of(2, "y"))
	require.NotEqual(t, of(2, "x"), of(3, "x"))
}

// raw is a node that is no wrapper.
type raw struct{ Node }

func (raw) Raw() any { return 7 }
