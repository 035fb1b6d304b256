package subject

import (
	"context"
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
)

// Element is something that the outcome of an execution rests on.
type Element struct {
	Kind string `json:"kind"` // rule, fact or message
	Text string `json:"text"` // as it is written; of a system the name of the facts or messages
	Key  string `json:"-"`    // the same in all versions where it means the same: variables may have other names
	File string `json:"file"` // where it stands; "" in a system
	Line int    `json:"line"` // from 1
}

// The kinds of elements.
const (
	RuleElement    = "rule"
	FactElement    = "fact"
	MessageElement = "message"
)

// RequestRelation is the relation of the facts that are requests of clients: they are input
// of a system.
const RequestRelation = "request"

// Support returns the elements on which the outcome under a schedule rests. For a protocol
// these are the rules that fire for the good outcome, and the facts of the program that it
// uses ([ldfi.Model.Support]). For a system, whose rules are not known, these are the kinds
// of recorded facts and messages. A schedule with unknown names is a [MisfitError].
func (o *Opened) Support(ctx context.Context, s rounds.Schedule) ([]Element, error) {
	return fitting(ctx, o, s, func() ([]Element, error) { return o.support(ctx, s) })
}

func (p *OpenedProtocol) support(ctx context.Context, s rounds.Schedule) ([]Element, error) {
	rest, err := p.model.Support(ctx, s)
	if err != nil {
		return nil, err
	}
	return elements(rest.Facts, rest.Rules), nil
}

// Involved returns the rules and facts that the promise depends on.
func (p *OpenedProtocol) Involved() ([]Element, error) {
	part, err := ldfi.Promised(p.program)
	if err != nil {
		return nil, err
	}
	return elements(part.Facts, part.Rules), nil
}

func elements(facts []*syntax.Fact, rules []*syntax.Rule) []Element {
	var all []Element
	for _, f := range facts {
		all = append(all, Element{FactElement, f.String(), f.String(), f.Position.File, f.Position.Line})
	}
	for _, r := range rules {
		all = append(all, Element{RuleElement, r.String(), r.Canonical(), r.Position.File, r.Position.Line})
	}
	return all
}

func (h *OpenedSystem) support(ctx context.Context, s rounds.Schedule) ([]Element, error) {
	in, err := h.replay(ctx, s)
	if err != nil {
		return nil, err
	}
	e := in.Execution
	facts, messages := map[string]bool{}, map[string]bool{}
	for _, f := range e.Facts {
		facts[f.Relation] = true
	}
	delete(facts, RequestRelation) // requests are input of the system
	for _, m := range e.Messages {
		messages[m.Relation] = true
	}
	var all []Element
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		all = append(all, Element{Kind: FactElement, Text: name, Key: name})
	}
	for _, name := range slices.Sorted(maps.Keys(messages)) {
		all = append(all, Element{Kind: MessageElement, Text: name, Key: name})
	}
	return all, nil
}

// Involved returns nothing, since it is not known.
func (h *OpenedSystem) Involved() ([]Element, error) { return nil, nil }
