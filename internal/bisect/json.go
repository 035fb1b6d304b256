package bisect

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"

	"github.com/lineage-driven/ldfi/rounds"
)

type (
	reportJSON struct {
		Verdict     string       `json:"verdict"`
		FirstBad    bool         `json:"first_bad"`
		Interrupted bool         `json:"interrupted"`
		Matrices    []matrixJSON `json:"matrices"`
	}
	matrixJSON struct {
		System     string         `json:"system"`
		Versions   []findingJSON  `json:"versions"`
		Schedules  []foundJSON    `json:"schedules"`
		Changes    []changeJSON   `json:"changes"`
		Conclusion conclusionJSON `json:"conclusion"`
	}
	findingJSON struct {
		Version    string     `json:"version"`
		Note       string     `json:"note"`
		Verdict    State      `json:"verdict"`
		Reason     string     `json:"reason"`
		Same       string     `json:"same_as"`
		Replayed   string     `json:"replayed_from"`
		Schedule   *string    `json:"schedule"`
		Size       int        `json:"size"`
		Minimal    bool       `json:"minimal"`
		Broken     []string   `json:"broken"`
		Executions int        `json:"executions"`
		Scope      *scopeJSON `json:"scope"`
		Warnings   []string   `json:"warnings"`
		Cached     bool       `json:"cached"`
	}
	scopeJSON struct {
		Bounds    rounds.Bounds `json:"bounds"`
		Scenarios *big.Int      `json:"scenarios"`
		Text      string        `json:"text"`
	}
	foundJSON struct {
		Schedule string       `json:"schedule"`
		In       []string     `json:"found_in"`
		Replays  []effectJSON `json:"replays"`
	}
	effectJSON struct {
		Version string  `json:"version"`
		Outcome Outcome `json:"outcome"`
		Reason  string  `json:"reason"`
	}
	changeJSON struct {
		From       string          `json:"from"`
		To         string          `json:"to"`
		Left       []moveJSON      `json:"left"`
		Entered    []moveJSON      `json:"entered"`
		Diff       string          `json:"diff"`
		Divergence *divergenceJSON `json:"divergence"`
		Reason     string          `json:"reason"`
	}
	moveJSON struct {
		Kind    string `json:"kind"`
		Text    string `json:"text"`
		File    string `json:"file"`
		Line    int    `json:"line"`
		Faults  bool   `json:"only_under_faults"`
		Present bool   `json:"in_both_programs"`
	}
	divergenceJSON struct {
		Round  int      `json:"round"`
		Before []string `json:"before"`
		After  []string `json:"after"`
	}
	conclusionJSON struct {
		First         string   `json:"first_violated"`
		MissedForward []string `json:"missed_forward"`
		MissedBack    []string `json:"missed_back"`
		MissedAll     []string `json:"missed_all"`
		Sentences     []string `json:"sentences"`
	}
)

// WriteJSON writes the report as indented JSON. A list that has nothing is empty
// and not left out; the schedule, scope and divergence are null where there is
// none.
func (r *Report) WriteJSON(w io.Writer) error {
	out := reportJSON{Verdict: string(r.Verdict()), FirstBad: r.FirstBad, Interrupted: r.Interrupted, Matrices: []matrixJSON{}}
	for _, m := range r.Matrices {
		out.Matrices = append(out.Matrices, m.json())
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (m *Matrix) json() matrixJSON {
	out := matrixJSON{System: m.System, Versions: []findingJSON{}, Schedules: []foundJSON{}, Changes: []changeJSON{}}
	for _, f := range m.Findings {
		out.Versions = append(out.Versions, f.json())
	}
	for _, s := range m.Schedules {
		found := foundJSON{Schedule: s.Schedule.String(), In: m.names(s.In), Replays: []effectJSON{}}
		for i, e := range s.Effects {
			found.Replays = append(found.Replays, effectJSON{m.Findings[i].Version, e.Outcome, e.Reason})
		}
		out.Schedules = append(out.Schedules, found)
	}
	for _, c := range m.Changes {
		out.Changes = append(out.Changes, changeJSON{
			m.Findings[c.From].Version, m.Findings[c.To].Version, movesJSON(c.Left), movesJSON(c.Entered),
			c.Diff, (*divergenceJSON)(c.Divergence), c.Reason,
		})
	}
	c := m.Conclusion
	out.Conclusion = conclusionJSON{
		MissedForward: list(c.MissedForward), MissedBack: list(c.MissedBack), MissedAll: list(c.MissedAll), Sentences: list(c.Sentences),
	}
	if c.First >= 0 {
		out.Conclusion.First = m.Findings[c.First].Version
	}
	return out
}

func (f *Finding) json() findingJSON {
	out := findingJSON{
		Version: f.Version, Note: f.Note, Verdict: f.State, Reason: f.Reason, Same: f.Same, Replayed: f.Replayed,
		Size: f.Size, Minimal: f.Minimal, Broken: list(f.Broken), Executions: f.Executions, Warnings: list(f.Warnings), Cached: f.Cached,
	}
	if f.State == Violated {
		text := f.Schedule.String()
		out.Schedule = &text
	}
	if f.Scope.Scenarios != nil {
		out.Scope = &scopeJSON{f.Scope.Bounds, f.Scope.Scenarios, f.Scope.String()}
	}
	return out
}

func movesJSON(moves []Move) []moveJSON {
	out := []moveJSON{}
	for _, e := range moves {
		out = append(out, moveJSON{e.Kind, e.Text, e.File, e.Line, e.Faults, e.Present})
	}
	return out
}

// names returns the versions of findings.
func (m *Matrix) names(findings []int) []string {
	names := []string{}
	for _, i := range findings {
		names = append(names, m.Findings[i].Version)
	}
	return names
}

func list(all []string) []string { return append([]string{}, all...) }
