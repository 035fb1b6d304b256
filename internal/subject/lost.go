package subject

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// A host is lost if a process does not come back, or ends the program. The execution is
// then tried again in a fresh host, with more patience. If that host is lost too, this is a
// finding, which names the schedule and is not made smaller. Otherwise the question is
// asked once more.

// finding is a schedule under which the host was lost twice.
type finding struct {
	schedule  rounds.Schedule
	violation result.Violation
}

// found returns the finding of an execution under which the host was lost. It is nil if err
// is another error, or if nothing is found; then there is a fresh host.
func (h *OpenedSystem) found(ctx context.Context, err error) (*finding, error) {
	var lost *remote.LostError
	if !errors.As(err, &lost) || ctx.Err() != nil {
		return nil, err
	}
	suspects := lost.Suspects
	if len(suspects) == 0 {
		if suspects, err = h.searchAlone(ctx); err != nil {
			return nil, errors.Join(lost, err)
		}
	}
	for _, s := range suspects {
		f, err := h.again(ctx, s)
		if f != nil || err != nil {
			h.mutex.Lock()
			h.gone = true
			h.mutex.Unlock()
			return f, err
		}
	}
	h.tell("starting the host again")
	return nil, h.restart(ctx)
}

// again executes a schedule in a fresh host.
func (h *OpenedSystem) again(ctx context.Context, s remote.Suspect) (*finding, error) {
	h.tell(fmt.Sprintf("the host was lost under %q: trying again in a fresh one", s.Schedule))
	fresh, err := h.fresh(ctx, false)
	if err != nil {
		return nil, err
	}
	defer fresh.Close()
	_, _, err = fresh.System.Execute(ctx, s.Schedule, max(s.Rounds, h.limits.EOT), messages.Always)
	var lost *remote.LostError
	if !errors.As(err, &lost) || ctx.Err() != nil {
		return nil, ctx.Err() // the fresh host is not lost, or the error says what is wrong
	}
	return &finding{s.Schedule, endOf(lost)}, nil
}

// endOf returns the violation of a host that was lost.
func endOf(lost *remote.LostError) result.Violation {
	if lost.Hangs != nil {
		return search.HangViolation(lost.Hangs, lost.After)
	}
	return search.ExitViolation(lost.Err)
}

// searchAlone starts a fresh host in place of one that was lost during a search of its own.
// The fresh host executes one schedule after the other. searchAlone returns the schedule
// under which it is lost.
func (h *OpenedSystem) searchAlone(ctx context.Context) ([]remote.Suspect, error) {
	h.tell("the host was lost while it searched: letting it execute one schedule after the other")
	fresh, err := h.fresh(ctx, true)
	if err != nil {
		return nil, err
	}
	defer fresh.Close()
	_, err = fresh.System.Search(ctx, h.options())
	var lost *remote.LostError
	if errors.As(err, &lost) {
		return lost.Suspects, nil
	}
	return nil, ctx.Err()
}

// fresh starts the host once more, with more patience. If alone, the new host executes the
// schedules of a search one after the other.
func (h *OpenedSystem) fresh(ctx context.Context, alone bool) (*OpenedSystem, error) {
	fresh, err := h.question.startProgram(ctx, remote.Options{CallTimeout: search.SecondPatience * h.question.patience(), EachCall: true, Alone: alone})
	if err != nil {
		return nil, err
	}
	if fresh.System, err = fresh.program.System(h.Name); err != nil {
		return nil, errors.Join(err, fresh.Close())
	}
	return fresh, nil
}

// revive starts a fresh host in place of a host that a finding has ended.
func (h *OpenedSystem) revive(ctx context.Context) error {
	h.mutex.Lock()
	gone := h.gone
	h.mutex.Unlock()
	if !gone {
		return nil
	}
	return h.restart(ctx)
}

// restart starts a fresh host in place of the host that was lost.
func (h *OpenedSystem) restart(ctx context.Context) error {
	fresh, err := h.fresh(ctx, false)
	if err != nil {
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	_ = h.program.Close()
	h.end()
	h.program, h.live, h.end, h.gone = fresh.program, fresh.System, fresh.end, false
	return nil
}

func (h *OpenedSystem) tell(doing string) {
	if h.question.Progress != nil {
		h.question.Progress(doing)
	}
}

// injection returns the execution of a finding, of which nothing is recorded.
func (h *OpenedSystem) injection(f *finding) *result.Injection {
	return &result.Injection{
		Repeats: h.lostAgain(),
		Verdict: result.Violated, Schedule: f.schedule.Normal(), Within: true, Violations: []result.Violation{f.violation}, Bounds: h.Bounds(),
		Execution: &recording.Execution{System: h.Name, Bounds: h.Bounds(), Schedule: f.schedule.Normal()},
	}
}

// lostAgain counts the execution that lost the host again, where others may not.
func (h *OpenedSystem) lostAgain() *result.Repeats {
	if h.System.Inexact == "" {
		return nil
	}
	return &result.Repeats{Broken: 1, Executions: 1, Why: h.System.Inexact}
}

// answer is that of a search which a finding ended.
func (h *OpenedSystem) answer(f *finding) *result.Answer {
	a := Broken(h.injection(f))
	a.Stats.Executions = 2
	a.Search = &result.Search{
		Strategy: h.options().Strategy, Seed: h.options().Seed, Executions: 2, Found: f.schedule.Normal(),
		Why: "the host was lost twice under this schedule, so it was not made smaller",
	}
	return a
}
