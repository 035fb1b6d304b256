package remote

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// believe compares a recording with the schedule and the rounds of the request. It computes
// the effects of the schedule on processes and messages: a recording can add draws, and the
// behaviour of processes while they are up. The violations tell whether the recording ends
// before its last round.
func (s *System) believe(e *recording.Execution, asked rounds.Schedule, eot int, violations []result.Violation) error {
	if err := s.sameScope(e.Bounds, eot); err != nil {
		return err
	}
	e.Bounds = s.scope(eot, asked)
	if err := sameSchedule(e.Schedule, asked); err != nil {
		return err
	}
	c, err := newCourse(e.Bounds, e.Schedule, lastRound(violations, eot))
	if err == nil {
		err = c.believePanic(violations)
	}
	if err == nil {
		err = c.believeUnreached(e.Unreached)
	}
	if err != nil {
		return err
	}
	for _, f := range e.Facts {
		if err := c.believeFact(f); err != nil {
			return fmt.Errorf("fact %s: %w", f, err)
		}
	}
	for i := range e.Messages {
		if err := c.believeMessage(&e.Messages[i]); err != nil {
			return fmt.Errorf("message %s: %w", e.Messages[i], err)
		}
	}
	return nil
}

// scope returns the bounds of a recording: its processes, its rounds, and the requests that
// its schedule chooses.
func (s *System) scope(eot int, schedule rounds.Schedule) rounds.Bounds {
	return rounds.Bounds{Processes: s.Processes, EOT: eot, Period: 1, CrashStop: true, Choose: execution.Chosen(schedule)}
}

func (s *System) sameScope(b rounds.Bounds, eot int) error {
	if !slices.Equal(b.Processes, s.Processes) {
		return fmt.Errorf("the recording is one of the processes %q, and not %q", b.Processes, s.Processes)
	}
	if b.EOT != eot {
		return fmt.Errorf("the recording has %d rounds, and not %d", b.EOT, eot)
	}
	return nil
}

// sameSchedule reports differences between a schedule and the one of the request, which may
// lack only drawn settings.
func sameSchedule(s, asked rounds.Schedule) error {
	asked = asked.Normal()
	drawn := s.Settings // these settings are drawn
	drawn.Seed, drawn.Ticks = asked.Settings.Seed, asked.Settings.Ticks
	drawn.Start, drawn.Latency, drawn.Requests = asked.Settings.Start, asked.Settings.Latency, asked.Settings.Requests
	if !fills(s.Settings, asked.Settings) || drawn != asked.Settings || !slices.Equal(s.Normal().Faults, asked.Faults) {
		return fmt.Errorf("the recording is one of the schedule %q, and not %q", s, asked)
	}
	return nil
}
