package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// table has the facts of one recording.
type table struct {
	name  string // of its file, and its number if that has several
	facts []recording.Fact
}

// tables reads recordings from files, "-" is standard input.
func (s *session) tables(names []string) ([]table, error) {
	var all []table
	for _, name := range names {
		name, data, err := s.read(name)
		if err != nil {
			return nil, fmt.Errorf("reading a recording: %w", err)
		}
		read, err := parseTables(data)
		if err != nil {
			return nil, located(name, err)
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

// parseTables reads the recordings of a file in any form: Mangle facts, or a form that
// parseExecutions reads.
func parseTables(data []byte) ([][]recording.Fact, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		facts, err := datalog.ReadMangle(bytes.NewReader(data))
		if err == nil && len(facts) == 0 {
			err = errors.New("there are no facts, and no JSON, in it")
		}
		return [][]recording.Fact{facts}, err
	}
	executions, err := parseExecutions(data)
	if err != nil {
		return nil, err
	}
	tables := make([][]recording.Fact, len(executions))
	for i, e := range executions {
		var t datalog.Tabulator
		if tables[i], err = t.Table(e); err != nil {
			return nil, err
		}
	}
	return tables, nil
}
