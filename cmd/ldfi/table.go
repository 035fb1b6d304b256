package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/relations"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// table is the facts of one recording.
type table struct {
	name  string // of its file, and its number if that has several
	facts []recording.Fact
}

// tables reads recordings from files, "-" is standard input.
func (s *session) tables(names []string) ([]table, error) {
	var all []table
	for _, name := range names {
		var data []byte
		var err error
		if name == "-" {
			name = "standard input"
			data, err = files.ReadAll(s.in, name, files.Recording)
		} else {
			data, err = files.ReadNamed(name, files.Recording)
		}
		if err != nil {
			return nil, fmt.Errorf("reading a recording: %w", err)
		}
		read, err := parseTables(data)
		var at *recording.LineError
		switch {
		case errors.As(err, &at):
			return nil, fmt.Errorf("%s:%d: %w", name, at.Line, at.Err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for i, facts := range read {
			t := table{name, facts}
			if len(read) > 1 {
				t.name = fmt.Sprintf("%s#%d", name, i+1)
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// parseTables reads the recordings of a file in any form: JSON lines, Mangle
// facts, the JSON of inject and of run, or that of an execution.
func parseTables(data []byte) ([][]recording.Fact, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		facts, err := relations.ReadMangle(bytes.NewReader(data))
		if err == nil && len(facts) == 0 {
			err = errors.New("there are no facts, and no JSON, in it")
		}
		return [][]recording.Fact{facts}, err
	}
	var first struct { // of all forms
		Lines           int             `json:"ldfi"`
		Execution       json.RawMessage `json:"execution"`
		Counterexamples []struct {
			Execution json.RawMessage `json:"execution"`
		} `json:"counterexamples"`
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&first); err != nil {
		_, err = tableOf(recording.ReadExecution(bytes.NewReader(data))) // which has the line
		return nil, err
	}
	if first.Lines != 0 {
		t, err := tableOf(recording.ReadLines(bytes.NewReader(data)))
		return [][]recording.Fact{t}, err
	}
	executions := []json.RawMessage{data}
	if first.Execution != nil {
		executions[0] = first.Execution
	} else if first.Counterexamples != nil {
		executions = nil
		for _, c := range first.Counterexamples {
			if c.Execution == nil {
				return nil, errors.New("the answer has a counterexample without a recording")
			}
			executions = append(executions, c.Execution)
		}
	}
	var tables [][]recording.Fact
	for _, e := range executions {
		before := bytes.Count(data[:bytes.Index(data, e)], []byte("\n"))
		t, err := tableOf(recording.ReadExecution(io.MultiReader(strings.NewReader(strings.Repeat("\n", before)), bytes.NewReader(e))))
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	if len(tables) == 0 {
		return nil, errors.New("the answer has no counterexample, and so no recording")
	}
	return tables, nil
}

func tableOf(e *recording.Execution, err error) ([]recording.Fact, error) {
	if err != nil {
		return nil, err
	}
	var t relations.Tabulator
	return t.Table(e)
}
