package process

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
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

	// Rounds is the number of rounds of an execution, 500 if it is 0.
	Rounds int

	// Tick is by how much the clocks of nodes advance in a round, 10 ms if it is 0.
	Tick time.Duration

	// Drift is by what share of a tick a fast or slow clock differs, 0.1 if it is 0.
	Drift float64

	// Epoch is the time of the clocks before the first round: 2000-01-01 UTC if it is
	// zero.
	Epoch time.Time

	// Files are files and folders that are copied to the disk of each node, by their names
	// below /data.
	Files map[string]string

	// Text describes the bytes of a message of an unknown protocol; nil: they are
	// described by their number and a hash.
	Text func([]byte) string

	// Properties are promises besides those that every cluster has.
	Properties []property.Property

	// Faults are the bounds of searches that set none of their own, as in
	// system.System.
	Faults rounds.Bounds

	image []byte // of the disk that a node begins with
}

// Node is one program of a cluster.
type Node struct {
	Name string
	File string // the program, which Build has built

	// Args are its arguments. In arguments and environment {name} stands for the name of
	// the node, {ip} for its address, {index} for its number from 1, {dir} for its
	// directory /data, {peers} for the names of all servers, {peers:7000} for these with a
	// port, and {others} and {others:7000} for all servers but itself. Lists are
	// separated by commas.
	Args []string
	Env  []string // NAME=value, besides HOME, PATH, PWD, TMPDIR, TZ and USER
}

// Build builds a main package as a node: pkg as `go build` takes it, in the directory dir,
// with more flags of go build. The program is written to file.
//
// The first build of a release of Go compiles the standard library, which takes a minute.
// Later ones use the cache of the go command.
func Build(ctx context.Context, dir, pkg, file string, flags ...string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	return gobuild.Node(ctx, dir, pkg, file, flags...)
}

// What every cluster with clients promises.
const (
	clientsEnd     = "clients end"
	clientsSucceed = "clients succeed"
)

// System returns the system of the cluster. An error says which node has a placeholder
// that there is not.
func (c Cluster) System() (*system.System, error) {
	c.Rounds, c.Tick, c.Drift = cmp.Or(c.Rounds, 500), cmp.Or(c.Tick, 10*time.Millisecond), cmp.Or(c.Drift, 0.1)
	if c.Epoch.IsZero() {
		c.Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if err := c.load(); err != nil {
		return nil, err
	}
	s := &system.System{Name: cmp.Or(c.Name, "cluster"), Rounds: c.Rounds, Faults: c.Faults, Properties: append(slices.Clone(c.Properties), always)}
	programs := map[string]*program{}
	for i, n := range slices.Concat(c.Nodes, c.Clients) {
		p := &program{cluster: &c, Node: n, index: i, client: i >= len(c.Nodes)}
		var err error
		if p.Args, err = c.expand(p, n.Args); err == nil {
			p.Env, err = c.expand(p, n.Env)
		}
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", n.Name, err)
		}
		s.Processes = append(s.Processes, n.Name)
		programs[n.Name] = p
	}
	for _, n := range c.Clients {
		s.Faults.NeverCrash = append(s.Faults.NeverCrash, n.Name)
	}
	if len(c.Clients) > 0 {
		s.Properties = append(s.Properties,
			property.Property{Name: clientsSucceed, FactsOnly: true, Func: c.failed},
			property.Property{Name: clientsEnd, ByEnd: true, FactsOnly: true, Func: c.stuck})
	}
	s.New = func(name string, random *rand.Rand) system.Process {
		return &process{program: programs[name], random: random}
	}
	return s, nil
}

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
		for _, f := range e.Facts {
			if ends(f, client) && f.Args[1] != specs.Int(0) {
				all = append(all, result.Violation{Text: fmt.Sprintf("%s ends with status %s", client.Name, f.Args[1].Text()), Fact: f})
			}
		}
	}
	return all
}

// ends tells whether a fact is the end of a client.
func ends(f recording.Fact, client Node) bool {
	return f.Relation == "exit" && len(f.Args) == 2 && f.Args[0] == specs.String(client.Name)
}

// placeholders are the names that stand in braces.
var placeholders = []string{"name", "ip", "index", "dir", "peers", "others"}

// expand replaces what stands in braces.
func (c *Cluster) expand(p *program, texts []string) (all []string, err error) {
	for _, text := range texts {
		var out strings.Builder
		for {
			before, rest, found := strings.Cut(text, "{")
			out.WriteString(before)
			if !found {
				break
			}
			word, after, closed := strings.Cut(rest, "}")
			value, known := c.placeholder(p, word)
			switch {
			case closed && known:
				out.WriteString(value)
				text = after
			case closed && isName(word):
				return nil, fmt.Errorf("%q: there is no {%s}; there are {%s}", text, word, strings.Join(placeholders, "}, {"))
			default: // such as JSON
				out.WriteString("{")
				text = rest
			}
		}
		all = append(all, out.String())
	}
	return all, nil
}

// isName tells whether a text in braces is meant as a placeholder.
func isName(word string) bool {
	name, port, ports := strings.Cut(word, ":")
	_, err := strconv.Atoi(port)
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" && (!ports || err == nil)
}

func (c *Cluster) placeholder(p *program, word string) (value string, known bool) {
	switch word {
	case "name":
		return p.Name, true
	case "ip":
		return network.Address(p.index).String(), true
	case "index":
		return strconv.Itoa(p.index + 1), true
	case "dir":
		return dataDir, true
	}
	list, port, ports := strings.Cut(word, ":")
	if list != "peers" && list != "others" {
		return "", false
	}
	var names []string
	for _, n := range c.Nodes {
		switch {
		case list == "others" && n.Name == p.Name:
		case ports:
			names = append(names, n.Name+":"+port)
		default:
			names = append(names, n.Name)
		}
	}
	return strings.Join(names, ","), true
}

// hosts are the names and addresses of all nodes, as a node gets them.
func (c *Cluster) hosts() string {
	var all []string
	for i, n := range slices.Concat(c.Nodes, c.Clients) {
		all = append(all, n.Name+"="+network.Address(i).String())
	}
	return strings.Join(all, ",")
}
