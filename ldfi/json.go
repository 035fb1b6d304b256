package ldfi

import (
	"bytes"
	"encoding/json"
	"math/big"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// MarshalJSON writes the report with the fields verdict, violations,
// counterexamples (schedule, size, minimal, confirmed, violations, reason),
// complete, vacuous, vacuity, warnings (position, message), scope (bounds,
// scenarios, text), stats (facts, gates, solver_calls, executions, times), decided,
// horizons (eot, verdict, schedule) and limit (kind, reason, growth, advice).
// A field that says nothing is an empty list, an empty text or null, and never
// missing.
func (r *Report) MarshalJSON() ([]byte, error) {
	processes := r.Scope.Bounds.Processes
	return marshal(struct {
		Verdict         Verdict              `json:"verdict"`
		Violations      []jsonViolation      `json:"violations"`
		Counterexamples []jsonCounterexample `json:"counterexamples"`
		Complete        bool                 `json:"complete"`
		Vacuous         bool                 `json:"vacuous"`
		Vacuity         string               `json:"vacuity"`
		Warnings        []jsonWarning        `json:"warnings"`
		Scope           jsonScope            `json:"scope"`
		Stats           jsonStats            `json:"stats"`
		Decided         int                  `json:"decided"`
		Horizons        []jsonHorizon        `json:"horizons"`
		Limit           *jsonLimit           `json:"limit"`
	}{
		r.Verdict,
		each(r.Violations, violationIn(processes)),
		each(r.Counterexamples, counterexampleIn(processes)),
		r.Complete, r.Vacuous(), r.Vacuity,
		each(r.Warnings, warningJSON),
		scopeJSON(r.Scope), statsJSON(r.Stats),
		r.Decided, each(r.Horizons, horizonJSON), limitJSON(r.Limit),
	})
}

// MarshalJSON writes the injection with the fields verdict (null if the program
// promises nothing), schedule, within, violations, reason, warnings, bounds and
// execution, as [rounds.Execution.WriteJSON] has it.
func (in *Injection) MarshalJSON() ([]byte, error) {
	var execution bytes.Buffer
	if err := in.Execution.WriteJSON(&execution); err != nil {
		return nil, err
	}
	var verdict *Verdict
	if in.Verdict != "" {
		verdict = &in.Verdict
	}
	return marshal(struct {
		Verdict    *Verdict        `json:"verdict"`
		Schedule   string          `json:"schedule"`
		Within     bool            `json:"within"`
		Violations []jsonViolation `json:"violations"`
		Reason     []string        `json:"reason"`
		Warnings   []jsonWarning   `json:"warnings"`
		Bounds     rounds.Bounds   `json:"bounds"`
		Execution  json.RawMessage `json:"execution"`
	}{
		verdict, in.Schedule.String(), in.Within,
		each(in.Violations, violationIn(in.Bounds.Processes)),
		texted(in.Reason), each(in.Warnings, warningJSON), in.Bounds, execution.Bytes(),
	})
}

// MarshalJSON writes the report with the fields hypotheses (as counterexamples
// of Report), complete, conflict (require, forbid, scope), scope, warnings,
// stats and limit.
func (r *HypothesesReport) MarshalJSON() ([]byte, error) {
	return marshal(struct {
		Hypotheses []jsonCounterexample `json:"hypotheses"`
		Complete   bool                 `json:"complete"`
		Conflict   *jsonConflict        `json:"conflict"`
		Scope      jsonScope            `json:"scope"`
		Warnings   []jsonWarning        `json:"warnings"`
		Stats      jsonStats            `json:"stats"`
		Limit      *jsonLimit           `json:"limit"`
	}{
		each(r.Hypotheses, counterexampleIn(r.Scope.Bounds.Processes)),
		r.Complete, conflictJSON(r.Conflict), scopeJSON(r.Scope),
		each(r.Warnings, warningJSON), statsJSON(r.Stats), limitJSON(r.Limit),
	})
}

type jsonViolation struct {
	Text     string `json:"text"`
	Goal     string `json:"goal"`
	Relation string `json:"relation"`
	Args     []any  `json:"args"`
	Round    int    `json:"round"`
	Missing  bool   `json:"missing"`
	While    string `json:"while"`
}

func violationIn(processes []string) func(Violation) jsonViolation {
	return func(v Violation) jsonViolation {
		j := jsonViolation{
			Text: v.Text(processes), Goal: v.Goal(processes),
			Relation: v.Fact.Relation, Args: each(v.Fact.Args, argJSON), Round: v.Fact.Round, Missing: v.Missing,
		}
		if v.While != nil {
			j.While = recording.Display(*v.While, processes)
		}
		return j
	}
}

// argJSON is a number for an integer and a text for a string.
func argJSON(v specs.Value) any {
	if v.IsInt() {
		return v.Int()
	}
	return v.Text()
}

type jsonCounterexample struct {
	Schedule   string          `json:"schedule"`
	Size       int             `json:"size"`
	Minimal    bool            `json:"minimal"`
	Confirmed  bool            `json:"confirmed"`
	Violations []jsonViolation `json:"violations"`
	Reason     []string        `json:"reason"`
}

func counterexampleIn(processes []string) func(Counterexample) jsonCounterexample {
	return func(c Counterexample) jsonCounterexample {
		return jsonCounterexample{
			c.Schedule.String(), c.Size, c.Minimal, c.Confirmed,
			each(c.Violations, violationIn(processes)), texted(c.Reason),
		}
	}
}

type jsonWarning struct {
	Position string `json:"position"`
	Message  string `json:"message"`
}

func warningJSON(w specs.Warning) jsonWarning {
	if w.Line == 0 {
		return jsonWarning{w.File, w.Message}
	}
	return jsonWarning{w.Position.String(), w.Message}
}

type jsonScope struct {
	Bounds    rounds.Bounds `json:"bounds"`
	Scenarios *big.Int      `json:"scenarios"`
	Text      string        `json:"text"`
}

func scopeJSON(s Scope) jsonScope { return jsonScope{s.Bounds, s.Scenarios, s.String()} }

type jsonStats struct {
	Facts       int       `json:"facts"`
	Gates       int       `json:"gates"`
	SolverCalls int       `json:"solver_calls"`
	Executions  int       `json:"executions"`
	Times       jsonTimes `json:"times"`
}

type jsonTimes struct {
	Evaluate float64 `json:"evaluate_ms"`
	Search   float64 `json:"search_ms"`
	Execute  float64 `json:"execute_ms"`
	Total    float64 `json:"total_ms"`
}

func statsJSON(s Stats) jsonStats {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	t := s.Times
	return jsonStats{
		s.Facts, s.Gates, s.SolverCalls, s.Executions,
		jsonTimes{ms(t.Evaluate), ms(t.Search), ms(t.Execute), ms(t.Total)},
	}
}

type jsonHorizon struct {
	EOT      int     `json:"eot"`
	Verdict  Verdict `json:"verdict"`
	Schedule *string `json:"schedule"` // null unless it is violated
}

func horizonJSON(h Horizon) jsonHorizon {
	j := jsonHorizon{EOT: h.EOT, Verdict: h.Verdict}
	if h.Verdict == Violated {
		text := h.Schedule.String()
		j.Schedule = &text
	}
	return j
}

type jsonLimit struct {
	Kind   string       `json:"kind"`
	Reason string       `json:"reason"`
	Growth []jsonGrowth `json:"growth"`
	Advice []string     `json:"advice"`
}

type jsonGrowth struct {
	Relation string `json:"relation"`
	Facts    int    `json:"facts"`
}

func limitJSON(l *Limit) *jsonLimit {
	if l == nil {
		return nil
	}
	growth := each(l.Growth, func(g result.Growth) jsonGrowth { return jsonGrowth(g) })
	return &jsonLimit{l.Kind, l.Reason, growth, texted(l.Advice)}
}

type jsonConflict struct {
	Require []string `json:"require"`
	Forbid  []string `json:"forbid"`
	Scope   bool     `json:"scope"`
}

func conflictJSON(c *Conflict) *jsonConflict {
	if c == nil {
		return nil
	}
	return &jsonConflict{texted(c.Require), texted(c.Forbid), c.Scope}
}

// marshal writes "a>b" as it is, where json.Marshal would write it for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// each converts a list; the result is never nil.
func each[A, B any](list []A, convert func(A) B) []B {
	out := make([]B, len(list))
	for i, x := range list {
		out[i] = convert(x)
	}
	return out
}

// texted is the list, never nil.
func texted(list []string) []string { return append([]string{}, list...) }
