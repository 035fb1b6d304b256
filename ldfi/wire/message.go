package wire

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/derive"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Version is the version of the protocol.
const Version = 1

// The longest lines that are read. Recordings are long.
const (
	maxRequest = 4 << 20
	maxAnswer  = 256 << 20
)

// What a host does at most for one request.
const (
	maxRounds = 100_000
	maxRuns   = 100_000
)

// What a request can ask for.
const (
	doHello  = "hello"
	doRun    = "run"
	doSearch = "search"
	doVet    = "vet"
	doCancel = "cancel"
)

// Recording says when the answer to a run has the recording of the execution.
type Recording string

// When to send recordings.
const (
	Always   Recording = "always"
	Violated Recording = "violated" // if the execution violates a property that the host judges
	Never    Recording = "never"
)

// request is a line that the host reads.
type request struct {
	ID int    `json:"id"` // of the answer; above 0
	Do string `json:"do"`

	// hello
	Version    int              `json:"version,omitempty"`
	Properties []propertyOnWire `json:"properties,omitempty"` // to be judged beside those of the systems

	System string `json:"system,omitempty"` // of a run, search or vet
	Seed   uint64 `json:"seed,omitempty"`   // of a search or vet

	// run
	Schedule  rounds.Schedule `json:"schedule,omitzero"`
	Rounds    int             `json:"rounds,omitempty"`    // 0: as many as the system says
	Recording Recording       `json:"recording,omitempty"` // "": violated

	// search
	Strategy   string          `json:"strategy,omitempty"` // "": the one that fits
	Bounds     *rounds.Bounds  `json:"bounds,omitempty"`
	Settings   rounds.Settings `json:"settings,omitzero"`
	Executions int             `json:"executions,omitempty"`
	Whole      bool            `json:"whole,omitempty"`

	Runs int `json:"runs,omitempty"` // vet
	Of   int `json:"of,omitempty"`   // cancel: the id of a search
}

// answer is a line that the host writes.
type answer struct {
	ID    int    `json:"id"`
	Error string `json:"error,omitempty"`

	// hello
	Version    int           `json:"version,omitempty"`
	Systems    []Description `json:"systems,omitempty"`
	Strategies []string      `json:"strategies,omitempty"` // with which the host searches by itself

	// run
	Violations []result.Violation   `json:"violations,omitempty"`
	Execution  *recording.Execution `json:"execution,omitempty"`

	// search: progress any number of times, then the answer
	Progress *search.Progress `json:"progress,omitempty"`
	Answer   *result.Answer   `json:"answer,omitempty"`

	// vet
	Findings []string `json:"findings,omitempty"`
}

// Description is what a host tells of a system.
type Description struct {
	Name       string           `json:"name"`
	Processes  []string         `json:"processes"`
	Rounds     int              `json:"rounds"`
	Properties []propertyOnWire `json:"properties"`
	Faults     *rounds.Bounds   `json:"faults,omitempty"` // what may go wrong where a search is not told
	Offers     []string         `json:"offers,omitempty"` // restarts, ticks, fingerprints, snapshots
}

// propertyOnWire is a property. One without rules has to be judged by the host.
type propertyOnWire struct {
	Name   string `json:"name"`
	Rules  string `json:"rules,omitempty"`
	Judged bool   `json:"judged,omitempty"` // by the host
}

// propertyOf returns how a property is sent.
func propertyOf(p property.Property, judged bool) propertyOnWire {
	out := propertyOnWire{Name: p.Name, Judged: judged}
	if p.Rules != nil {
		out.Rules = p.Rules.Text
	}
	return out
}

// property returns a property that was sent.
func (p propertyOnWire) property() property.Property {
	if p.Rules == "" {
		return property.Property{Name: p.Name}
	}
	return property.Property{Name: p.Name, Rules: derive.New(p.Name, p.Rules)}
}

// check checks a recording that a host sends of a system.
func check(e *recording.Execution, system string) error {
	e.System, e.Schedule = system, e.Schedule.Normal()
	if err := e.Validate(); err != nil {
		return err
	}
	e.Sort()
	return nil
}

// lines reads lines of JSON.
type lines struct {
	scanner *bufio.Scanner
	max     int
}

func newLines(r io.Reader, longest int) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(nil, longest)
	return &lines{s, longest}
}

// next reads the next line that is not empty into a message. At the end it
// returns io.EOF.
func (l *lines) next(message any) error {
	for l.scanner.Scan() {
		line := l.scanner.Bytes()
		if len(strings.TrimSpace(string(line))) == 0 {
			continue
		}
		if err := json.Unmarshal(line, message); err != nil {
			return fmt.Errorf("%s is no line of the protocol: %s", excerpt(line), strings.TrimPrefix(err.Error(), "json: "))
		}
		return nil
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("a line is longer than %d bytes", l.max)
	case err != nil:
		return err
	}
	return io.EOF
}

// excerpt quotes the start of a line.
func excerpt(line []byte) string {
	const most = 60
	if len(line) > most {
		return fmt.Sprintf("%q...", line[:most])
	}
	return fmt.Sprintf("%q", line)
}

// writeLine writes a message as a line.
func writeLine(w io.Writer, message any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(message)
}
