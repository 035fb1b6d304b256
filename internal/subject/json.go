package subject

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// answerJSON is the JSON form of Answer.
type answerJSON struct {
	Verdict    ldfi.Verdict    `json:"verdict"`
	Violations []Violation     `json:"violations"`
	Schedule   string          `json:"schedule"`
	Size       int             `json:"size"`
	Minimal    bool            `json:"minimal"`
	Because    []string        `json:"because"`
	Execution  json.RawMessage `json:"execution"` // as rounds.Execution.WriteJSON has it, or null
	Senders    []Sender        `json:"senders"`
	Executions int             `json:"executions"`
	Scope      scopeJSON       `json:"scope"`
	Complete   bool            `json:"complete"`
	Reason     string          `json:"reason"`
	Warnings   []string        `json:"warnings"`
	Elapsed    float64         `json:"elapsed_ms"`
}

type scopeJSON struct {
	Bounds    rounds.Bounds `json:"bounds"`
	Scenarios *big.Int      `json:"scenarios"`
	Text      string        `json:"text"`
}

// MarshalJSON writes the answer with the fields verdict, violations (property,
// text, file, line, col), schedule, size, minimal, because, execution, senders
// (relation, file, line, col), executions, scope (bounds, scenarios, text), complete, reason, warnings and elapsed_ms.
func (a *Answer) MarshalJSON() ([]byte, error) {
	out := answerJSON{
		Verdict: a.Verdict, Violations: append([]Violation{}, a.Violations...),
		Schedule: a.Schedule.String(), Size: a.Size, Minimal: a.Minimal, Because: append([]string{}, a.Because...),
		Execution: json.RawMessage("null"), Senders: append([]Sender{}, a.Senders...), Executions: a.Executions,
		Scope:    scopeJSON{a.Scope.Bounds, a.Scope.Scenarios, a.Scope.String()},
		Complete: a.Complete, Reason: a.Reason, Warnings: append([]string{}, a.Warnings...),
		Elapsed: float64(a.Elapsed.Microseconds()) / 1000,
	}
	if a.Execution != nil {
		var recording bytes.Buffer
		if err := a.Execution.WriteJSON(&recording); err != nil {
			return nil, err
		}
		out.Execution = recording.Bytes()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(out)
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Answer) UnmarshalJSON(data []byte) error {
	var in answerJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("an answer: %w", err)
	}
	switch in.Verdict {
	case ldfi.Holds, ldfi.Violated, ldfi.Inconclusive:
	default:
		return fmt.Errorf("an answer: there is no verdict %q", in.Verdict)
	}
	if in.Scope.Scenarios == nil {
		return fmt.Errorf("an answer: it lacks the number of scenarios")
	}
	schedule, err := rounds.ParseSchedule(in.Schedule)
	if err != nil {
		return fmt.Errorf("an answer: %w", err)
	}
	*a = Answer{
		Verdict: in.Verdict, Violations: some(in.Violations),
		Schedule: schedule, Size: in.Size, Minimal: in.Minimal, Because: some(in.Because), Senders: some(in.Senders), Executions: in.Executions,
		Scope:    ldfi.Scope{Bounds: in.Scope.Bounds, Scenarios: in.Scope.Scenarios},
		Complete: in.Complete, Reason: in.Reason, Warnings: some(in.Warnings),
		Elapsed: time.Duration(in.Elapsed * float64(time.Millisecond)),
	}
	if len(in.Execution) > 0 && string(in.Execution) != "null" {
		if a.Execution, err = recording.ReadExecution(strings.NewReader(string(in.Execution))); err != nil {
			return fmt.Errorf("an answer: %w", err)
		}
	}
	return nil
}

// some is the list, nil if it is empty.
func some[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
