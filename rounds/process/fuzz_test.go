package process

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
	"github.com/stretchr/testify/require"
)

// frame is an answer of a node, without its length.
func frame(status uint32, events ...network.Event) []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 24), status)
	for _, e := range events {
		b = binary.LittleEndian.AppendUint64(append(b, e.Kind), e.ID)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(e.Bytes)))
		b = append(b, e.Bytes...)
	}
	return b
}

// addresses are two addresses of nodes, as events have them.
func addresses(from, fromPort, to, toPort byte) []byte {
	return []byte{10, 0, 0, from, fromPort, 0, 10, 0, 0, to, toPort, 0}
}

// FuzzFrames lets two nodes answer with any bytes, one after the other, and brings each
// what the other sends: that is an error, or taken, and nothing panics.
func FuzzFrames(f *testing.F) {
	listens, dials := network.Event{Kind: 'L', Bytes: addresses(1, 80, 0, 0)}, network.Event{Kind: 'D', ID: 1, Bytes: addresses(2, 90, 1, 80)}
	joined := func(frames ...[]byte) (all []byte) {
		for _, b := range frames {
			all = append(binary.LittleEndian.AppendUint32(all, uint32(len(b))), b...)
		}
		return all
	}
	f.Add(joined(frame(runs, listens), frame(runs, dials), frame(runs), frame(runs, network.Event{Kind: 'B', ID: 1, Bytes: []byte("GET / HTTP/1.1\r\n\r\n")}),
		frame(runs, network.Event{Kind: 'a', ID: 1<<32 + 1}, network.Event{Kind: 'r', ID: 1<<32 + 1, Bytes: []byte{18, 0, 0, 0}}), frame(runs, network.Event{Kind: 'C', ID: 1})))
	f.Add(joined(frame(runs, listens), frame(runs, dials, network.Event{Kind: 'X', ID: 1}), frame(0, network.Event{Kind: 'l', Bytes: addresses(1, 80, 0, 0)})))
	f.Add(joined(frame(runs, network.Event{Kind: 'U', Bytes: append(addresses(1, 5, 2, 6), "text"...)}), frame(goesOn, network.Event{Kind: 'K', Bytes: []byte{'C', 0, 0, 0, 0, 0, 0, 0, 0, 'A', 0}})))
	f.Add(joined(frame(runs, network.Event{Kind: 'O', Bytes: []byte(toldBegins + `["fact","a",1]`)}, network.Event{Kind: 'E', Bytes: []byte("level=info msg=x\n")}, network.Event{Kind: 'N', Bytes: []byte("cgo\n")})))
	f.Fuzz(func(t *testing.T, all []byte) {
		nodes := newPair()
		for turn := 0; len(all) >= 4 && turn < 100; turn++ {
			size := binary.LittleEndian.Uint32(all)
			if all = all[4:]; size < sizeOfAnswer || uint64(size) > uint64(len(all)) {
				return
			}
			if !nodes.answer(nodes[turn%2], all[:size]) {
				return
			}
			all = all[size:]
		}
	})
}

// twoNodes are nodes without programs, and the network between them.
type twoNodes [2]*process

func newPair() (nodes twoNodes) {
	c := &Cluster{Nodes: []Node{{Name: "n1"}, {Name: "n2"}}}
	for i := range nodes {
		p := &process{program: &program{cluster: c, Node: c.Nodes[i], index: i}, disk: disk.New()}
		p.host = network.New(network.Options{Name: p.Name, Names: []string{"n1", "n2"}, Elsewhere: func(e network.Event) { p.events = append(p.events, e) }})
		p.child = &child{name: p.Name, disk: p.replay, lines: map[byte]*lines{output: {}, errorOutput: {}}}
		nodes[i] = p
	}
	return nodes
}

// answer takes an answer of a node, and brings the other one what it sends. It tells whether
// that was an answer.
func (nodes twoNodes) answer(p *process, b []byte) bool {
	a, err := p.child.read(b)
	if err != nil {
		return false
	}
	for _, e := range a.events {
		if p.take(e) != nil {
			return false
		}
	}
	p.host.Settle()
	p.host.Collect(func(_ string, payload any) { nodes[1-p.index].host.Deliver(p.Name, payload) })
	if a.ended {
		p.host.Leave()
	}
	p.told, p.events = nil, nil
	return true
}

// FuzzStepLine reads any line as the answer of a node of the step protocol: it is an error,
// or what it says can be sent and reported.
func FuzzStepLine(f *testing.F) {
	for _, line := range []string{
		`{"id":1,"again":true,"random":true}`, `{"id":1,"send":[{"to":"n1","kind":"a","args":[1,"x",{"b":null}]}],"facts":[["leader",2],["a","b"]],"durable":{"a":1}}`,
		`{"id":1,"error":"no"}`, `{"id":1,"facts":[["log",1]]}`, `{"id":1,"send":null,"facts":null,"durable":null}`, `{"id":1,"facts":[["a",1e3]]}`, `{"id":1} {}`, `null`,
	} {
		f.Add(line, byte(0))
		f.Add(line, byte(1))
		f.Add(line, byte(2))
	}
	f.Fuzz(func(t *testing.T, line string, what byte) {
		q := &stepRequest{ID: 1, Do: []string{doStart, doSend, doReceive}[what%3]}
		a, err := readStep([]byte(line), q, []string{"n1", "n2"})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		for _, m := range a.Send {
			said := m.payload()
			require.True(t, json.Valid([]byte(said.args)))
			require.Equal(t, said.args, "["+said.String()+"]")
			again, err := (&stepRequest{Do: doReceive, Messages: []stepMessage{{From: "n1", Kind: said.kind, Args: json.RawMessage(said.args)}}}).line()
			require.NoError(t, err)
			require.Equal(t, 1, bytes.Count(again, []byte("\n")), "it is one line")
		}
		for _, fact := range a.Facts {
			require.IsType(t, "", fact[0])
			require.False(t, slices.Contains([]string{"", "log", "exit", "up"}, fact[0].(string)))
		}
	})
}

// Random events of two nodes, of connections that there are as well, are an error or taken,
// and nothing panics.
func TestRandomEvents(t *testing.T) {
	random, errors := rand.New(rand.NewPCG(1, 28)), 0
	for range 3000 {
		nodes := newPair()
		dialed := [2][]uint64{{1 << 32}, {1 << 32}}
		for turn := range 12 {
			p, ids := nodes[turn%2], &dialed[turn%2]
			var events []network.Event
			for range random.IntN(4) {
				e := network.Event{Kind: "LlDDaBBBrcCXU"[random.IntN(13)], ID: (*ids)[random.IntN(len(*ids))]}
				if random.IntN(2) == 0 {
					e.ID = 1<<32 + uint64(random.IntN(3))
				}
				switch e.Kind {
				case 'L', 'l':
					e.Bytes = addresses(byte(turn%2+1), 80, 0, 0)
				case 'D', 'U':
					e.ID = uint64(len(*ids))
					if e.Kind == 'D' {
						*ids = append(*ids, e.ID)
					}
					e.Bytes = addresses(byte(turn%2+1), byte(random.IntN(3)), byte(2-turn%2), 80)
				case 'r':
					e.Bytes = []byte{byte(random.IntN(5)), 0, 0, 0}
				case 'B':
					e.Bytes = make([]byte, random.IntN(100))
				}
				if random.IntN(200) == 0 {
					e.Kind, e.Bytes = byte(random.IntN(256)), e.Bytes[:random.IntN(len(e.Bytes)+1)]
				}
				events = append(events, e)
			}
			if !nodes.answer(p, frame(runs, events...)) {
				errors++
				break
			}
		}
	}
	require.Less(t, errors, 2000, "most go on for some rounds")
}
