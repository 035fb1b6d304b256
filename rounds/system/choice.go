package system

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Choice is a set of requests that clients may make besides System.Requests: of each of
// its processes, in each of its rounds, with each combination of its values. A schedule
// selects some: choose put("a", "x", 1)@3 makes a request of process a in round 3. A
// search tries them together with the faults, at most rounds.Bounds.Choices of them in
// an execution.
//
//	system.Choice{Kind: "put", Values: [][]any{{"x", "y"}, {1, 2}}, From: 2, To: 6}
type Choice struct {
	Kind      string   // the name of the requests in schedules
	Processes []string // the processes of which the requests may be made; nil: all
	Values    [][]any  // the values of each argument: strings and integers
	From, To  int      // the rounds in which the requests may be made; 0: from the first, and to the last

	// Payload returns the payload of a request with the given arguments, which are
	// elements of Values. If Payload is nil, the payload is a text such as "put x 1".
	Payload func(values []any) any
}

// ChoiceData returns the choices of the system as data, without functions.
func (s *System) ChoiceData() []execution.Choice {
	var all []execution.Choice
	for _, c := range s.Choices {
		o := execution.Choice{Kind: c.Kind, Processes: c.Processes, From: c.From, To: c.To}
		if c.Processes == nil {
			o.Processes = s.Processes
		}
		for _, values := range c.Values {
			var as []specs.Value
			for _, v := range values {
				as = append(as, execution.PayloadValue(v))
			}
			o.Values = append(o.Values, as)
		}
		all = append(all, o)
	}
	return all
}

// Choosable returns the faults of the kind Choose that schedules of eot rounds can
// have, by round, and for each of them the request that it makes.
func (s *System) Choosable(eot int) (faults []rounds.Fault, requests []Request) {
	c, err := s.newCatalogue()
	if err != nil {
		return nil, nil // which each execution reports
	}
	for _, choice := range s.Bounds(eot).Choose {
		for _, f := range choice.Of {
			request, _ := c.request(f)
			faults, requests = append(faults, f), append(requests, request)
		}
	}
	return faults, requests
}

// catalogue is the requests that choices allow in a round.
type catalogue struct {
	all    []catalogued
	byFact map[string]int // their places
	before int            // no other request has a greater ID
}

// catalogued is one of them.
type catalogued struct {
	process string
	payload any
	offer   *execution.Choice
}

// newCatalogue makes the requests of all choices. An error says what is wrong with
// one.
func (s *System) newCatalogue() (*catalogue, error) {
	c := &catalogue{byFact: map[string]int{}}
	for _, r := range s.requests() {
		c.before = max(c.before, r.ID)
	}
	all := s.ChoiceData()
	for i := range all {
		o := &all[i]
		if err := o.Check(s.Processes); err != nil {
			return nil, fmt.Errorf("choices[%d]: %w", i, err)
		}
		for process, places := range o.All() {
			fact := o.Fact(process, places)
			if _, twice := c.byFact[fact]; twice {
				return nil, fmt.Errorf("choices[%d]: %s is among the choices twice", i, fact)
			}
			payload, err := s.Choices[i].payload(places)
			if err != nil {
				return nil, fmt.Errorf("choices[%d]: the payload of %s: %w", i, fact, err)
			}
			c.byFact[fact] = len(c.all)
			c.all = append(c.all, catalogued{process, payload, o})
		}
	}
	return c, nil
}

// payload makes the payload of a request from the places of its values.
func (c *Choice) payload(places []int) (payload any, err error) {
	values := make([]any, len(places))
	for i, place := range places {
		values[i] = c.Values[i][place]
	}
	if c.Payload == nil {
		texts := []string{c.Kind}
		for _, v := range values {
			texts = append(texts, execution.PayloadText(v))
		}
		return strings.Join(texts, " "), nil
	}
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("its Payload panics: %v", wrong)
		}
	}()
	return c.Payload(values), nil
}

// request returns the request that a schedule chooses. Its ID does not depend on what
// else is chosen, or on the number of rounds.
func (c *catalogue) request(f rounds.Fault) (Request, bool) {
	i, ok := c.byFact[f.Detail]
	if !ok || !c.all[i].offer.In(f.Round) {
		return Request{}, false
	}
	return Request{ID: c.before + (f.Round-1)*len(c.all) + i + 1, Round: f.Round, Process: c.all[i].process, Payload: c.all[i].payload}, true
}

// round returns the round of a request that can be chosen, by its ID, and whether
// there is one.
func (c *catalogue) round(id int) (round int, ok bool) {
	if c == nil || id <= c.before || len(c.all) == 0 {
		return 0, false
	}
	return (id-c.before-1)/len(c.all) + 1, true
}

// choose lets clients ask what the schedule says, besides what they always do. It
// returns the schedule without that.
func (r *Runner) choose(schedule rounds.Schedule) (rounds.Schedule, error) {
	r.chosen = r.chosen[:0]
	if err := r.takeAsks(schedule); err != nil || r.catalogue == nil || !slices.ContainsFunc(schedule.Faults, isChoice) {
		return schedule, err
	}
	for _, f := range schedule.Faults {
		if !isChoice(f) {
			continue
		}
		request, ok := r.catalogue.request(f)
		if !ok || f.Round > r.rounds() {
			return schedule, schedule.Check(r.system.Bounds(r.rounds()))
		}
		r.chosen = append(r.chosen, request)
	}
	slices.SortFunc(r.chosen, func(p, q Request) int { return cmp.Compare(p.ID, q.ID) })
	r.chosen = slices.CompactFunc(r.chosen, func(p, q Request) bool { return p.ID == q.ID })
	schedule.Faults = slices.DeleteFunc(slices.Clone(schedule.Faults), isChoice)
	return schedule, nil
}

func isChoice(f rounds.Fault) bool { return f.Kind == rounds.Choose }

// chosenIn returns the requests that the schedule lets clients make of a process in a
// round.
func (r *Runner) chosenIn(process, round int) (requests []Request) {
	for _, q := range r.chosen {
		if q.Round == round && q.Process == r.processes[process].name {
			requests = append(requests, q)
		}
	}
	return requests
}

// asks tells whether there was a request with an ID until now. Who lets single
// processes go on from kept states has no schedule, and there may have been any.
func (r *Runner) asks(id int) bool {
	if known, ok := r.byID[id]; ok {
		return known.Round <= r.round
	}
	chosen := func(q Request) bool { return q.ID == id }
	if id >= firstAsk {
		return slices.ContainsFunc(r.chosen, func(q Request) bool { return chosen(q) && q.Round <= r.round })
	}
	round, ok := r.catalogue.round(id)
	return ok && round <= r.round && (r.local || slices.ContainsFunc(r.chosen, chosen))
}
