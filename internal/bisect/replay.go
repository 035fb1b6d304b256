package bisect

import (
	"context"
	"errors"
	"strings"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// effectKey is a replay.
type effectKey struct {
	schedule string
	version  int
}

// replay executes every schedule that was found on every version that was searched. A
// version without a violation of its own is violated if one of them breaks it.
func (m *matrix) replay(ctx context.Context) {
	m.Schedules = m.found()
	same := m.same()
	parallel(len(m.Findings), func(i int) {
		if m.Findings[i].State.searched() && same[i] == i {
			m.replayOn(ctx, i)
		}
	})
	for i, earlier := range same {
		if m.Findings[earlier].Replayed != "" && i != earlier {
			m.Findings[i].like(&m.Findings[earlier])
		}
	}
	for k := range m.Schedules {
		s := &m.Schedules[k]
		s.Effects = make([]Effect, len(m.Findings))
		for i := range m.Findings {
			s.Effects[i] = m.effects[effectKey{s.Schedule.String(), same[i]}]
			s.Effects[i].Version, s.Effects[i].Input = m.Findings[i].Version, m.Findings[i].Input
		}
	}
}

// searched tells whether there is a version to replay schedules on.
func (s State) searched() bool { return s != Skipped && s != NotSearched }

// found returns the different schedules that the searches found.
func (m *matrix) found() []Found {
	var all []Found
	index := map[string]int{}
	for i, f := range m.Findings {
		if f.State != Violated || f.Replayed != "" {
			continue
		}
		text := f.Schedule.String()
		k, ok := index[text]
		if !ok {
			k = len(all)
			index[text] = k
			all = append(all, Found{Schedule: f.Schedule})
		}
		all[k].In, all[k].Versions = append(all[k].In, i), append(all[k].Versions, f.name())
	}
	return all
}

// replayOn executes on one version the schedules that were not executed on it yet.
func (m *matrix) replayOn(ctx context.Context, i int) {
	var todo []rounds.Schedule
	m.mutex.Lock()
	for _, s := range m.Schedules {
		key := effectKey{s.Schedule.String(), i}
		if _, done := m.effects[key]; done {
			continue
		}
		if m.Findings[i].State == Violated && m.Findings[i].Replayed == "" && m.Findings[i].Schedule.String() == key.schedule {
			m.effects[key] = Effect{Outcome: Breaks, Repeats: m.Findings[i].Repeats} // as it was found
			continue
		}
		todo = append(todo, s.Schedule)
	}
	m.mutex.Unlock()
	if len(todo) == 0 {
		return
	}
	m.tell("replaying on %s", m.Findings[i].name())
	v, err := m.open(ctx, i, m.System)
	if err != nil {
		return
	}
	defer v.Close()
	for _, s := range todo {
		effect, in := v.effect(ctx, s)
		outside := v.Within(s)
		if effect.Outcome == Breaks && outside != nil && v.Subject().Shared().Guide == "" { // no bounds speak of what a guide decides
			effect.Reason = strings.TrimSuffix("the schedule lies outside the bounds of the version: "+errors.Unwrap(outside).Error()+"; "+effect.Reason, "; ")
		}
		m.mutex.Lock()
		if ctx.Err() == nil {
			m.effects[effectKey{s.String(), i}] = effect
		}
		m.mutex.Unlock()
		if effect.Outcome == Breaks && outside == nil {
			m.upgrade(i, in)
		}
	}
}

// effect replays a schedule.
func (v *asked) effect(ctx context.Context, s rounds.Schedule) (Effect, *result.Injection) {
	in, err := v.Replay(ctx, s)
	switch {
	case misfits(err):
		return Effect{Outcome: Misfit, Reason: v.place.localText(err.Error())}, nil
	case err != nil:
		return Effect{Reason: v.place.localText(err.Error())}, nil
	case in.Verdict == result.Violated:
		return Effect{Outcome: Breaks, Reason: answertext.Remark(in), Repeats: in.Repeats}, in
	default:
		return Effect{Outcome: Keeps, Reason: answertext.Remark(in), Repeats: in.Repeats}, nil
	}
}

// misfits tells whether an error says that a schedule does not fit.
func misfits(err error) bool {
	var misfit *subject.MisfitError
	return errors.As(err, &misfit)
}

// upgrade makes a version violated if a schedule within its bounds breaks it that its own
// search did not reach.
func (m *matrix) upgrade(i int, in *result.Injection) {
	f := &m.Findings[i]
	if f.State != NothingFound && f.State != Inconclusive {
		return
	}
	f.broken(subject.Broken(in).First())
	for _, s := range m.Schedules {
		if s.Schedule.String() == in.Schedule.String() {
			f.Replayed = m.Findings[s.In[0]].name()
		}
	}
}
