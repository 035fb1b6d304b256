package strategies

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
)

// A fault of a link hits all messages, or those of one of the kinds that the bounds pick out.
// These are its ways: 0 for all, and from 1 on the kinds in their order.

// parted are the messages of a list that are of a kind, and the others.
type parted struct{ with, without int32 }

// part parts a list by a way to hit a link.
func (l *payloads) part(list int32, way int) parted {
	if way == 0 || list == 0 {
		return parted{with: list}
	}
	at := [2]int32{list, int32(way)}
	p, known := l.parts[at]
	if known {
		return p
	}
	var with, without []any
	for _, payload := range l.lists[list] {
		if execution.OfKind(l.kinds[way-1], execution.PayloadKind(payload), func() string { return execution.PayloadText(payload) }) {
			with = append(with, payload)
		} else {
			without = append(without, payload)
		}
	}
	p = parted{l.number(with), l.number(without)}
	l.parts[at] = p
	return p
}

// ways returns how many ways there are to hit a link besides all messages.
func (p *product) ways() int { return len(p.payloads.kinds) }

// passes returns the messages of a list that one process sends another and that no cut loses.
func (p *product) passes(cut int32, from, to int, list int32) int32 {
	if p.apart(cut, from, to) {
		return 0
	}
	for way := 1; way <= p.ways() && list != 0 && cut != 0; way++ {
		if p.cuts.loses(cut, way, from, to) {
			list = p.payloads.part(list, way).without
		}
	}
	return list
}

// left returns the messages on a link in the round that no cut loses.
func (x *expansion) left(l link) int32 {
	return x.passes(x.node.cut, l.from, l.to, x.sends[l.from].to[l.to])
}

// hits calls with for each kind of which there are messages in a list, besides others.
func (p *product) hits(list int32, with func(way int) error) error {
	for way := 1; way <= p.ways(); way++ {
		if part := p.payloads.part(list, way); part.with != 0 && part.without != 0 {
			if err := with(way); err != nil {
				return err
			}
		}
	}
	return nil
}

// kindOf returns the kind of messages that a way to hit a link hits; "" of all.
func (p *product) kindOf(way int) string {
	if way == 0 {
		return ""
	}
	return p.payloads.kinds[way-1]
}

// onLink returns the fault that messages on a link are lost, in a way.
func onLink(kind rounds.Kind, l link, way int) int32 {
	return newEvent(kind, l.from, l.to|way<<6)
}

// lateness returns in which way an event, a delay or duplicate, hits its link, and how many rounds
// later the messages come.
func (p *product) lateness(e event) (way, by int) {
	span := p.bounds.Late()
	return (e.by() - 1) / span, (e.by()-1)%span + 1
}

// checkKinds reports more kinds than events have.
func (p *product) checkKinds() error {
	if n := p.ways(); n > mostMore>>6 {
		return fmt.Errorf("kinds: this strategy knows at most %d, and not %d: use one that draws schedules", mostMore>>6, n)
	}
	return nil
}

// picked is a link and a way in which it is hit.
type picked struct {
	link
	way int
}

// without returns the messages on a link that no fault of the round picks out.
func (p *product) without(l link, list int32) int32 {
	for _, at := range p.picked {
		if at.link == l && list != 0 {
			list = p.payloads.part(list, at.way).without
		}
	}
	return list
}

// loses tells whether the messages that a way hits are lost on a link.
func (c *cuts) loses(cut int32, way, from, to int) bool {
	if cut == 0 {
		return false
	}
	return uint32(c.lost.lists[cut][2*(way*c.n+from)+to>>5])>>(to&31)&1 == 1
}

// any tells whether messages are lost on a link, in whatever way.
func (c *cuts) any(cut int32, from, to int) bool {
	for way := range 1 + c.ways {
		if c.loses(cut, way, from, to) {
			return true
		}
	}
	return false
}

// narrow takes the ways off links on which all messages are lost.
func (c *cuts) narrow(lost []int32) {
	all := lost[:2*c.n]
	for way := 1; way <= c.ways; way++ {
		for i, mask := range all {
			lost[2*way*c.n+i] &^= mask
		}
	}
}

// sever adds a link, on which messages are lost in a way, to a cut.
func (c *cuts) sever(cut int32, l link, way int) int32 {
	return c.lose(cutting{cut, 1 << l.from, 1 << l.to, false, way})
}

// between tells whether messages are lost on a link between processes that are not gone.
func (c *cuts) between(cut int32, gone uint64) bool {
	for from := range c.n {
		for to := range c.n {
			if (1<<from|1<<to)&gone == 0 && c.any(cut, from, to) {
				return true
			}
		}
	}
	return false
}

// keeps tells whether a fault keeps messages on a link from arriving at once, and in which
// way.
func (p *product) keeps(e event, l link) (way int, keeps bool) {
	switch {
	case e.process() != l.from || e.to() != l.to:
		return 0, false
	case e.kind() == rounds.Omit:
		return e.by(), true
	case e.kind() == rounds.Delay:
		way, _ = p.lateness(e)
		return way, true
	}
	return 0, false
}

// omitted tells whether an omission hits a link in the round, in whatever way.
func (x *expansion) omitted(l link) bool {
	return slices.ContainsFunc(x.chosen, func(e int32) bool {
		return event(e).kind() == rounds.Omit && event(e).process() == l.from && event(e).to() == l.to
	})
}

// atOnce returns the messages on a link that arrive at once.
func (x *expansion) atOnce(l link) int32 {
	list := x.left(l)
	for _, e := range x.chosen {
		if way, keeps := x.keeps(event(e), l); keeps && list != 0 {
			list = x.payloads.part(list, way).without
		}
	}
	return list
}
