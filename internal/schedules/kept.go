package schedules

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// KeptDir is the path of the kept schedules below the directory of a test or a suite.
var KeptDir = filepath.Join("testdata", "ldfi")

// KeptName returns a file name for text, which can be any text.
func KeptName(text string) string {
	return cmp.Or(outsideOfNames.ReplaceAllString(text, "_"), "_")
}

var outsideOfNames = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// KeptFiles returns the files in dir with kept schedules of property, and the name for
// the next one.
func KeptFiles(dir, property string) (kept []string, next string, err error) {
	files.RemoveTemporary(dir)
	for n := 1; ; n++ {
		name := KeptName(property)
		if n > 1 {
			name += fmt.Sprintf("-%d", n)
		}
		file := filepath.Join(dir, name+".txt")
		if _, err := os.Lstat(file); errors.Is(err, os.ErrNotExist) {
			return kept, file, nil
		} else if err != nil {
			return nil, "", fmt.Errorf("looking for schedules that were kept: %w", err)
		}
		kept = append(kept, file)
	}
}

// noFaults is the line of a file for a schedule without faults.
const noFaults = "none"

// ReadKept reads a kept schedule from file. A file with comments only is an error,
// because its schedule may have been lost.
func ReadKept(file string) (rounds.Schedule, error) {
	text, err := files.Read(file, files.Schedule)
	if err != nil {
		return rounds.Schedule{}, fmt.Errorf("reading a schedule that was kept: %w", err)
	}
	schedule, err := parseKept(string(text))
	if err != nil {
		return rounds.Schedule{}, fmt.Errorf("%s: %w", file, err)
	}
	return schedule, nil
}

func parseKept(text string) (rounds.Schedule, error) {
	if strings.TrimSpace(text) == "" {
		return rounds.Schedule{}, errors.New("the file is empty; restore the schedule that was kept in it, or delete it")
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return rounds.Schedule{}, fmt.Errorf("the file has only comments; restore the schedule that was kept in it, write %s where there are no faults, or delete it", noFaults)
	}
	return rounds.ParseSchedule(strings.Join(lines, "; "))
}

// WriteKept writes the schedule to file, with comments about its purpose.
func WriteKept(file string, schedule rounds.Schedule, comments ...string) error {
	var out strings.Builder
	for _, comment := range comments {
		for line := range strings.SplitSeq(comment, "\n") {
			out.WriteString(strings.TrimRight("# "+text.Safe(line), " ") + "\n")
		}
	}
	out.WriteString(cmp.Or(schedule.String(), noFaults) + "\n")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("keeping a schedule: %w", err)
	}
	return files.Replace(file, func(w io.Writer) error {
		_, err := io.WriteString(w, out.String())
		return err
	})
}
