package process

import (
	"errors"
	"os/exec"

	"github.com/lineage-driven/ldfi/internal/subprocess"
)

// talk is an operating-system process that speaks the step protocol by its standard input
// and output.
type talk struct {
	cmd           *exec.Cmd
	in, out, errs int // descriptors of our ends of the pipes

	id     int                    // of the last request
	heard  bool                   // it has answered
	again  bool                   // it can start again
	over   bool                   // it has ended
	silent bool                   // it has closed its standard error
	lines  lines                  // of its standard error
	whole  []string               // those that are whole and were not told yet
	last   int                    // how many bytes of them came with this request
	stderr *subprocess.LastOutput // to be shown at its end
}

const (
	mostStep    = 4 << 20 // bytes of an answer
	mostPrinted = 1 << 20 // bytes of standard error with an answer
)

// errEnded is the error of a process that has closed its standard output.
var errEnded = errors.New("it has ended")

// printed returns the lines of standard error since it was called last.
func (t *talk) printed() []string {
	all := t.whole
	t.whole = nil
	return all
}

// anew forgets what the process has printed before it starts again.
func (t *talk) anew() {
	_ = t.print()
	t.lines, t.whole = lines{}, nil
	t.stderr.Reset()
}
