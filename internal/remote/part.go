package remote

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
)

// Parts says why a search of the system cannot be made in parts, whatever its strategy is;
// "" if it can.
func (s *System) Parts(o search.Options) string {
	switch {
	case len(o.Past) > 0:
		return "known violations of the system are skipped here"
	case s.Inexact != "":
		return "executions of one schedule may differ, because " + s.Inexact
	case s.remote.options.Alone:
		return "the host executes one schedule after the other"
	case !s.searchedHere(&o) && !s.remote.parts:
		return "the host was built with an older ldfi, and searches by itself in one go"
	default:
		return ""
	}
}

// Part makes some of the executions of the search that Search makes.
func (s *System) Part(ctx context.Context, o search.Options, p search.Part) (*search.Stretch, error) {
	o.Bounds = s.Whole(o.Bounds)
	if err := s.remote.checkKinds(o.Bounds); err != nil {
		return nil, err
	}
	if why := s.Parts(o); why != "" {
		return nil, errors.New(why)
	}
	if s.searchedHere(&o) {
		o.Workers = manyWorkers
		target, done := s.executed()
		defer done()
		return strategies.Part(ctx, target, o, p)
	}
	if err := s.has(o.Strategy); err != nil {
		return nil, err
	}
	a, err := s.remote.ask(ctx, messages.Request{Do: messages.DoPart, System: s.Name, Options: o, Part: &p}, 0, s.believeProgress(&o))
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case a.Stretch == nil:
		return nil, errors.New("the host answered a part of a search without what that came to")
	}
	return a.Stretch, s.BelieveStretch(a.Stretch, o, p)
}

// BelieveStretch compares the results of a part of a search with the request.
func (s *System) BelieveStretch(k *search.Stretch, o search.Options, p search.Part) error {
	o.Bounds = s.Whole(o.Bounds)
	if err := s.believeStretch(k, &o, p); err != nil {
		return fmt.Errorf("what executions %d to %d came to: %w", p.First, p.End-1, err)
	}
	return nil
}

func (s *System) believeStretch(k *search.Stretch, o *search.Options, p search.Part) error {
	end := min(p.End, k.All)
	switch {
	case o.Strategy != "" && k.Strategy != o.Strategy:
		return fmt.Errorf("they were made by %q, and not by %q", k.Strategy, o.Strategy)
	case k.All < 1 || k.All > o.Budget():
		return fmt.Errorf("there are %d, and may be %d", k.All, o.Budget())
	case k.First != p.First || k.Ended && k.End >= end || !k.Ended && k.End != end:
		return fmt.Errorf("they are %d to %d, and it is said that the next one ends the search: %v", k.First, k.End-1, k.Ended)
	case len(k.Sights) != len(s.Properties):
		return fmt.Errorf("they are about %d properties, and not %d", len(k.Sights), len(s.Properties))
	case (k.Figures != nil) != o.Statistics:
		return fmt.Errorf("there are figures: %v, and was asked for some: %v", k.Figures != nil, o.Statistics)
	}
	if err := k.Check(o.Bounds.EOT); err != nil {
		return err
	}
	if k.Late != nil {
		k.Late.Slowest = k.Late.Slowest.Normal()
		if err := believeSchedule(k.Late.Slowest, o); err != nil {
			return err
		}
	}
	if k.Why != nil {
		return believeSchedule(k.Why.Schedule, o)
	}
	return nil
}
