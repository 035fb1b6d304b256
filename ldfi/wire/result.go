package wire

import (
	"github.com/lineage-driven/ldfi/ldfi/result"

	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
)

// resultOnWire is what a search of the host found out.
type resultOnWire struct {
	Strategy        string             `json:"strategy"`
	Why             string             `json:"why"` // it was taken
	Verdict         search.Verdict     `json:"verdict"`
	Schedule        rounds.Schedule    `json:"schedule,omitempty"`
	Found           rounds.Schedule    `json:"found,omitempty"`
	Violations      []result.Violation `json:"violations,omitempty"`
	Execution       *executionOnWire   `json:"execution,omitempty"`
	Smallest        bool               `json:"smallest,omitempty"`
	Executions      int                `json:"executions"`
	TotalExecutions int                `json:"total_executions"`
	Seed            uint64             `json:"seed"`
	Guarantee       string             `json:"guarantee,omitempty"`
	Certificate     *certificateOnWire `json:"certificate,omitempty"`
	Reason          string             `json:"reason,omitempty"`
}

type certificateOnWire struct {
	Bounds      rounds.Bounds   `json:"bounds"`
	Settings    rounds.Schedule `json:"settings,omitempty"`
	Schedules   *big.Int        `json:"schedules"`
	States      int             `json:"states"`
	Transitions int             `json:"transitions"`
	Executions  int             `json:"executions"`
	Assumption  string          `json:"assumption,omitempty"`
}

// progressOnWire is how far a search of the host has come.
type progressOnWire struct {
	Executions int    `json:"executions"`
	States     int    `json:"states"`
	Text       string `json:"text"`
}

func resultOut(r *search.Result, why string) *resultOnWire {
	w := &resultOnWire{
		Strategy: r.Strategy, Why: why, Verdict: r.Verdict, Schedule: r.Schedule, Found: r.Found,
		Violations: r.Violations, Smallest: r.Smallest,
		Executions: r.Executions, TotalExecutions: r.TotalExecutions, Seed: r.Seed,
		Guarantee: r.Guarantee, Certificate: (*certificateOnWire)(r.Certificate), Reason: r.Reason,
	}
	if r.Execution != nil {
		w.Execution = executionOut(r.Execution)
	}
	return w
}

// in returns the result, checked.
func (w *resultOnWire) in(system string) (*search.Result, error) {
	r := &search.Result{
		Strategy: w.Strategy, Verdict: w.Verdict, Schedule: w.Schedule.Normal(), Found: w.Found.Normal(),
		Violations: w.Violations, Smallest: w.Smallest,
		Executions: w.Executions, TotalExecutions: w.TotalExecutions, Seed: w.Seed,
		Guarantee: w.Guarantee, Certificate: (*search.Certificate)(w.Certificate), Reason: w.Reason,
	}
	switch {
	case !slices.Contains([]search.Verdict{search.Holds, search.Violated, search.Inconclusive}, w.Verdict):
		return nil, fmt.Errorf("there is no verdict %q", w.Verdict)
	case w.Verdict == search.Holds && w.Certificate == nil:
		return nil, errors.New("a verdict holds lacks its certificate")
	case w.Verdict != search.Violated:
		return r, nil
	case len(w.Violations) == 0 || w.Execution == nil:
		return nil, errors.New("a verdict violated lacks its violations or its recording")
	}
	var err error
	r.Execution, err = w.Execution.in(system)
	return r, err
}
