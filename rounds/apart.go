package rounds

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The words for when processes start, and for how late links are.
const (
	startKey   = "start"
	latencyKey = "latency"
)

// MaxLatency is the most rounds by which what is sent on a link arrives later than
// otherwise.
const MaxLatency = 2

// StartOf returns the round in which a process starts, and false if the settings do not
// say it.
func (s Settings) StartOf(process string) (round int, given bool) {
	return lookUp(s.Start, process, "@")
}

// LatencyOf returns by how many rounds what one process sends another arrives later than
// otherwise, and false if the settings do not say it.
func (s Settings) LatencyOf(from, to string) (later int, given bool) {
	return lookUp(s.Latency, from+">"+to, " ")
}

// SetStart says in which round a process starts.
func (s *Settings) SetStart(process string, round int) {
	s.Start = joinItems(fmt.Sprintf("%s@%d", process, round), s.Start, "@")
}

// SetLatency says by how many rounds what one process sends another arrives later than
// otherwise.
func (s *Settings) SetLatency(from, to string, later int) {
	s.Latency = joinItems(fmt.Sprintf("%s>%s %d", from, to, later), s.Latency, " ")
}

// Apart returns the starts and latencies alone.
func (s Settings) Apart() Settings { return Settings{Start: s.Start, Latency: s.Latency} }

// WithoutEachApart returns the settings without one of the starts or latencies, for each.
func (s Settings) WithoutEachApart() (all []Settings) {
	for _, of := range []func(*Settings) *string{func(t *Settings) *string { return &t.Start }, func(t *Settings) *string { return &t.Latency }} {
		items := splitItems(*of(&s))
		for i := range items {
			fewer := s
			*of(&fewer) = strings.Join(slices.Delete(slices.Clone(items), i, i+1), ",")
			all = append(all, fewer)
		}
	}
	return all
}

// lookUp returns the number of a name in a list such as a@2,b@7, behind a separator.
func lookUp(list, name, separator string) (n int, found bool) {
	for item := range strings.SplitSeq(list, ",") {
		if named, number, _ := strings.Cut(item, separator); named == name && item != "" {
			n, err := strconv.Atoi(number)
			return n, err == nil
		}
	}
	return 0, false
}

func splitItems(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// joinItems joins two lists, in an order of their own. Of one name the first list counts.
func joinItems(list, other, separator string) string {
	all := splitItems(list)
	for _, item := range splitItems(other) {
		name, _, _ := strings.Cut(item, separator)
		if _, known := lookUp(list, name, separator); !known {
			all = append(all, item)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		a, _, _ = strings.Cut(a, separator)
		b, _, _ = strings.Cut(b, separator)
		return cmp.Compare(a, b)
	})
	return strings.Join(all, ",")
}

// starts reads rounds in which processes start, as in n2@7,n3@9.
func (p *scheduleParser) starts(all *Settings) {
	p.list(func(at int) {
		name := p.word("the process that starts, as in start n2@7")
		p.expect('@', fmt.Sprintf(`"@" and the round in which it starts, as in start %s@7`, cmp.Or(name, "n2")))
		round := p.round()
		if old, given := all.StartOf(name); given && old != round {
			p.fail(at, "there is start %s@%d already", name, old)
		}
		if p.err == nil {
			all.SetStart(name, round)
		}
	})
}

// latencies reads by how many rounds links are late, as in n1>n2 1,n2>n1 2.
func (p *scheduleParser) latencies(all *Settings) {
	p.list(func(at int) {
		from := p.word("a link, as in latency n1>n2 1")
		p.expect('>', `">" and the receiver, as in latency n1>n2 1`)
		to := p.word("the name of the receiver after >")
		start, digits := p.digits(fmt.Sprintf("by how many rounds it is late, as in latency %s>%s 1", cmp.Or(from, "n1"), cmp.Or(to, "n2")))
		later, err := strconv.Atoi(digits)
		if err != nil || later > MaxLatency {
			p.fail(start, "%s: a link has a latency of 0 to %d rounds", digits, MaxLatency)
		}
		if old, given := all.LatencyOf(from, to); given && old != later {
			p.fail(at, "there is latency %s>%s %d already", from, to, old)
		}
		if p.err == nil {
			all.SetLatency(from, to, later)
		}
	})
}

// list reads items with "," between them.
func (p *scheduleParser) list(item func(at int)) {
	for more := true; more; {
		p.space()
		item(p.at)
		p.space()
		if more = !p.done() && p.text[p.at] == ','; more {
			p.at++
		}
	}
}

// checkApart reports starts and latencies of what is no process.
func (s Settings) checkApart(processes []string) error {
	for _, item := range splitItems(s.Start) {
		if name, _, _ := strings.Cut(item, "@"); !slices.Contains(processes, name) {
			return wrong("%s %s: %w", startKey, item, unknownProcess(name, processes))
		}
	}
	for _, item := range splitItems(s.Latency) {
		link, _, _ := strings.Cut(item, " ")
		from, to, _ := strings.Cut(link, ">")
		for _, name := range []string{from, to} {
			if !slices.Contains(processes, name) {
				return wrong("%s %s: %w", latencyKey, item, unknownProcess(name, processes))
			}
		}
		if from == to {
			return wrong("%s %s: what a process sends itself is never late", latencyKey, item)
		}
	}
	return nil
}
