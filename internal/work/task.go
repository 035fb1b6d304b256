package work

import (
	"encoding/json"
	"time"
)

// A worker starts ldfi unit in a directory of its own, and writes it tasks on standard
// input, a line each. For each it gets a line on standard output. What the process writes
// to standard error is the log of the unit. To end a unit before its time the process is
// killed; the next one is started for the next unit.

// Task is a unit, with the directory in which its files lie.
type Task struct {
	Unit    *Unit  `json:"unit"`
	Dir     string `json:"dir"`               // absolute; has the files of the unit under their names
	Hosts   bool   `json:"hosts,omitempty"`   // programs among the files may be started
	Workers int    `json:"workers,omitempty"` // how many cores to use; 0: all

	Limit time.Duration `json:"limit,omitempty"` // how long the unit may take, in nanoseconds: then it answers with what is known; 0: any time
}

// Done is what became of a task.
type Done struct {
	Answer json.RawMessage `json:"answer,omitempty"`
	Final  bool            `json:"final,omitempty"` // as in [Result]
	Error  string          `json:"error,omitempty"` // of the question; then there is no answer
}
