package vet

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Observed has observations of executions of a system. Its rules are not known, so
// executions can only show that a condition is not met.
type Observed struct {
	Executions int    // that were recorded; 0: nothing was executed
	Late       int    // messages that were late, each once
	Untried    string // why none was; "": some were

	Several  *Sighting // a message of a round in which several processes send to several
	Repeated *Sighting // a message that was the same in two rounds
	Used     *Sighting // a late message that made a difference
}

// Sighting is a message by which a condition is seen not to be met.
type Sighting struct {
	Message string // as its receiver got it
	Process string // the receiver
	Round   int
	Why     string
}

// OfSystem returns all conditions for a system with some properties, and whether they are
// met.
func OfSystem(o *Observed, properties []string, b rounds.Bounds) []result.Condition {
	tried := "(ldfi vet --round-based tries it)"
	if o.Executions > 0 {
		tried = "in " + text.Plural(o.Executions, "execution")
	}
	leader := seen(result.Condition{
		Group: result.GroupLeader, Name: "each round is one to all or all to one", Needed: (&analysis{Bounds: b}).uniform(),
		Why: "that several processes send to several in one round was not seen " + tried,
	}, o.Several)
	tagged := seen(result.Condition{
		Group: result.GroupClosure, Name: "each message tells its round", Needed: true,
		Why: "that a message is the same in two rounds was not seen " + tried,
	}, o.Repeated)
	used := seen(result.Condition{
		Group: result.GroupClosure, Name: "a message is used only in its round", Needed: true, Why: o.unused(),
	}, o.Used)
	of := func(c result.Condition, name string) result.Condition {
		c.Group, c.Name = result.GroupSequentialization, name
		return c
	}
	counted := forgetting(result.Condition{
		Group: result.GroupClosure, Name: "the round of a process only grows", Met: result.MetYes, Needed: true,
		Why: "ldfi counts the rounds, and calls a process once in each",
	}, b)
	all := []result.Condition{{
		Group: result.GroupClosure, Name: "processes share nothing but messages", Met: result.MetUnknown, Needed: true,
		Why: "executions do not show whether processes share variables",
	}, counted, tagged, used, leader,
		of(counted, "(1) phase and round only grow"),
		of(tagged, "(2) what is sent carries the phase and round of its sender"),
		of(used, "(3) nobody takes messages of earlier rounds"),
		of(used, "(4) what is read of messages is of the current round"),
		of(counted, "(5) a round sends, receives, and then ends"),
	}
	all = append(all, propertiesOf(properties)...)
	return append(all, (&analysis{Bounds: b}).bounds(leader))
}

// ReachOfSystem returns the meaning of a certificate about a system for asynchronous
// executions, none of which was tried.
func ReachOfSystem(properties []property.Property, b rounds.Bounds) *result.Reach {
	return ReachOf(OfSystem(&Observed{}, PropertyNames(properties), b))
}

// PropertyNames returns the names of properties.
func PropertyNames(properties []property.Property) []string {
	names := make([]string, len(properties))
	for i, p := range properties {
		names[i] = p.Name
	}
	return names
}

// unused says that late messages made no difference, or that none was tried.
func (o *Observed) unused() string {
	switch {
	case o.Late > 0:
		return fmt.Sprintf("of %s none made a difference to its receiver", text.Plural(o.Late, "late message"))
	case o.Untried != "":
		return "what a process does with a late message was not tried: " + o.Untried
	default:
		return "what processes do with late messages is not known (ldfi vet --round-based tries it)"
	}
}

// seen returns a condition that is not met if there is a sighting against it.
func seen(c result.Condition, s *Sighting) result.Condition {
	c.Met = result.MetUnknown
	if s != nil {
		c.Met, c.Why, c.Message, c.Process, c.Round = result.MetNo, s.Why, s.Message, s.Process, s.Round
	}
	return c
}

// Properties that read known parts of executions, by their names (package linear).
const linearizability = "linearizability"

// ofSessions tells whether a property is about the replies to each client, in their order.
func ofSessions(name string) bool {
	return name == "sequential consistency" || name == "serializability"
}

// propertiesOf says whether properties are local, and insensitive to stuttering.
func propertiesOf(names []string) []result.Condition {
	local := result.Condition{Group: result.GroupPromise, Name: "it is about local histories", Met: result.MetYes, Needed: true, Why: "it is about what each client was told, in its order"}
	stutter := result.Condition{Group: result.GroupPromise, Name: "it is insensitive to stuttering", Met: result.MetYes, Needed: true, Why: "it reads no rounds and no times"}
	for _, name := range names {
		switch {
		case name == linearizability:
			local.Met, local.Why = result.MetNo, "linearizability is about who was answered before another asked, at different processes"
			stutter.Met, stutter.Why = result.MetNo, "linearizability is about the rounds of requests and replies"
			return []result.Condition{local, stutter}
		case !ofSessions(name) && local.Met == result.MetYes:
			local.Met, local.Why = result.MetUnknown, fmt.Sprintf("what the property %q looks at is not known", name)
			stutter.Met, stutter.Why = result.MetUnknown, local.Why
		}
	}
	return []result.Condition{local, stutter}
}
