package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// read reads a file that the user names; "-" is standard input, unless s reads files from
// one place only. It returns the name to use in messages.
func (s *session) read(name string) (string, []byte, error) {
	if s.disk != nil {
		data, err := files.ReadFrom(s.disk, name, files.Recording)
		return name, data, err
	}
	if name == "-" {
		name = "standard input"
		data, err := files.ReadAll(s.in, name, files.Recording)
		return name, data, err
	}
	data, err := files.ReadNamed(name, files.Recording)
	return name, data, err
}

// recording reads the one recording of a file.
func (s *session) recording(name string) (*recording.Execution, error) {
	name, data, err := s.read(name)
	if err != nil {
		return nil, fmt.Errorf("reading a recording: %w", err)
	}
	executions, err := parseExecutions(data)
	switch {
	case err != nil:
		return nil, located(name, err)
	case len(executions) > 1:
		return nil, fmt.Errorf("%s has %d recordings, and one is needed: inject --output json writes the one of a schedule", name, len(executions))
	}
	return executions[0], nil
}

// located adds the position of an error in a file, as far as it is known.
func located(name string, err error) error {
	if at := (*recording.LineError)(nil); errors.As(err, &at) {
		return fmt.Errorf("%s:%d: %w", name, at.Line, at.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// parseExecutions reads the recordings of a file: JSON lines, the JSON of inject and of
// run, or that of an execution.
func parseExecutions(data []byte) ([]*recording.Execution, error) {
	var first struct { // of all forms
		Lines           int             `json:"ldfi"`
		Execution       json.RawMessage `json:"execution"`
		Counterexamples []struct {
			Execution json.RawMessage `json:"execution"`
		} `json:"counterexamples"`
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&first); err != nil {
		_, err = recording.ReadExecution(bytes.NewReader(data)) // which has the line
		return nil, err
	}
	if first.Lines != 0 {
		e, err := recording.ReadLines(bytes.NewReader(data))
		return []*recording.Execution{e}, err
	}
	texts := []json.RawMessage{data}
	if first.Execution != nil {
		texts[0] = first.Execution
	} else if first.Counterexamples != nil {
		texts = nil
		for _, c := range first.Counterexamples {
			if c.Execution == nil {
				return nil, errors.New("the answer has a counterexample without a recording")
			}
			texts = append(texts, c.Execution)
		}
	}
	var executions []*recording.Execution
	for _, text := range texts {
		before := bytes.Count(data[:bytes.Index(data, text)], []byte("\n"))
		e, err := recording.ReadExecution(io.MultiReader(strings.NewReader(strings.Repeat("\n", before)), bytes.NewReader(text)))
		if err != nil {
			return nil, err
		}
		executions = append(executions, e)
	}
	if len(executions) == 0 {
		return nil, errors.New("the answer has no counterexample, and so no recording")
	}
	return executions, nil
}
