package ldfitest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/atomicfile"
	"github.com/lineage-driven/ldfi/rounds"
)

// kept is a schedule in a file: lines of comment that begin with "#", and one
// with the schedule.
type kept struct {
	file     string
	schedule rounds.Schedule
}

// keptFiles returns the names of the files with schedules for a test.
func keptFiles(dir, property string) ([]string, error) {
	var files []string
	for n := 1; ; n++ {
		file := keptFile(dir, property, n)
		if _, err := os.Stat(file); os.IsNotExist(err) {
			break
		} else if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// keptFile names file number n, from 1, of a property.
func keptFile(dir, property string, n int) string {
	name := fileName(property)
	if n > 1 {
		name += fmt.Sprintf("-%d", n)
	}
	return filepath.Join(dir, name+".txt")
}

// keptDir is where the schedules of a test are kept.
func keptDir(test string) string {
	return filepath.Join("testdata", "ldfi", fileName(test))
}

// fileName makes a file name of any text.
func fileName(text string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, text)
	if name == "" {
		return "_"
	}
	return name
}

// readKept reads a file and checks that its schedule is one of the system.
func readKept(file string, b rounds.Bounds) (kept, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return kept{}, err
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	schedule, err := rounds.ParseSchedule(strings.Join(lines, "; "))
	if err == nil {
		err = schedule.Check(b.Processes, b.EOT)
	}
	if err != nil {
		return kept{}, doesNotFit(file, err)
	}
	return kept{file, schedule}, nil
}

// doesNotFit is the error of a schedule that cannot be executed.
func doesNotFit(file string, err error) error {
	return fmt.Errorf("%s: the schedule that is kept there does not fit the system any more: %w\nDelete the file if the system was changed on purpose", file, err)
}

// write keeps the schedule, with what it is for.
func (k kept) write(comments ...string) error {
	var text strings.Builder
	for _, comment := range comments {
		for line := range strings.SplitSeq(comment, "\n") {
			text.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
	}
	text.WriteString(k.schedule.String() + "\n")
	if err := os.MkdirAll(filepath.Dir(k.file), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(k.file, func(w io.Writer) error {
		_, err := io.WriteString(w, text.String())
		return err
	})
}
