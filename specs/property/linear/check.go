package linear

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// judge looks for orders of requests by a model, until its time is up.
type judge struct {
	consistency
	model porcupine.Model
	limit time.Duration
	until time.Time
}

func newJudge(kept consistency, model porcupine.Model, limit time.Duration) *judge {
	if step := model.StepContext; model.Step == nil && step != nil {
		model.Step = func(state, input, output any) (bool, any) { return step(context.Background(), state, input, output) }
	}
	return &judge{kept, model, limit, time.Now().Add(limit)}
}

// unexplained looks for an order of each part into which the model splits requests.
// It returns the search of the first that has none; nil if all have. late tells that
// there was no time to find out.
func (j *judge) unexplained(operations []porcupine.Operation) (s *searching, late bool) {
	model, parts := j.model, [][]porcupine.Operation{operations}
	switch {
	case !j.local:
		model, parts[0] = whole(model, operations)
	case model.Partition != nil:
		parts = model.Partition(operations)
	}
	for _, part := range parts {
		s := newSearching(model, part, j.consistency, j.until)
		switch found := s.find(); {
		case s.late:
			late = true
		case !found:
			return s, false
		}
	}
	return nil, late
}

// check looks for the first reply that fits no order.
func (h *history) check(j *judge) []result.Violation {
	switch s, late := j.unexplained(h.operations(j.past, nil)); {
	case late:
		panic(&limits.UnjudgedError{Why: fmt.Sprintf("no order of %s (%d without a reply), and no proof that there is none, was found in %v",
			text.Plural(len(h.calls), "request"), h.unanswered(), j.limit)})
	case s == nil:
		return nil
	}
	replies := h.replies() // of which all fit no order, and so the first so many
	first := sort.Search(len(replies)-1, func(i int) bool {
		s, _ := j.unexplained(h.operations(j.past, replies[i]))
		return s != nil
	})
	last := replies[first]
	s, _ := j.unexplained(h.operations(j.past, last))
	if s == nil { // no time was left for that
		last = replies[len(replies)-1]
	}
	h.blame(last, j.kept+" explains this reply and those before it")
	if s != nil {
		h.wrong[0].Conflict = h.conflict(last, s)
	}
	return h.wrong
}

// unanswered counts the requests without a reply.
func (h *history) unanswered() int { return len(h.calls) - len(h.replies()) }

// replies returns the first replies to all requests, in their order.
func (h *history) replies() []*recording.Fact {
	var replies []*recording.Fact
	for _, c := range h.calls {
		if c.reply != nil {
			replies = append(replies, c.reply)
		}
	}
	slices.SortFunc(replies, compareFacts)
	return replies
}

func compareFacts(f, g *recording.Fact) int { return f.Compare(*g) }

// operations returns the history as it was when a reply came, nil for the whole
// one. A round is two points in time: requests come at the first, replies at the
// second, so that what happens in one round is concurrent.
//
// Where no reply needs what was asked for after it, a request without a reply that came
// after the last of the replies is left out: in every order it can stand at the end.
func (h *history) operations(past bool, last *recording.Fact) []porcupine.Operation {
	answered := func(c *call) bool { return c.reply != nil && (last == nil || compareFacts(c.reply, last) <= 0) }
	end := 0 // the round of the last reply, or of all
	for _, c := range h.calls {
		if answered(c) {
			end = max(end, c.reply.Round)
		} else if !past {
			end = max(end, c.round)
		}
	}
	var all []porcupine.Operation
	for i, c := range h.calls {
		if c.round > end {
			continue
		}
		op := porcupine.Operation{ClientId: c.process, Input: c.input, Call: int64(2 * c.round), Return: int64(2*end + 3), Metadata: i}
		if answered(c) {
			op.Output, op.Return = c.reply.Args[2].Text(), int64(2*c.reply.Round+1)
		}
		all = append(all, op)
	}
	return all
}
