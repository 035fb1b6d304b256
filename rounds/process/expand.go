package process

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/internal/text"
)

// placeholders are the names that stand in braces, besides those of programs.
var placeholders = []string{"name", "ip", "index", "dir", "peers", "others", requestsWord}

// expandAll replaces what stands in braces.
func (c *Cluster) expandAll(p *program, texts []string) (all []string, err error) {
	for _, t := range texts {
		out, err := c.expand(p, t)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", t, err)
		}
		all = append(all, out)
	}
	return all, nil
}

// expand replaces what stands in braces.
func (c *Cluster) expand(p *program, t string) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(t, "{")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		word, after, closed := strings.Cut(rest, "}")
		inner, twice := strings.CutPrefix(word, "{")
		switch {
		case closed && twice && isName(inner) && strings.HasPrefix(after, "}"):
			out.WriteString("{" + inner + "}")
			t = after[1:]
		case closed && isName(word):
			value, err := c.placeholder(p, word)
			if err != nil {
				return "", err
			}
			out.WriteString(value)
			t = after
		default: // such as JSON
			out.WriteString("{")
			t = rest
		}
	}
}

// isName tells whether a text in braces is meant as a placeholder.
func isName(word string) bool {
	name, port, ports := strings.Cut(word, ":")
	return isWord(name) && 'a' <= name[0] && name[0] <= 'z' && (!ports || isWord(port))
}

func isWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// placeholder returns what a word in braces stands for.
func (c *Cluster) placeholder(p *program, word string) (string, error) {
	name, port, ports := strings.Cut(word, ":")
	var of []Node
	switch name {
	case "name":
		of = []Node{p.Node}
	case "ip":
		n := p.Node
		n.Name = network.Address(p.index).String()
		of = []Node{n}
	case "index", "dir", requestsWord:
		if ports {
			return "", fmt.Errorf("{%s}: {%s} has no port", word, name)
		}
		switch name {
		case "dir":
			return dataDir, nil
		case requestsWord:
			return p.readsRequests()
		}
		return strconv.Itoa(p.number), nil
	case "peers", "others":
		for _, n := range c.Nodes {
			if (p.client || n.Program == p.Program) && (name == "peers" || n.Name != p.Name) {
				of = append(of, n)
			}
		}
	default:
		for _, n := range c.Nodes {
			if n.Program == name {
				of = append(of, n)
			}
		}
		if len(of) == 0 {
			all := slices.Clone(placeholders)
			for _, n := range c.Nodes {
				if n.Program != "" && !slices.Contains(all, n.Program) {
					all = append(all, n.Program)
				}
			}
			return "", fmt.Errorf("there is no {%s}%s; there are {%s}", word, text.DidYouMean(name, all), strings.Join(all, "}, {"))
		}
	}
	var list []string
	for _, n := range of {
		if !ports {
			list = append(list, n.Name)
			continue
		}
		number, err := strconv.Atoi(port)
		if err != nil {
			known := false
			if number, known = n.Ports[port]; !known {
				return "", fmt.Errorf("{%s}: %s has no port %q", word, n.Name, port)
			}
		}
		list = append(list, n.Name+":"+strconv.Itoa(number))
	}
	return strings.Join(list, ","), nil
}
