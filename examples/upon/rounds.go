package upon

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Rounds are the lock-step rounds of a protocol: in each of its rounds one for each
// kind of message.
type Rounds[State any] struct {
	Kinds []string // in the order in which they are sent in a round

	protocol Protocol[State]
	place    map[string]int // of a kind
	rules    [][]*Rule[State]
	plain    bool // states can be copied and named
}

// Rounds returns the lock-step rounds in which the protocol can be executed. An error
// says why there are none: which rules read messages of another round than the one
// that the process is at, send what is not behind that, or wait for each other; or
// what is wrong with the rules otherwise.
func (p Protocol[State]) Rounds() (*Rounds[State], error) {
	d := derivation[State]{protocol: &p, after: map[string][]string{}, read: map[string]string{}, sent: map[string]string{}}
	d.start()
	for i := range p.Rules {
		d.rule(&p.Rules[i])
	}
	if d.unmatched(); len(d.kinds) == 0 {
		d.fail("nothing is sent, and no rule waits for anything")
	}
	kinds := d.order()
	if err := errors.Join(d.wrong...); err != nil {
		return nil, fmt.Errorf("no lock-step rounds follow from the rules:\n%w", err)
	}
	r := &Rounds[State]{Kinds: kinds, protocol: p, place: map[string]int{}, rules: make([][]*Rule[State], len(kinds)), plain: plain[State]()}
	for i, kind := range kinds {
		r.place[kind] = i
	}
	for i := range p.Rules {
		at := r.place[p.Rules[i].Kind]
		r.rules[at] = append(r.rules[at], &p.Rules[i])
	}
	return r, nil
}

// Of returns how many lock-step rounds so many rounds of the protocol take.
func (r *Rounds[State]) Of(rounds int) int { return rounds * len(r.Kinds) }

// String says which lock-step rounds there are.
func (r *Rounds[State]) String() string {
	var parts []string
	for i, kind := range r.Kinds {
		switch back := len(r.Kinds) - 1 - i; {
		case len(r.Kinds) == 1:
			parts = append(parts, kind+" in round r")
		case back == 0:
			parts = append(parts, fmt.Sprintf("%s in round %dr", kind, len(r.Kinds)))
		default:
			parts = append(parts, fmt.Sprintf("%s in round %dr-%d", kind, len(r.Kinds), back))
		}
	}
	return "round r of the protocol: " + strings.Join(parts, ", ")
}

// tagOf returns the round of the protocol and the kind of a lock-step round.
func (r *Rounds[State]) tagOf(round int) (of int, kind string) {
	return (round-1)/len(r.Kinds) + 1, r.Kinds[(round-1)%len(r.Kinds)]
}

// roundOf returns the lock-step round of a tag.
func (r *Rounds[State]) roundOf(of int, kind string) int {
	return (of-1)*len(r.Kinds) + r.place[kind] + 1
}

// derivation derives the rounds of a protocol.
type derivation[State any] struct {
	protocol   *Protocol[State]
	kinds      []string            // in the order in which they are named
	after      map[string][]string // kinds that are sent in the round in which one is read
	read, sent map[string]string   // by which rule
	wrong      []error
}

func (d *derivation[State]) fail(format string, args ...any) {
	d.wrong = append(d.wrong, fmt.Errorf(format, args...))
}

// start takes what is sent before anything is received.
func (d *derivation[State]) start() {
	if s := &d.protocol.Start; s.Kind != "" || s.Round != 0 || s.Timeout != nil || s.Count != nil {
		d.fail("Start waits for messages: it is what is done before there are any")
	}
	for _, tag := range d.protocol.Start.Sends {
		d.sends("Start", tag)
		if tag.Round < 0 {
			d.fail("Start sends %s of a round before the first", tag.Kind)
		}
	}
}

// sends takes note that a rule sends something.
func (d *derivation[State]) sends(rule string, tag Tag) {
	if tag.Kind == "" {
		d.fail("%s sends messages without a kind", rule)
		return
	}
	if d.named(tag.Kind); d.sent[tag.Kind] == "" {
		d.sent[tag.Kind] = rule
	}
}

func (d *derivation[State]) named(kind string) {
	if !slices.Contains(d.kinds, kind) {
		d.kinds = append(d.kinds, kind)
	}
}

// rule takes a rule, and says what it reads or sends that no lock-step round has.
func (d *derivation[State]) rule(r *Rule[State]) {
	name := fmt.Sprintf("the rule %q", r.Name)
	if r.Name == "" || r.Kind == "" || r.Do == nil {
		d.fail("%s needs a Name, the Kind of the messages that it waits for, and what to Do", name)
		return
	}
	if d.named(r.Kind); d.read[r.Kind] == "" {
		d.read[r.Kind] = name
	}
	switch {
	case r.Round < 0:
		d.fail("%s reads %s of an earlier round (%d) than the process is at: in lock-step rounds they have come and gone", name, r.Kind, r.Round)
	case r.Round > 0:
		d.fail("%s reads %s of a later round (+%d) than the process is at: in lock-step rounds nobody has sent them yet", name, r.Kind, r.Round)
	}
	for _, tag := range r.Sends {
		d.sends(name, tag)
		switch {
		case tag.Round < 0:
			d.fail("%s sends %s of an earlier round (%d) than what it has read: tags do not grow", name, tag.Kind, tag.Round)
		case tag.Round == 0 && tag.Kind == r.Kind:
			d.fail("%s sends %s of the round of which it has read %s: tags do not grow", name, tag.Kind, r.Kind)
		case tag.Round == 0 && !slices.Contains(d.after[r.Kind], tag.Kind):
			d.after[r.Kind] = append(d.after[r.Kind], tag.Kind)
		}
	}
}

// unmatched reports kinds that are only sent, or only read.
func (d *derivation[State]) unmatched() {
	for _, kind := range d.kinds {
		switch {
		case d.sent[kind] == "":
			d.fail("%s reads %s, which nothing sends", d.read[kind], kind)
		case d.read[kind] == "":
			d.fail("%s sends %s, which no rule reads", d.sent[kind], kind)
		}
	}
}

// order returns the kinds so that each is behind those upon which it is sent in the
// same round, or reports some that wait for each other.
func (d *derivation[State]) order() (kinds []string) {
	for len(kinds) < len(d.kinds) {
		i := slices.IndexFunc(d.kinds, func(kind string) bool { return !slices.Contains(kinds, kind) && d.free(kind, kinds) })
		if i < 0 {
			d.cycle(kinds)
			return nil
		}
		kinds = append(kinds, d.kinds[i])
	}
	return kinds
}

// free tells whether nothing upon which a kind is sent in its round is missing.
func (d *derivation[State]) free(kind string, before []string) bool {
	for _, other := range d.kinds {
		if slices.Contains(d.after[other], kind) && !slices.Contains(before, other) {
			return false
		}
	}
	return true
}

// cycle reports kinds that are sent upon each other in one round.
func (d *derivation[State]) cycle(done []string) {
	left := slices.DeleteFunc(slices.Clone(d.kinds), func(kind string) bool { return slices.Contains(done, kind) })
	path := left[:1:1]
	for {
		last := path[len(path)-1]
		for _, kind := range left { // upon which it is sent
			if !slices.Contains(d.after[kind], last) {
				continue
			}
			if i := slices.Index(path, kind); i >= 0 {
				path = append(path[i:], kind)
				slices.Reverse(path)
				d.fail("%s are sent upon each other in one round: tags do not grow; let one of them be of the next round", strings.Join(path, ", then "))
				return
			}
			path = append(path, kind)
			break
		}
	}
}
