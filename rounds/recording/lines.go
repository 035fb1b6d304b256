package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// maxLine is the longest line that ReadLines takes.
const maxLine = 16 << 20

// headLine is the first line.
type headLine struct {
	Version   int             `json:"ldfi"`
	System    string          `json:"system,omitempty"`
	Bounds    rounds.Bounds   `json:"bounds"`
	Schedule  rounds.Schedule `json:"schedule"`
	Unreached rounds.Schedule `json:"unreached,omitzero"`
	Inexact   string          `json:"inexact,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`
}

// eventLine is any other line: exactly one of its fields is there.
type eventLine struct {
	Message *Message `json:"message,omitempty"`
	Fact    *Fact    `json:"fact,omitempty"`
	Events  *int     `json:"events,omitempty"`
}

// WriteLines writes the execution as JSON lines, one event to a line, round by round
// and in each round messages before facts. The first line is a header. The last line
// has the number of events, so that a truncated file is noticed:
//
//	{"ldfi":1,"system":"gossip","bounds":{...},"schedule":"seed 7; crash a@2"}
//	{"message":{"from":"a","to":"b","round":1,"relation":"log","args":["b","7"]}}
//	{"fact":{"relation":"value","args":["b",7],"round":1}}
//	{"events":2}
//
// Messages and facts have the form that MarshalJSON writes.
func (e *Execution) WriteLines(w io.Writer) error {
	events := len(e.Facts) + len(e.Messages)
	lines := []any{headLine{recordVersion, e.System, e.Bounds, e.Schedule, e.Unreached, e.Inexact, e.Warnings}}
	facts := e.Facts
	for i := range e.Messages {
		for len(facts) > 0 && facts[0].Round < e.Messages[i].Round {
			lines = append(lines, eventLine{Fact: &facts[0]})
			facts = facts[1:]
		}
		lines = append(lines, eventLine{Message: &e.Messages[i]})
	}
	for i := range facts {
		lines = append(lines, eventLine{Fact: &facts[i]})
	}
	out := bufio.NewWriter(w)
	for _, line := range append(lines, eventLine{Events: &events}) {
		data, err := text.MarshalJSON(line)
		if err != nil {
			return fmt.Errorf("writing the execution: %w", err)
		}
		fmt.Fprintf(out, "%s\n", data)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the execution: %w", err)
	}
	return nil
}

// ReadLines reads an execution as WriteLines writes it and validates it.
func ReadLines(r io.Reader) (*Execution, error) {
	in := &lineReader{scanner: bufio.NewScanner(r)}
	in.scanner.Buffer(nil, maxLine)
	e, err := in.execution()
	if err != nil {
		err = &LineError{max(in.line, 1), err}
	}
	return checked(e, err)
}

// lineReader reads an execution line by line.
type lineReader struct {
	scanner *bufio.Scanner
	line    int
}

var errCut = errors.New("the text ends too early: the last line has to tell the number of events")

func (in *lineReader) execution() (*Execution, error) {
	var head headLine
	if err := in.next(&head); err != nil {
		return nil, err
	}
	if err := checkVersion(head.Version); err != nil {
		return nil, err
	}
	e := &Execution{System: head.System, Bounds: head.Bounds, Schedule: head.Schedule.Normal(), Unreached: head.Unreached.Normal(), Inexact: head.Inexact, Warnings: head.Warnings}
	for {
		var event eventLine
		if err := in.next(&event); err != nil {
			return nil, err
		}
		switch {
		case event.Message != nil && event.Fact == nil && event.Events == nil:
			e.Messages = append(e.Messages, *event.Message)
		case event.Fact != nil && event.Message == nil && event.Events == nil:
			e.Facts = append(e.Facts, *event.Fact)
		case event.Events != nil && event.Message == nil && event.Fact == nil:
			return e, in.end(e, *event.Events)
		default:
			return nil, errors.New("a line is one message, fact or number of events")
		}
	}
}

// next reads a line into v.
func (in *lineReader) next(v any) error {
	in.line++
	if !in.scanner.Scan() {
		if err := in.scanner.Err(); err != nil {
			return err
		}
		return errCut
	}
	dec := json.NewDecoder(bytes.NewReader(in.scanner.Bytes()))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return placed(err, nil)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is something behind the end of the event")
	}
	return nil
}

// end checks the last line.
func (in *lineReader) end(e *Execution, events int) error {
	if got := len(e.Facts) + len(e.Messages); got != events {
		return fmt.Errorf("there are %d events before, and not %d", got, events)
	}
	for in.scanner.Scan() {
		in.line++
		if len(bytes.TrimSpace(in.scanner.Bytes())) > 0 {
			return errors.New("there is something behind the end of the execution")
		}
	}
	return in.scanner.Err()
}
