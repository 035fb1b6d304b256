package syntax

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// LinkSet is some of the links between processes.
type LinkSet struct {
	n  int
	on []bool // by sender and receiver; nil: none
}

// Links returns the links that patterns mean. What is wrong with a pattern is in the
// error; it means nothing then.
func Links(processes, patterns []string) (LinkSet, error) {
	s := LinkSet{n: len(processes)}
	var wrong []error
	seen := map[string]bool{}
	for _, pattern := range patterns {
		if seen[pattern] {
			wrong = append(wrong, fmt.Errorf("%s is named twice", pattern))
		} else if err := s.add(processes, pattern); err != nil {
			wrong = append(wrong, err)
		}
		seen[pattern] = true
	}
	return s, errors.Join(wrong...)
}

// add adds the links of a pattern.
func (s *LinkSet) add(processes []string, pattern string) error {
	from, to, ok := strings.Cut(pattern, ">")
	if !ok {
		return fmt.Errorf("%q is no link; write for example a>b, *>b or a>*", pattern)
	}
	found := false
	senders, err := matching(from, processes)
	receivers, further := matching(to, processes)
	if err = cmp.Or(err, further); err != nil {
		return fmt.Errorf("%s: %w", pattern, err)
	}
	for _, p := range senders {
		for _, q := range receivers {
			if p != q {
				s.set(p, q)
				found = true
			}
		}
	}
	if !found {
		return fmt.Errorf("%s: a message of a process to itself is never lost", pattern)
	}
	return nil
}

// matching returns the processes that one end of a pattern means.
func matching(name string, processes []string) ([]int, error) {
	var all []int
	for i, process := range processes {
		if name == process || name == "*" {
			all = append(all, i)
		}
	}
	if all == nil {
		return nil, fmt.Errorf("there is no process %q%s: the processes are %s",
			name, text.DidYouMean(name, processes), strings.Join(processes, ", "))
	}
	return all, nil
}

func (s *LinkSet) set(from, to int) {
	if s.on == nil {
		s.on = make([]bool, s.n*s.n)
	}
	s.on[from*s.n+to] = true
}

// Has tells whether the link from one process to another is one of them.
func (s LinkSet) Has(from, to int) bool {
	return s.on != nil && from >= 0 && to >= 0 && from < s.n && to < s.n && s.on[from*s.n+to]
}

// Empty tells whether there are none.
func (s LinkSet) Empty() bool { return s.on == nil }

// Len returns how many there are.
func (s LinkSet) Len() int {
	count := 0
	for _, on := range s.on {
		if on {
			count++
		}
	}
	return count
}

// Around tells whether all links from and to a process are among them.
func (s LinkSet) Around(p int) bool {
	for q := range s.n {
		if q != p && !(s.Has(p, q) && s.Has(q, p)) {
			return false
		}
	}
	return s.on != nil
}

// Equal tells whether two sets of links between the same processes have the same
// ones.
func (s LinkSet) Equal(t LinkSet) bool {
	return s.on == nil && t.on == nil || slices.Equal(s.on, t.on)
}

// LinksMeant returns the first of some patterns that means a link.
func LinksMeant(patterns []string, from, to string) string {
	for _, pattern := range patterns {
		sender, receiver, _ := strings.Cut(pattern, ">")
		if (sender == "*" || sender == from) && (receiver == "*" || receiver == to) {
			return pattern
		}
	}
	return ""
}

// LinksText writes patterns as a setting does, in an order of their own.
func LinksText(patterns []string) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(patterns)))
	return strings.Join(sorted, ",")
}

// SplitLinks takes the text of a setting apart.
func SplitLinks(text string) []string {
	if text == "" {
		return nil
	}
	all := strings.Split(text, ",")
	for i, pattern := range all {
		all[i] = strings.TrimSpace(pattern)
	}
	return all
}
