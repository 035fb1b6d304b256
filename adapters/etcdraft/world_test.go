package etcdraft

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/internal/strategies/tabular"
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
)

// world is a cluster in which each step has an action, as in section 4.2 of Nagendra,
// "Automated testing of distributed protocol implementations", 2024: the nodes are
// parted, by what they are and not by their names; a leader is asked; a node crashes or
// comes back. Parted nodes have some ticks, and messages arrive within a part. A message
// to another part is lost in the first tick of a step, and in the others waits for the
// next step.
type world struct {
	settings
	random   *rand.Rand
	nodes    []*placed
	messages []letter
	asked    int
	crashed  int
	same     int    // steps without a change
	before   string // the parts when the step began

	colours map[string]int32 // numbers
	states  map[string]tabular.State
	actions map[string]tabular.Action
}

// settings are the parameters of a world.
type settings struct {
	election, heartbeat int // in ticks
	crashes             int // the most in an execution; one node is down at a time
}

// The parameters that all worlds of the thesis share.
const (
	horizon   = 25 // steps of an execution
	stepTicks = 4  // of a step with a partition; any other has one
	requests  = 5  // the most in an execution
	mostSame  = 5  // as many steps without a change are told apart
	mostTerm  = 6  // higher terms are not told apart
	lastTerm  = 9  // an execution ends with a higher one
)

// placed is a node in a part of the network.
type placed struct {
	*node
	part   int
	up     bool
	status raft.BasicStatus // of when it was up
	log    []byte           // the terms of its entries
	colour string           // what it looks like
}

// letter is a message on its way.
type letter struct {
	from, to uint64
	message  *message
	text     string
}

// timeouts draws the election timeouts of a node.
type timeouts struct {
	etcd.Logger
	random  *rand.Rand
	timeout *int
	least   int
}

func (t *timeouts) attach(n *raft.RawNode) {
	f := reflect.ValueOf(n).Elem().FieldByName("raft").Elem().FieldByName("randomizedElectionTimeout")
	t.timeout = (*int)(unsafe.Pointer(f.UnsafeAddr()))
	t.draw()
}

func (t *timeouts) draw() {
	if t.timeout != nil {
		*t.timeout = t.least + t.random.IntN(t.least)
	}
}

// Infof draws when the node has become something.
func (t *timeouts) Infof(format string, _ ...any) {
	if strings.HasPrefix(format, "%x became ") {
		t.draw()
	}
}

func newWorld(s settings) *world {
	return &world{settings: s, colours: map[string]int32{}, states: map[string]tabular.State{}, actions: map[string]tabular.Action{}}
}

// begin makes the nodes. All that an execution draws follows from the seed.
func (w *world) begin(seed uint64) {
	w.random = rand.New(rand.NewPCG(seed, 0))
	w.nodes, w.messages, w.asked, w.crashed, w.same = nil, nil, 0, 0, 0
	for id := uint64(1); id <= 3; id++ {
		p := &placed{node: &node{storage: raft.NewMemoryStorage()}}
		p.settings = raft.Config{
			ID: id, ElectionTick: w.election, HeartbeatTick: w.heartbeat, CheckQuorum: true,
			MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 256, MaxUncommittedEntriesSize: 1 << 30,
			Logger: &timeouts{random: w.random, least: w.election},
		}
		w.nodes = append(w.nodes, p)
		w.start(p)
	}
	w.look()
	w.before = w.parts()
}

// start starts a node from its log. As in the published code, terms, votes and members
// are not in stable storage, the members are entries that are in the log, and a node that
// comes back does without CheckQuorum.
func (w *world) start(p *placed) {
	logger := p.settings.Logger.(*timeouts)
	logger.timeout = nil
	p.stable = &stable{config: &raftpb.ConfState{}}
	p.settings.Storage = newStorage(p.storage, p.stable, p.storage.InitialState)
	if _, err := p.Restart(); err != nil {
		panic(err)
	}
	if last, _ := p.storage.LastIndex(); last == 0 {
		if err := p.Bootstrap([]raft.Peer{{ID: 1}, {ID: 2}, {ID: 3}}); err != nil {
			panic(err)
		}
	}
	logger.attach(p.RawNode)
	p.up, p.settings.CheckQuorum = true, false
}

// work lets the nodes store and send what there is.
func (w *world) work() {
	for _, p := range w.nodes {
		if !p.up || !p.HasReady() {
			continue
		}
		var do etcd.Work
		if err := p.Ready(&do); err != nil {
			panic(err)
		}
		if err := p.storage.Append(p.ready.Entries); err != nil {
			panic(err)
		}
		for _, m := range do.Messages {
			l := letter{p.settings.ID, m.To, m.Payload.(*message), fmt.Sprint(m.Payload)}
			if !slices.ContainsFunc(w.messages, func(o letter) bool { return o.text == l.text }) {
				w.messages = append(w.messages, l)
			}
		}
		p.Advance()
	}
}

func (w *world) tick() {
	for _, p := range w.nodes {
		if p.up {
			p.Tick()
		}
	}
	w.work()
}

// deliver delivers the messages that are on their way, in any order.
func (w *world) deliver(first bool) {
	now := w.messages
	w.messages = nil
	w.random.Shuffle(len(now), func(i, j int) { now[i], now[j] = now[j], now[i] })
	within := func(l letter) bool {
		to := w.nodes[l.to-1]
		return to.up && to.part == w.nodes[l.from-1].part
	}
	for _, l := range now {
		if !first && !within(l) {
			w.messages = append(w.messages, l)
		}
	}
	for _, l := range now {
		if within(l) {
			w.nodes[l.to-1].Step(l.message)
			w.work()
		}
	}
}

// action is what is done in a step.
type action struct {
	kind  string // parts, stay, ask, crash, restart
	parts [3]int // of the nodes
	node  int    // that crashes
}

// step does an action. It tells whether the execution goes on: it ends with a term that
// is too high, and when the library panics because of what a node has forgotten.
func (w *world) step(a action) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if a.kind == "parts" {
		for i, p := range w.nodes {
			p.part = a.parts[i]
		}
	}
	w.before = w.parts()
	switch a.kind {
	case "parts", "stay":
		for i := range stepTicks {
			w.deliver(i == 0)
			w.tick()
		}
	case "ask":
		w.ask()
		w.tick()
	case "crash":
		p := w.nodes[a.node]
		p.up, p.part = false, w.alone()
		w.crashed++
		w.tick()
	case "restart":
		p := w.nodes[w.down()]
		p.part = w.alone()
		w.start(p)
		w.tick()
	}
	w.look()
	if slices.ContainsFunc(w.nodes, func(p *placed) bool { return p.term() > lastTerm }) {
		return false
	}
	if w.parts() != w.before {
		w.same = 0
	} else if w.same < mostSame-1 {
		w.same++
	}
	return true
}

// ask makes a request of one of the leaders that there are.
func (w *world) ask() {
	var leaders []*placed
	for _, p := range w.nodes {
		if p.up && p.BasicStatus().RaftState == raft.StateLeader {
			leaders = append(leaders, p)
		}
	}
	if len(leaders) > 0 {
		w.asked++
		_ = leaders[w.random.IntN(len(leaders))].Propose([]byte{byte('0' + w.asked)}) // may be dropped
	}
}

// alone is a part that no node is in.
func (w *world) alone() (part int) {
	for slices.ContainsFunc(w.nodes, func(p *placed) bool { return p.part == part }) {
		part++
	}
	return part
}

// down is the node that is down, or -1.
func (w *world) down() int { return slices.IndexFunc(w.nodes, func(p *placed) bool { return !p.up }) }

func (p *placed) term() uint64 { return number(p.status.Term) }

// look notes what the nodes are.
func (w *world) look() {
	for _, p := range w.nodes {
		if !p.up {
			continue
		}
		p.status = p.BasicStatus()
		last, _ := p.storage.LastIndex() // in memory, without errors
		p.log = p.log[:0]
		for i := uint64(1); i <= last; i++ {
			t, _ := p.storage.Term(i)
			p.log = append(p.log, byte(t))
		}
		p.colour = colourOf(p.status, p.log)
	}
}

// colourOf is what a node looks like, without its name: role, commit index, leader, vote,
// term and the terms of the log, of which the high ones are not told apart.
func colourOf(s raft.BasicStatus, log []byte) string {
	c := []byte{byte(s.RaftState), byte(number(s.Commit)), byte(s.Lead), byte(number(s.Vote)), byte(min(number(s.Term), mostTerm))}
	for _, t := range log {
		c = append(c, min(t, mostTerm+1))
	}
	return string(c)
}

// multiset is what the nodes look like, in any order: what is counted.
func multiset(colours ...string) string {
	slices.Sort(colours)
	return strings.Join(colours, "\xff")
}

func (w *world) multiset() string {
	return multiset(w.nodes[0].colour, w.nodes[1].colour, w.nodes[2].colour)
}

// numberOf is the number of a text, a new one if it has none.
func numberOf[N ~int32](numbers map[string]N, text string) N {
	n, ok := numbers[text]
	if !ok {
		n = N(len(numbers))
		numbers[text] = n
	}
	return n
}

// shade is the number of a colour, which is another one while the node is down.
func (w *world) shade(p *placed) int32 {
	if !p.up {
		return numberOf(w.colours, "down "+p.colour)
	}
	return numberOf(w.colours, p.colour)
}

// parts are the colours of the nodes of each part.
func (w *world) parts() string {
	var parts [4][]int32
	for _, p := range w.nodes {
		parts[p.part] = append(parts[p.part], w.shade(p))
	}
	return partsOf(parts)
}

// partsOf is a multiset of multisets.
func partsOf(parts [4][]int32) string {
	var texts []string
	for _, p := range parts {
		slices.Sort(p)
		text := ""
		for _, colour := range p {
			text += string(binary.BigEndian.AppendUint32(nil, uint32(colour)))
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, "|")
}

// state is the state as a policy sees it.
func (w *world) state() tabular.State {
	return numberOf(w.states, w.parts()+string([]byte{byte(w.same), byte(w.asked)}))
}

// splits are all ways to part three nodes.
var splits = [][3]int{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 2}}

// choices are the actions that there are, and their numbers. Those that only differ in
// which of two nodes of one colour they strike are one action, for a random one of them.
func (w *world) choices() (numbers []tabular.Action, actions []action) {
	add := func(name string, a action) {
		n := numberOf(w.actions, name)
		if !slices.Contains(numbers, n) {
			numbers, actions = append(numbers, n), append(actions, a)
		}
	}
	add("stay", action{kind: "stay"})
	order, down := w.random.Perm(len(w.nodes)), w.down()
	for _, split := range splits {
		a := action{kind: "parts"}
		var parts [4][]int32
		for i, n := range order {
			a.parts[n] = split[i]
			parts[split[i]] = append(parts[split[i]], w.shade(w.nodes[n]))
		}
		if down < 0 || w.apart(a.parts, down) {
			add("parts "+partsOf(parts), a)
		}
	}
	if w.crashed < w.crashes && down < 0 {
		for _, n := range order {
			add(fmt.Sprint("crash ", w.shade(w.nodes[n])), action{kind: "crash", node: n})
		}
	}
	if down >= 0 {
		add("restart", action{kind: "restart"})
	}
	if w.asked < requests && w.role(raft.StateLeader) {
		add("ask", action{kind: "ask"})
	}
	return numbers, actions
}

// apart tells whether a node is in a part of its own.
func (w *world) apart(parts [3]int, node int) bool {
	for i, part := range parts {
		if i != node && part == parts[node] {
			return false
		}
	}
	return true
}

// role tells whether a node has a role, or had it when it went down.
func (w *world) role(r raft.StateType) bool {
	return slices.ContainsFunc(w.nodes, func(p *placed) bool { return p.status.RaftState == r })
}
