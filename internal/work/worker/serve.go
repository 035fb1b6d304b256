package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"

	"github.com/lineage-driven/ldfi/internal/work"
)

// confine lets this process, and hosts that it starts, use so many cores at a time; 0: as
// many as before.
func confine(cores int) {
	if cores > 0 {
		runtime.GOMAXPROCS(cores)
		_ = os.Setenv("GOMAXPROCS", strconv.Itoa(cores))
	}
}

// Serve reads tasks and writes what became of each, a line of JSON each, until there are
// no more.
func (w *Worker) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("reading a task: %w", err)
		}
		done := &work.Done{}
		task := &work.Task{}
		if err := json.Unmarshal(line, task); err != nil {
			done.Error = fmt.Sprintf("reading a task: %v", err)
		} else {
			confine(task.Workers)
			done = w.Do(ctx, task)
		}
		text, err := work.WriteLine(done)
		if err == nil {
			_, err = out.Write(text)
		}
		if err != nil {
			return fmt.Errorf("writing what became of a task: %w", err)
		}
	}
}
