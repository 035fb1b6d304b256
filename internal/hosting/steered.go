package hosting

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// steered has the faults of a run decided by who asks for it.
type steered struct {
	host    *host
	id      int
	ctx     context.Context
	decided chan []string    // those of the turn that was told last
	begins  *rounds.Schedule // of an execution of which nothing was told
}

// steer takes note of a run that is steered.
func (h *host) steer(ctx context.Context, id int) {
	ctx, cancel := context.WithCancel(ctx)
	h.cancels.Store(id, cancel)
	h.steered.Store(id, &steered{host: h, id: id, ctx: ctx, decided: make(chan []string, 1)})
}

// decide hands on what is decided in a run.
func (h *host) decide(r messages.Request) error {
	s, ok := h.steered.Load(r.Of)
	if !ok {
		return fmt.Errorf("a decide is of a run that is steered and not answered yet: %d is none", r.Of)
	}
	select {
	case s.(*steered).decided <- r.Faults:
		return nil
	default:
		return fmt.Errorf("more than one turn of run %d is decided at a time", r.Of)
	}
}

// runSteered executes a schedule while faults are decided. What executes it is not used
// again: lines about it may still be written when it has failed.
func (h *host) runSteered(t *search.Target, r messages.Request) (messages.Answer, error) {
	defer h.cancel(r.ID)
	s, ok := h.steered.LoadAndDelete(r.ID)
	if !ok {
		return messages.Answer{}, errors.New("the id of a run is used twice")
	}
	by := s.(*steered)
	h.steered.Store(r.ID, by)
	defer h.steered.Delete(r.ID)
	r.Recording = messages.Always
	return run(by.ctx, t.Judge(0, true), r, by)
}

// Begin takes note of the schedule, which the next turn tells.
func (s *steered) Begin(schedule rounds.Schedule) {
	s.begins = &rounds.Schedule{Settings: schedule.Settings, Faults: slices.Clone(schedule.Faults)}
}

// Decide tells a turn, and waits for what is decided.
func (s *steered) Decide(t system.Turn) (faults []rounds.Fault, err error) {
	turn := &messages.Turn{Begins: s.begins, Round: t.Round, Facts: t.Facts, Arrived: t.Arrived, Lost: t.Lost, Sent: t.Sent, First: t.First, Settled: t.Settled}
	s.begins = nil
	s.host.answer(s.id, messages.Answer{Turn: turn}, nil)
	select {
	case <-s.ctx.Done():
		return nil, s.ctx.Err()
	case decided := <-s.decided:
		for _, text := range decided {
			f, err := rounds.ParseSchedule(text)
			if err != nil || f.Settings != (rounds.Settings{}) || len(f.Faults) != 1 {
				return nil, fmt.Errorf("%q is not one fault: %w", text, err)
			}
			faults = append(faults, f.Faults[0])
		}
		return faults, nil
	}
}
