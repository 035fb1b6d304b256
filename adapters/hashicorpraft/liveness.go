package hashicorpraft

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// LeaderAfter says that there is a leader for most of the last rounds: for more than
// half of the last calm/2, if nothing has happened for calm rounds and those who are up
// can elect one. Faults are what can happen, and requests that change members or the
// leader, or that stop a server. One leader at the end is not enough: where nobody can
// stay the leader, there is one now and then.
func LeaderAfter(calm int) property.Property {
	name := fmt.Sprintf("a leader for most of the time after %d calm rounds", calm)
	return property.Property{Name: name, FactsOnly: true, ByEnd: true, Func: func(e *recording.Execution) []result.Violation {
		since := lastEvent(e) + 1
		up := upAtEnd(e)
		if e.Bounds.EOT-since+1 < calm || !canElect(e, up) {
			return nil
		}
		window := max(calm/2, 1)
		led := map[int]bool{}
		for _, f := range e.Facts {
			if f.Relation == "leader" && f.Round > e.Bounds.EOT-window {
				led[f.Round] = true
			}
		}
		if 2*len(led) > window {
			return nil
		}
		return []result.Violation{violation(name, fmt.Sprintf("%q are up and connected since round %d, and of the last %d rounds only %d have a leader", up, since, window, len(led)))}
	}}
}

// WritesAfter says that a leader writes what clients ask it to write: one value at
// least, if nothing has happened for calm rounds and those who are up can elect a
// leader, of all that clients have asked it for in the second half of these and while
// it stayed the leader for another 20 rounds.
func WritesAfter(calm int) property.Property {
	name := fmt.Sprintf("writes after %d calm rounds", calm)
	return property.Property{Name: name, FactsOnly: true, ByEnd: true, Func: func(e *recording.Execution) []result.Violation {
		since := lastEvent(e) + 1
		up := upAtEnd(e)
		if e.Bounds.EOT-since+1 < calm || !canElect(e, up) {
			return nil
		}
		waiting := askedOfLeader(e, since+calm/2)
		for _, f := range e.Facts {
			if f.Relation == "wrote" && waiting[f.Args[1].Int()] != nil {
				return nil
			}
		}
		if len(waiting) == 0 {
			return nil
		}
		first := slices.MinFunc(slices.Collect(maps.Values(waiting)), func(f, g *recording.Fact) int { return f.Round - g.Round })
		return []result.Violation{violation(name, fmt.Sprintf("%q are up and connected since round %d, and %s is the leader; of %d values that it was asked to write from round %d on it has written none", up, since, first.Args[0].Text(), len(waiting), first.Round), *first)}
	}}
}

// takes is for how many rounds a leader has to stay one to be blamed for what it has not
// written.
const takes = 20

// askedOfLeader returns the requests to write that were made from a round on of who was
// the leader then, and for some rounds more.
func askedOfLeader(e *recording.Execution, from int) map[int64]*recording.Fact {
	type at struct {
		process string
		round   int
	}
	led := map[at]bool{}
	for _, f := range e.Facts {
		if f.Relation == "leader" {
			led[at{f.Args[0].Text(), f.Round}] = true
		}
	}
	asked := map[int64]*recording.Fact{}
	for i := range e.Facts {
		f := &e.Facts[i]
		if f.Relation != "request" || f.Round < from || !strings.HasPrefix(f.Args[2].Text(), "apply ") {
			continue
		}
		stays := true
		for r := f.Round - 1; r <= f.Round+takes; r++ {
			stays = stays && led[at{f.Args[0].Text(), r}]
		}
		if stays {
			asked[f.Args[1].Int()] = f
		}
	}
	return asked
}

// lastEvent returns the last round in which anything happened that can cost a leader.
func lastEvent(e *recording.Execution) (last int) {
	for _, f := range e.Schedule.Faults {
		last = max(last, f.Round, f.Until)
	}
	for _, f := range e.Facts {
		if f.Relation == "request" && disturbs(f.Args[2].Text()) {
			last = max(last, f.Round)
		}
	}
	return last
}

// disturbs tells by the text of a request whether it can cost a leader.
func disturbs(request string) bool {
	word, _, _ := strings.Cut(request, " ")
	return !slices.Contains([]string{"apply", "read", "verify", "barrier", "snapshot"}, word)
}

// upAtEnd returns the servers that run in the last round.
func upAtEnd(e *recording.Execution) (up []string) {
	for _, f := range e.Facts {
		if f.Relation == "role" && f.Round == e.Bounds.EOT && f.Args[1].Text() != "shutdown" {
			up = append(up, f.Args[0].Text())
		}
	}
	return up
}

// canElect tells whether those who are up can elect a leader, whatever they know of
// the configuration: in that of each of them a majority of the voters is up, and knows
// that it votes.
func canElect(e *recording.Execution, up []string) bool {
	voters := map[string][]string{} // in the configuration of each
	for _, f := range e.Facts {
		if f.Relation == "configuration" {
			voters[f.Args[0].Text()] = strings.Fields(f.Args[2].Text())
		}
	}
	known := 0
	for _, p := range up {
		all := voters[p]
		if len(all) == 0 {
			continue // it belongs to no cluster
		}
		known++
		can := 0
		for _, q := range all {
			if slices.Contains(up, q) && slices.Contains(voters[q], q) {
				can++
			}
		}
		if 2*can <= len(all) {
			return false
		}
	}
	return known > 0
}
