package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Cluster is a set of nodes, with the clients that use them.
type Cluster struct {
	Name    string // of the system
	Nodes   []Node // the servers; the first has the address 10.0.0.1
	Clients []Node // programs that use them; their addresses follow
	Checker Node   // reads what is there when all clients have ended; without File there is none
	Dir     string // from which Files are looked for, and in which packages are built that stand in the place of programs

	// Rounds is the number of rounds of an execution, 500 if it is 0.
	Rounds int

	// Last is the number of rounds at the end in which nothing fails: searches have no faults
	// there. 0: none, or with a Checker a third of all. The checker starts when all clients
	// have ended and no fault of the schedule is to come. No fault strikes it, and it has to
	// end with status 0.
	Last int

	// Tick is by how much the clocks of nodes advance in a round, 10 ms if it is 0.
	Tick time.Duration

	// Drift is by what share of a tick a fast or slow clock differs, 0.1 if it is 0.
	Drift float64

	// Calls is before how many operations on files in a round a server can crash: with 3
	// also at call1, call2 and call3, before the first three of them.
	Calls int

	// Epoch is the time of the clocks before the first round: 2000-01-01 UTC if it is
	// zero.
	Epoch time.Time

	// Apart is by how many rounds at most a node starts after the one before, 10 if it is
	// 0; the clients start last. Links have latencies of up to rounds.MaxLatency rounds.
	// Both follow from the seed. Below 0 all nodes start in round 1, and links have no
	// latency; see system.Apart for what is wrong with that.
	Apart int

	// Files are files and folders that are copied to the disk of each node, by their names
	// below /data. A file whose name ends with .tmpl is a template: in it the words in braces
	// of [Node.Args] are replaced, and its name on the disk is without .tmpl.
	Files map[string]string

	// Requests is a file of requests, one in a line, that clients make: {requests} in
	// their arguments stands for it on their disks. The setting requests of a schedule says
	// which of its lines are there. "": there is none.
	Requests string

	// Text describes the bytes of a message of an unknown protocol; nil: they are
	// described by their number and a hash.
	Text func([]byte) string

	// Properties are promises besides those that every cluster has.
	Properties []property.Property

	// Faults are the bounds of searches that set none of their own, as in
	// system.System.
	Faults rounds.Bounds

	read   []string // the files that it was read from
	script [][]byte // the lines of Requests
}

// Node is one program of a cluster.
type Node struct {
	Name string
	File string // the program, which Build has built

	// Program is what nodes have in common that are peers: the name of their program. It may
	// be empty if all servers of a cluster are peers.
	Program string

	// Args are its arguments. In arguments, environment and templates {name} stands for the
	// name of the node, {ip} for its address, {index} for its number from 1 among its peers,
	// {dir} for its directory /data, {peers} for the names of all nodes of its program (for a
	// client: of all servers), {others} for these without itself, and the name of a program
	// for the names of its nodes. Lists are separated by commas. All but {index} and {dir} can
	// have a port: {ip:7000} is the address with this port, {peers:7000} are all names with it,
	// and {peers:http} names the port of Ports. {{name}} stands for {name}.
	Args []string
	Env  []string // NAME=value, besides HOME, PATH, PWD, TMPDIR, TZ and USER

	Files map[string]string // besides those of the cluster, for this node alone
	Ports map[string]int    // ports of the node by names, for the words in braces

	// Polls are addresses of HTTP that a server is asked for every so many rounds, in the form
	// "every 20 http://{ip}:8222/jsz", with the words in braces of Args. What it answers
	// becomes facts. No fault of the network strikes a poll.
	Polls []string

	// Restart is after how long the program of a server is started again that has ended by
	// itself, at least a tick, as a supervisor does: its end is no violation then. 0: it is
	// not started again. A panic stays a violation.
	Restart time.Duration

	// Steps says that the program, which may be in any language, speaks the step protocol of
	// docs/wire.md by its standard input and output, and is found as the shell does. Then all
	// nodes do. They have no sockets, disks and clients, 50 rounds if Rounds is 0, and are not
	// apart unless Apart says so. What a node says is durable survives a crash.
	Steps bool

	// Stdio makes what stands behind the standard input and output of the node, at each
	// start; nil: it reads nothing, and what it prints is its log.
	Stdio func(name string) Stdio

	test string // the call of Func that its program is for
}

// Build builds a main package as a node: pkg as `go build` takes it, in the directory dir,
// with more flags of go build. The program is written to file.
//
// The first build of a release of Go compiles the standard library, which takes a minute.
// Later ones use the cache of the go command.
func Build(ctx context.Context, dir, pkg, file string, flags ...string) error {
	if inFunc() {
		return nil
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	return gobuild.Node(ctx, dir, pkg, file, flags...)
}

// How many rounds an execution has.
const (
	defaultRounds = 500
	defaultSteps  = 50
)

// mostCalls is how many points a process has at most.
const mostCalls = 100

// What every cluster with clients promises.
const (
	clientsEnd     = "clients end"
	clientsSucceed = "clients succeed"
)

// System returns the system of the cluster. An error says which node has a word in braces
// that there is not, or which file cannot be read.
func (c Cluster) System() (*system.System, error) {
	if err := notInNode(); err != nil {
		return nil, err
	}
	ofSteps, err := c.ofSteps()
	if err != nil {
		return nil, err
	}
	if ofSteps {
		c.Rounds, c.Apart = cmp.Or(c.Rounds, defaultSteps), cmp.Or(c.Apart, -1)
	}
	c.Rounds, c.Tick, c.Drift = cmp.Or(c.Rounds, defaultRounds), cmp.Or(c.Tick, 10*time.Millisecond), cmp.Or(c.Drift, 0.1)
	if c.Epoch.IsZero() {
		c.Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if c.Calls < 0 || c.Calls > mostCalls {
		return nil, fmt.Errorf("calls %d: there can be 0 to %d", c.Calls, mostCalls)
	}
	if err := c.readRequests(); err != nil {
		return nil, err
	}
	all, err := c.programs()
	if err == nil {
		err = c.checkRequests(all)
	}
	if err != nil {
		return nil, err
	}
	s := &system.System{Script: len(c.script), Name: cmp.Or(c.Name, "cluster"), Rounds: c.Rounds, Faults: c.Faults, Properties: append(slices.Clone(c.Properties), always)}
	if !ofSteps {
		s.Faults = c.defaults(s.Faults)
	}
	programs := map[string]*program{}
	for _, p := range all {
		s.Processes = append(s.Processes, p.Name)
		programs[p.Name] = p
	}
	s.Apart.Rounds = max(cmp.Or(c.Apart, 10), 0)
	for _, n := range c.Clients {
		s.Apart.Last = append(s.Apart.Last, n.Name)
		s.Faults.NeverCrash = append(s.Faults.NeverCrash, n.Name)
	}
	if len(c.Clients) > 0 {
		s.Properties = append(s.Properties,
			property.Property{Name: clientsSucceed, FactsOnly: true, Func: c.failed},
			property.Property{Name: clientsEnd, ByEnd: true, FactsOnly: true, Func: c.stuck})
	}
	if p, any, err := c.covers(all); err != nil {
		return nil, err
	} else if any {
		s.Properties = append(s.Properties, p)
	}
	c.addChecker(s)
	s.Warnings = c.warnings
	if !slices.ContainsFunc(all, func(p *program) bool { return p.Stdio != nil }) {
		s.Ask = asksNothing
	}
	s.New = func(name string, random *rand.Rand) system.Process {
		if ofSteps {
			return &steps{program: programs[name], random: random}
		}
		return &process{program: programs[name], random: random}
	}
	return s, nil
}

// asksNothing says why a fault asks nothing of a node.
func asksNothing(string) (any, error) {
	return nil, errors.New("what asks these nodes are their clients, which are programs")
}

// defaults returns bounds in which phases have a quarter of the rounds unless the bounds say
// otherwise: one round is over before a server notices. With clients, and no faults, there
// are two partitions rather than isolations, if they differ: clients are on one side with
// some servers.
func (c Cluster) defaults(b rounds.Bounds) rounds.Bounds {
	if b.Period == 0 && len(b.Phase) == 0 {
		b.Period = max((c.Rounds+3)/4, 1)
	}
	if n := len(c.All()); len(c.Clients) > 0 && n > 3 && n <= mostParted && !slices.ContainsFunc(rounds.Kinds(), func(k rounds.Kind) bool { return b.Budget(k) != 0 }) {
		b.Partitions = 2
	}
	return b
}

// mostParted is how many processes there are at most where there can be partitions.
const mostParted = 16

// stuck returns a violation for each client that has not ended.
func (c Cluster) stuck(e *recording.Execution) (all []result.Violation) {
	for _, client := range c.Clients {
		if !slices.ContainsFunc(e.Facts, func(f recording.Fact) bool { return ends(f, client) }) {
			all = append(all, result.Violation{
				Text: client.Name + " has not ended", Missing: true,
				Fact: recording.Fact{Relation: "exit", Args: []specs.Value{specs.String(client.Name), specs.Int(0)}, Round: e.Bounds.EOT},
			})
		}
	}
	return all
}

// failed returns a violation for each client that has ended with another status than 0.
func (c Cluster) failed(e *recording.Execution) (all []result.Violation) {
	for _, client := range c.Clients {
		all = append(all, failed(e, client)...)
	}
	return all
}

// failed returns the violation of a client, or a checker, that has ended with another status
// than 0, with what it printed last.
func failed(e *recording.Execution, client Node) (all []result.Violation) {
	for _, f := range e.Facts {
		if ends(f, client) && f.Args[1] != specs.Int(0) {
			text := fmt.Sprintf("%s ends with status %s", client.Name, f.Args[1].Text())
			if last := lastWords(e, client); last != "" {
				text += ": " + last
			}
			all = append(all, result.Violation{Text: text, Fact: f})
		}
	}
	return all
}

// lastWords returns what a client printed last that has failed.
func lastWords(e *recording.Execution, client Node) string {
	for _, f := range e.Facts {
		if f.Relation == "last" && len(f.Args) == 2 && f.Args[0] == specs.String(client.Name) {
			return f.Args[1].Text()
		}
	}
	return ""
}

// ends tells whether a fact is the end of a client.
func ends(f recording.Fact, client Node) bool {
	return f.Relation == "exit" && len(f.Args) == 2 && f.Args[0] == specs.String(client.Name)
}

// All returns the servers, the clients and the checker, if there is one, in the order of
// their addresses.
func (c *Cluster) All() (all []*Node) {
	for _, nodes := range [][]Node{c.Nodes, c.Clients} {
		for i := range nodes {
			all = append(all, &nodes[i])
		}
	}
	if c.hasChecker() {
		all = append(all, &c.Checker)
	}
	return all
}

// programs returns the servers and then the clients, as they are started.
func (c *Cluster) programs() (all []*program, err error) {
	among := map[string]int{} // how many nodes of a program there are so far
	for i, n := range c.All() {
		p := &program{cluster: c, Node: *n, index: i, client: i >= len(c.Nodes), checker: n == &c.Checker, number: i + 1}
		p.ahead.waiting = make(chan *child)
		if !p.client {
			among[n.Program]++
			p.number = among[n.Program]
		}
		all = append(all, p)
	}
	for _, p := range all {
		if p.Args, err = c.expandAll(p, p.Args); err == nil {
			p.Env, err = c.expandAll(p, p.Env)
		}
		p.asserts = hasSDK(p.File)
		if err == nil {
			err = c.readPolls(p)
		}
		if err == nil && !p.Steps {
			err = p.load()
		}
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", p.Name, err)
		}
	}
	return all, nil
}

// hosts are the names and addresses of all nodes, as a node gets them.
func (c *Cluster) hosts() string {
	var all []string
	for i, n := range c.All() {
		all = append(all, n.Name+"="+network.Address(i).String())
	}
	return strings.Join(all, ",")
}
