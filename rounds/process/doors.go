package process

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// doors are the ports of a node in an execution, and who came to one that is not open.
type doors struct {
	all    []int // on which others reach it
	own    []int // on which only itself does
	shut   []visit
	broken bool // it has crashed or ended, and might have opened others
}

// visit is the first of those who were refused at a port.
type visit struct {
	port, round int
	from        string
}

func (d *doors) open(ip net.IP, port int) {
	to := &d.all
	if ip.IsLoopback() {
		to = &d.own
	}
	if !slices.Contains(*to, port) {
		*to = append(*to, port)
	}
}

func (d *doors) refuse(from string, to *net.TCPAddr, round int) {
	if !slices.ContainsFunc(d.shut, func(v visit) bool { return v.port == to.Port }) {
		d.shut = append(d.shut, visit{to.Port, round, from})
	}
}

// text says where the node listens instead of at a port where others were refused; "" if it
// does listen there, or might.
func (d *doors) text(port int) (where, advice string) {
	switch {
	case slices.Contains(d.all, port):
		return "", ""
	case slices.Contains(d.own, port):
		return fmt.Sprintf("on port %d of localhost only (127.0.0.1 or ::1), which no other node reaches", port), fmt.Sprintf("let it listen on {ip}:%d or on :%d", port, port)
	case d.broken:
		return "", ""
	case len(d.all)+len(d.own) == 0:
		return "on no port", fmt.Sprintf("let it listen on :%d", port)
	}
	var ports []string
	for _, p := range slices.Sorted(slices.Values(d.all)) {
		ports = append(ports, strconv.Itoa(p))
	}
	for _, p := range slices.Sorted(slices.Values(d.own)) {
		if !slices.Contains(d.all, p) {
			ports = append(ports, strconv.Itoa(p)+" (of localhost)")
		}
	}
	word := "ports"
	if len(ports) == 1 {
		word = "port"
	}
	return "on " + word + " " + text.List(ports, "and") + " only", fmt.Sprintf("let it listen on :%d, or others dial where it listens", port)
}

// warnings says which nodes were dialed where they do not listen in the whole execution, a
// sentence for all nodes that are alike.
func (c *Cluster) warnings(processes []system.Process) (all []string) {
	type group struct {
		where, advice, who string
		visit
		nodes []string
	}
	var groups []*group
	for _, any := range processes {
		p, ok := any.(*process)
		if !ok {
			continue
		}
		for _, v := range p.doors.shut {
			where, advice := p.doors.text(v.port)
			if where == "" {
				continue
			}
			i := slices.IndexFunc(groups, func(g *group) bool { return g.port == v.port && g.where == where })
			if i < 0 {
				i = len(groups)
				groups = append(groups, &group{where: where, advice: advice, visit: v})
			}
			g := groups[i]
			g.nodes = append(g.nodes, p.Name)
			if g.who == "" || v.round < g.round {
				g.visit = v
				g.who = fmt.Sprintf("%s was refused at %s:%d in round %d", v.from, network.Address(p.index), v.port, v.round)
			}
		}
	}
	for _, g := range groups {
		listen, advice := "listens", g.advice
		if len(g.nodes) > 1 {
			listen, advice = "listen", strings.Replace(advice, "let it ", "let them ", 1)
			advice = strings.Replace(advice, "where it listens", "where they listen", 1)
		}
		all = append(all, fmt.Sprintf("%s %s %s: %s; %s", text.List(g.nodes, "and"), listen, g.where, g.who, advice))
	}
	return all
}
