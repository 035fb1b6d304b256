package messages

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Lines reads lines of JSON.
type Lines struct {
	scanner *bufio.Scanner
	max     int
}

// NewLines returns the lines of a reader, of which none may be longer than that.
func NewLines(r io.Reader, longest int) *Lines {
	s := bufio.NewScanner(r)
	s.Buffer(nil, longest)
	return &Lines{s, longest}
}

// Next reads the next line that is not empty into a message. At the end it
// returns io.EOF.
func (l *Lines) Next(message any) error {
	for l.scanner.Scan() {
		line := l.scanner.Bytes()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if n := bytes.Count(line, []byte(",")); n > MaxCommas {
			return fmt.Errorf("a line has %d commas, and may have %d: in memory it would be far longer than it is", n, MaxCommas)
		}
		if err := json.Unmarshal(line, message); err != nil {
			return &LineError{idOf(line), excerpt(line), strings.TrimPrefix(err.Error(), "json: ")}
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

// LineError is a line that cannot be read.
type LineError struct {
	ID   int // of the message that it is, as far as that can be seen; 0 if it cannot
	line string
	text string
}

func (e *LineError) Error() string { return e.line + " is no line of the protocol: " + e.text }

// idOf returns the id of a message that cannot be read as a whole, 0 if it has none.
func idOf(line []byte) int {
	var head struct {
		ID int `json:"id"`
	}
	if json.Unmarshal(line, &head) != nil {
		return 0
	}
	return max(head.ID, 0)
}

// excerpt quotes the start of a line.
func excerpt(line []byte) string {
	const most = 60
	if len(line) > most {
		return fmt.Sprintf("%q...", line[:most])
	}
	return fmt.Sprintf("%q", line)
}

// WriteLine writes a message as a line.
func WriteLine(w io.Writer, message any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(message)
}
