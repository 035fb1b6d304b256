package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// systemReport is what was found out about a system.
type systemReport struct {
	*result.Answer
	bounds rounds.Bounds
	again  func(rounds.Schedule) string // the command that executes a schedule of the system
}

func (r *systemReport) exitCode() int {
	switch r.Verdict {
	case result.Violated:
		return exitViolated
	case result.Inconclusive:
		return exitInconclusive
	default:
		return exitHolds
	}
}

func (r *systemReport) scope() ldfi.Scope {
	return ldfi.Scope{Bounds: r.bounds, Scenarios: r.bounds.Scenarios()}
}

func (r *systemReport) writeText(w io.Writer) error {
	p := newPage(string(r.Verdict), r.about())
	if c := r.First(); c != nil {
		p.field("faults", fmt.Sprintf("%-28s  %s", scheduleText(c.Schedule), sizeText(c)))
	}
	p.field("scope", r.scope().String()+r.scopeEnd())
	p.field("strategy", r.Search.Why)
	p.field("searched", r.effort())
	if r.Search.Guarantee != "" {
		p.field("so", r.Search.Guarantee)
	}
	if c := r.Search.Certificate; c != nil && c.Assumption != "" {
		p.field("assuming", c.Assumption)
	}
	if c := r.First(); c != nil {
		p.field("again", r.again(c.Schedule))
		if err := p.diagram(c.Execution, nil); err != nil {
			return err
		}
	}
	_, err := w.Write(p.Bytes())
	return err
}

func (r *systemReport) about() string {
	switch r.Verdict {
	case result.Violated:
		return brokenText(r.First().Violations)
	case result.Inconclusive:
		return r.Limit.Reason
	default:
		return "no schedule within the bounds breaks a property"
	}
}

// sizeText tells how many faults there are.
func sizeText(c *result.Counterexample) string {
	switch n := c.Size; {
	case n == 0:
		return "it fails without faults"
	case c.Minimal:
		return plural(n, "fault") + ", minimal; executed and confirmed"
	default:
		return plural(n, "fault") + ", none of them can be left out; executed and confirmed"
	}
}

func (r *systemReport) scopeEnd() string {
	if r.Verdict == result.Holds {
		return ", all decided"
	}
	return ""
}

func (r *systemReport) effort() string {
	text := plural(r.Search.Executions, "execution")
	if more := r.Stats.Executions - r.Search.Executions; more > 0 {
		text += fmt.Sprintf(" to find it and %d to make it smaller", more)
	}
	if c := r.Search.Certificate; c != nil && c.States > 0 {
		text += fmt.Sprintf(", %s, %s", plural(c.States, "state"), plural(c.Transitions, "local transition"))
	}
	return text + fmt.Sprintf("; seed %d", r.Search.Seed)
}

// brokenText names the first violation and counts the others.
func brokenText(violations []result.Violation) string {
	text := violations[0].String()
	if more := len(violations) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// writeExecution writes what happened in one execution of a system.
func writeExecution(w io.Writer, e *recording.Execution, violations []result.Violation) error {
	verdict, about := "holds", "no property is violated in this execution"
	if len(violations) > 0 {
		verdict, about = "violated", brokenText(violations)
	}
	p := newPage(verdict, about)
	p.field("faults", scheduleText(e.Schedule))
	if err := p.diagram(e, nil); err != nil {
		return err
	}
	_, err := w.Write(p.Bytes())
	return err
}

// jsonBroken is a violation of a property.
type jsonBroken struct {
	Property string         `json:"property"`
	Text     string         `json:"text"`
	Fact     recording.Fact `json:"fact"`
}

func brokenJSON(violations []result.Violation) []jsonBroken {
	list := []jsonBroken{}
	for _, v := range violations {
		list = append(list, jsonBroken{v.Property, v.Text, v.Fact})
	}
	return list
}

// jsonFaults is a schedule that violates a property.
type jsonFaults struct {
	Schedule  string `json:"schedule"`
	Size      int    `json:"size"`
	Minimal   bool   `json:"minimal"`
	Confirmed bool   `json:"confirmed"`
}

// jsonScope is the scope of a verdict.
type jsonScope struct {
	Bounds    rounds.Bounds `json:"bounds"`
	Scenarios *big.Int      `json:"scenarios"`
	Text      string        `json:"text"`
}

// writeJSON writes the report with the fields of that of a program, as far as
// they mean something.
func (r *systemReport) writeJSON(w io.Writer) error {
	scope := r.scope()
	faults, broken, reason := []jsonFaults{}, []jsonBroken{}, ""
	if c := r.First(); c != nil {
		faults, broken = append(faults, jsonFaults{c.Schedule.String(), c.Size, c.Minimal, true}), brokenJSON(c.Violations)
	}
	if r.Limit != nil {
		reason = r.Limit.Reason
	}
	stats := map[string]int{"executions": r.Search.Executions, "total_executions": r.Stats.Executions}
	if c := r.Search.Certificate; c != nil && c.States > 0 {
		stats["states"], stats["transitions"] = c.States, c.Transitions
	}
	return writeJSON(w, struct {
		Verdict         result.Verdict `json:"verdict"`
		Violations      []jsonBroken   `json:"violations"`
		Counterexamples []jsonFaults   `json:"counterexamples"`
		Scope           jsonScope      `json:"scope"`
		Strategy        string         `json:"strategy"`
		Why             string         `json:"strategy_reason"`
		Seed            uint64         `json:"seed"`
		Reason          string         `json:"reason"`
		Guarantee       string         `json:"guarantee"`
		Stats           map[string]int `json:"stats"`
	}{
		r.Verdict, broken, faults, jsonScope{scope.Bounds, scope.Scenarios, scope.String()},
		r.Search.Strategy, r.Search.Why, r.Search.Seed, reason, r.Search.Guarantee,
		stats,
	})
}

// writeExecutionJSON writes one execution of a system with the fields of that
// of a program.
func writeExecutionJSON(w io.Writer, e *recording.Execution, violations []result.Violation) error {
	var recording bytes.Buffer
	if err := e.WriteJSON(&recording); err != nil {
		return err
	}
	verdict := result.Holds
	if len(violations) > 0 {
		verdict = result.Violated
	}
	return writeJSON(w, struct {
		Verdict    result.Verdict  `json:"verdict"`
		Schedule   string          `json:"schedule"`
		Violations []jsonBroken    `json:"violations"`
		Bounds     rounds.Bounds   `json:"bounds"`
		Execution  json.RawMessage `json:"execution"`
	}{verdict, e.Schedule.String(), brokenJSON(violations), e.Bounds, recording.Bytes()})
}
