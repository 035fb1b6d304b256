package rounds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// kindsKey is the setting that says which kinds of messages can be hit alone.
const kindsKey = "kinds"

// AllKinds in place of kinds of messages is all that are sent.
const AllKinds = "all"

// mostKinds is how many kinds of messages bounds name at most.
const mostKinds = 100

// kindsText writes the kinds of messages as the setting does.
func (b Bounds) kindsText() string { return strings.Join(KindTexts(b.Kinds), ",") }

// kinds reads kinds of messages, as in Vote,"PUT /kv".
func (r *settingReader) kinds() []string {
	s, ok := r.chosen[kindsKey]
	if !ok {
		return nil
	}
	if strings.TrimSpace(s.text) == noAssumption {
		return []string{} // of a system: in place of its own
	}
	p := &scheduleParser{text: s.text}
	var all []string
	p.list(func(int) { all = append(all, p.messageKind()) })
	if p.space(); !p.done() {
		p.fail(p.at, `expected "," and the next kind, and found %s`, p.next())
	}
	if p.err != nil {
		r.fail(s, "%s=%s: expected kinds of messages, as in Vote,Append, those that are no names in quotes, or %s, or %s", kindsKey, s.text, AllKinds, noAssumption)
		return nil
	}
	return all
}

// wrongKinds returns what is wrong with the kinds of messages.
func (b Bounds) wrongKinds() (all []string) {
	for i, kind := range b.Kinds {
		switch {
		case kind == "":
			all = append(all, "there is a kind of message with an empty name")
		case slices.Contains(b.Kinds[:i], kind):
			all = append(all, fmt.Sprintf("%s is named twice", KindText(kind)))
		}
	}
	if len(b.Kinds) > mostKinds {
		all = append(all, fmt.Sprintf("there are %d kinds of messages, and at most %d can be hit alone: name fewer", len(b.Kinds), mostKinds))
	}
	links, ways := len(b.Processes)*len(b.Processes), 1+len(b.Kinds)
	if each := max(b.EOT, 1) * max(1, min(b.Late(), b.EOT)); len(b.Kinds) > 0 && len(b.Processes) <= maxSize && b.EOT <= maxSize && links > maxLater/ways/each {
		all = append(all, fmt.Sprintf("%s with %s and %s are too many: processes × processes × rounds × kinds is at most %d, and so is that by max-delay: name fewer kinds",
			text.Plural(len(b.Kinds), "kind"), text.Plural(len(b.Processes), "process"), text.Plural(b.EOT, "round"), maxLater))
	}
	if len(b.Kinds) > 0 && b.grants() {
		all = append(all, "kinds do not go with deliver and kernel, which speak about all messages of a process")
	}
	return all
}

// SentBy returns the kinds of the messages that a program sends: the relations that @async
// rules derive, sorted.
func SentBy(p *dedalus.Program) []string {
	var all []string
	for _, r := range p.Rules {
		if r.Kind == syntax.Async && !slices.Contains(all, r.Head.Relation) {
			all = append(all, r.Head.Relation)
		}
	}
	slices.Sort(all)
	return all
}

// KindsAmong returns the kinds of messages of the bounds, which have to be among those that
// are sent. In place of [AllKinds] it returns all that are sent.
func (b Bounds) KindsAmong(sent []string) ([]string, error) {
	var all []string
	for _, kind := range b.Kinds {
		switch {
		case slices.Contains(sent, kind):
			all = append(all, kind)
		case kind == AllKinds && len(b.Kinds) == 1 && len(sent) <= mostKinds:
			return slices.Clone(sent), nil
		case kind == AllKinds && len(b.Kinds) == 1:
			return nil, fmt.Errorf("there are %d kinds of messages, and at most %d can be hit alone: name some", len(sent), mostKinds)
		default:
			return nil, neverSent(kind, sent)
		}
	}
	return all, nil
}

// CheckKinds returns an error if the bounds pick out a kind of message that the program p
// does not send.
func (b Bounds) CheckKinds(p *dedalus.Program) error {
	if _, err := b.KindsAmong(SentBy(p)); err != nil {
		return fmt.Errorf("bounds: %s=%s: %w", kindsKey, b.kindsText(), err)
	}
	return nil
}

// CheckKind returns an error if the pattern describes faults of a kind of message that b does
// not pick out, or of single messages, which no bounds do.
func (p Pattern) CheckKind(b Bounds) error {
	switch {
	case p.Nth > 0:
		return fmt.Errorf("fault pattern %q: faults within bounds hit all messages of a kind: leave #%d out", p, p.Nth)
	case p.Of == "" || slices.Contains(b.Kinds, p.Of):
		return nil
	case len(b.Kinds) == 0:
		return fmt.Errorf("fault pattern %q: the bounds pick out no kinds of messages: say %s=%s", p, kindsKey, KindText(p.Of))
	}
	return fmt.Errorf("fault pattern %q: the bounds do not pick out %s%s: they do %s", p, KindText(p.Of), text.DidYouMean(p.Of, b.Kinds), some(KindTexts(b.Kinds)))
}

// sentKinds returns those of the kinds of messages that are sent.
func (b Bounds) sentKinds(sent []string) []string {
	if len(b.Kinds) == 0 {
		return b.Kinds
	}
	if all, err := b.KindsAmong(sent); err == nil {
		return all
	}
	return slices.DeleteFunc(slices.Clone(b.Kinds), func(kind string) bool { return !slices.Contains(sent, kind) })
}

// neverSent says that messages of a kind are never sent, and of which kinds are.
func neverSent(kind string, sent []string) error {
	if len(sent) == 0 {
		return fmt.Errorf("no message of the kind %s is ever sent, nor any other", KindText(kind))
	}
	return fmt.Errorf("no message of the kind %s is ever sent%s: there are %s", KindText(kind), text.DidYouMean(kind, sent), some(KindTexts(sent)))
}

// noteOfKinds is what the scope says of the kinds of messages that can be hit alone.
func (b Bounds) noteOfKinds() string {
	if len(b.Kinds) == 0 {
		return ""
	}
	kinds := KindTexts(b.Kinds)
	if more := len(kinds) - pointsShown; more > 1 {
		kinds = append(kinds[:pointsShown:pointsShown], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf(" (also of %s alone)", text.List(kinds, "or"))
}
