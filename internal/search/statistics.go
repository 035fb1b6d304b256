package search

import (
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// tally has the figures of executions.
type tally struct {
	mutex sync.Mutex
	rows  []figures
	err   error
}

// figures are the figures of one execution.
type figures struct {
	number int    // of the execution
	counts [6]int // in the order of figuresOf
}

// Count adds an execution to the statistics, if these are asked for.
func (s *Session) Count(number int, e *recording.Execution) {
	if s.Guide != nil {
		s.guidance.number(number, e)
	}
	if !s.Statistics || e == nil {
		return
	}
	counts, err := count(e, s.Bounds.Normal().Period)
	s.tally.mutex.Lock()
	defer s.tally.mutex.Unlock()
	if err != nil {
		s.tally.err = err
		return
	}
	s.tally.rows = append(s.tally.rows, figures{number, counts})
}

// forget removes the executions after last.
func (t *tally) forget(last int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.rows = slices.DeleteFunc(t.rows, func(f figures) bool { return f.number > last })
}

// statistics returns the statistics of the executions so far; nil if they are not asked
// for.
func (s *Session) statistics() *result.Statistics {
	if !s.Statistics {
		return nil
	}
	t := &s.tally
	t.mutex.Lock()
	defer t.mutex.Unlock()
	all := &result.Statistics{Executions: len(t.rows)}
	for i, f := range figuresOf(all) {
		*f = figure(t.rows, i)
	}
	return all
}

// figuresOf are the figures in the order in which count counts them.
func figuresOf(s *result.Statistics) []*result.Figure {
	return []*result.Figure{&s.Rounds, &s.QuorumRounds, &s.Phases, &s.QuorumPhases, &s.Sent, &s.Arrived}
}

// figure returns one of the figures of some executions.
func figure(rows []figures, i int) result.Figure {
	if len(rows) == 0 {
		return result.Figure{}
	}
	var all []int
	sum := 0
	for _, row := range rows {
		all = append(all, row.counts[i])
		sum += row.counts[i]
	}
	slices.Sort(all)
	n := len(all)
	return result.Figure{
		Mean: float64(sum) / float64(n), Median: float64(all[(n-1)/2]+all[n/2]) / 2, Least: all[0], Most: all[n-1],
	}
}

// count counts features of an execution.
func count(e *recording.Execution, period int) (counts [6]int, err error) {
	environment, err := schedules.NewEnvironment(e.Bounds, e.Schedule)
	if err != nil {
		return counts, err
	}
	n, eot := len(e.Bounds.Processes), e.Bounds.EOT
	counts[0] = eot
	for first := 1; first <= eot; first += period {
		phase := newQuorum(n)
		for round := first; round < first+period && round <= eot; round++ {
			q := newQuorum(n)
			q.lose(environment, e, round)
			phase.lose(environment, e, round)
			counts[1] += whether(q.exists())
		}
		counts[2]++
		counts[3] += whether(phase.exists())
	}
	for _, m := range e.Messages {
		counts[4]++
		counts[5] += whether(!m.Lost && m.Arrival <= eot)
	}
	return counts, nil
}

func whether(is bool) int {
	if is {
		return 1
	}
	return 0
}

// quorum looks for a majority of processes that are up and exchange all messages.
type quorum struct {
	away  []bool   // of a process: it is not up
	apart [][]bool // by two processes: a message from one to the other is lost
}

func newQuorum(n int) *quorum {
	q := &quorum{away: make([]bool, n), apart: make([][]bool, n)}
	for p := range q.apart {
		q.apart[p] = make([]bool, n)
	}
	return q
}

// lose records the links on which messages do not arrive in a round, and the processes that
// are away.
func (q *quorum) lose(environment *schedules.Environment, e *recording.Execution, round int) {
	for from := range q.away {
		q.away[from] = q.away[from] || away(e.Schedule, e.Bounds.Processes[from], round) || !environment.Delivers(from, from, round)
		for to := range q.away {
			if !environment.Delivers(from, to, round) {
				q.apart[from][to], q.apart[to][from] = true, true
			}
		}
	}
}

// away tells whether a process stands still in a round, or crashes within it.
func away(s rounds.Schedule, process string, round int) bool {
	return slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
		return f.Process == process && (f.Kind == rounds.Pause && f.Round <= round && round <= f.Until || f.Point() != "" && f.Round == round)
	})
}

// exists tells whether more than half of the processes exchange all messages: whether
// so few can be left out that no two of the others are apart.
func (q *quorum) exists() bool {
	left, spare := []int(nil), (len(q.away)-1)/2
	for p, away := range q.away {
		if away {
			spare--
		} else {
			left = append(left, p)
		}
	}
	return q.without(left, spare)
}

// without tells whether at most spare processes can be left out so that no two of the
// others are apart. Of each pair that is apart one has to go, and pairs that share no
// process need one each.
func (q *quorum) without(left []int, spare int) bool {
	if spare < 0 {
		return false
	}
	paired := map[int]bool{}
	first, second, pairs := -1, -1, 0
	for i, p := range left {
		for _, o := range left[i+1:] {
			if q.apart[p][o] && !paired[p] && !paired[o] {
				paired[p], paired[o] = true, true
				if pairs++; pairs == 1 {
					first, second = p, o
				}
			}
		}
	}
	switch {
	case pairs == 0:
		return true
	case pairs > spare:
		return false
	}
	return q.without(remove(left, first), spare-1) || q.without(remove(left, second), spare-1)
}

func remove(all []int, p int) []int {
	return slices.DeleteFunc(slices.Clone(all), func(o int) bool { return o == p })
}
