package oracle

import (
	"bufio"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Expected is the verdict that is expected of one protocol within one set of
// bounds: a line of testdata/protocols/expected.txt, whose header explains the
// format.
type Expected struct {
	Path      string            // of the program
	Overrides map[string]string // of its settings
	Violated  bool
	Size      int              // the smallest number of faults that violate; 0 if the promise fails without faults
	Scenarios *big.Int         // how many there are within the bounds; nil: more than anybody wants to write down
	Faults    *rounds.Schedule // one of the smallest schedules that violate; nil if the line names none
	Line      string           // as it stands in the file, its columns a space apart
}

// ReadExpected reads a file of expected verdicts. The programs that it names
// are looked up from the directory of the file.
func ReadExpected(path string) ([]Expected, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading expected verdicts: %w", err)
	}
	defer file.Close()

	var all []Expected
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		e, err := parseExpected(words)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		e.Path = filepath.Join(filepath.Dir(path), filepath.FromSlash(e.Path))
		all = append(all, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading expected verdicts of %s: %w", path, err)
	}
	return all, nil
}

// parseExpected reads one line, cut into words.
func parseExpected(words []string) (e Expected, err error) {
	e = Expected{Path: words[0], Overrides: map[string]string{}, Line: strings.Join(words, " ")}
	words = words[1:]
	for len(words) > 0 {
		key, value, ok := strings.Cut(words[0], "=")
		if !ok {
			break
		}
		e.Overrides[key] = value
		words = words[1:]
	}
	if len(words) < 3 {
		return e, fmt.Errorf("expected a verdict, a size and a number of scenarios, found %q", strings.Join(words, " "))
	}
	if err := e.parseVerdict(words[0], words[1]); err != nil {
		return e, err
	}
	if words[2] != "-" {
		var ok bool
		if e.Scenarios, ok = new(big.Int).SetString(strings.ReplaceAll(words[2], ",", ""), 10); !ok {
			return e, fmt.Errorf("expected a number of scenarios, found %q", words[2])
		}
	}
	if len(words) > 3 {
		var smallest rounds.Schedule
		smallest, err = rounds.ParseSchedule(strings.Join(words[3:], " "))
		e.Faults = &smallest
	}
	return e, err
}

// parseVerdict reads the verdict and the size.
func (e *Expected) parseVerdict(verdict, size string) (err error) {
	switch {
	case verdict == "holds" && size == "-":
		return nil
	case verdict == "violated":
		e.Violated = true
		if e.Size, err = strconv.Atoi(size); err != nil {
			return fmt.Errorf("expected the smallest number of faults, found %q", size)
		}
		return nil
	default:
		return fmt.Errorf(`expected "holds -" or "violated" and a number, found %q`, verdict+" "+size)
	}
}

// Load reads the program, and its bounds and goals as overridden.
func (e Expected) Load() (p *dedalus.Program, b rounds.Bounds, goals string, err error) {
	if p, err = dedalus.Parse(e.Path); err != nil {
		return nil, b, "", err
	}
	b, goals, err = rounds.BoundsOf(p, e.Overrides)
	return p, b, goals, err
}
