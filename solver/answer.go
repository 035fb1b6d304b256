package solver

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// answer is the answer of a program to a formula.
type answer struct {
	variables int // of the formula
	said      string
	status    Status
	model     Model
	whole     bool // the model has its end
}

// longestLine is the longest line that is read.
const longestLine = 1 << 26

// read reads the output of a program. The error reports output that no solver prints.
func (a *answer) read(out io.Reader) error {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		if err := a.line(lines.Text()); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("prints a line of more than %d bytes", longestLine)
	}
	return nil // how the program ended says why there is no more to read
}

// line takes in a line.
func (a *answer) line(text string) error {
	text = strings.TrimRight(text, " \t\r")
	kind, rest, _ := strings.Cut(text, " ")
	switch {
	case kind == "" || kind == "c":
		return nil
	case kind == "s":
		return a.verdict(strings.TrimSpace(rest))
	case kind == "v":
		return a.values(strings.Fields(rest))
	}
	return fmt.Errorf("prints %s, where lines of the SAT competition begin with c, s or v", shown(text))
}

// shown is the beginning of a line, in quotes.
func shown(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.Quote(text.Safe(s))
}

// verdict reads the text after an s.
func (a *answer) verdict(text string) error {
	if a.said != "" {
		return fmt.Errorf("prints two answers, s %s and s %s", a.said, text)
	}
	a.said = text
	switch text {
	case "SATISFIABLE":
		a.status, a.model = Sat, make(Model, a.variables)
	case "UNSATISFIABLE":
		a.status = Unsat
	case "UNKNOWN":
	default:
		return fmt.Errorf("prints %s, which is neither s SATISFIABLE nor s UNSATISFIABLE", shown("s "+text))
	}
	return nil
}

// values takes in some literals of a model.
func (a *answer) values(literals []string) error {
	if a.status != Sat {
		return errors.New("prints a model (v) without s SATISFIABLE before it")
	}
	for _, text := range literals {
		literal, err := strconv.Atoi(text)
		variable, value := max(literal, -literal), int8(1)
		if literal < 0 {
			value = -1
		}
		switch {
		case err != nil || variable > a.variables || variable < 0:
			return fmt.Errorf("prints %s in its model, where there are the literals of the variables 1 to %d", shown(text), a.variables)
		case a.whole:
			return fmt.Errorf("prints %s behind the 0 at the end of its model", shown(text))
		case variable == 0:
			a.whole = true
		case a.model[variable-1] == -value:
			return fmt.Errorf("prints both %d and %d in its model", variable, -variable)
		default:
			a.model[variable-1] = value
		}
	}
	return nil
}

// statusOf is the exit status of an answer, 0 of others.
func statusOf(said string) int {
	switch said {
	case "SATISFIABLE":
		return 10
	case "UNSATISFIABLE":
		return 20
	}
	return 0
}

// judge returns why there is no answer, given the error in the output, if any, and how the
// program ended.
func (a *answer) judge(wrong, ended error) error {
	exit := (*exec.ExitError)(nil)
	status := 0
	if errors.As(ended, &exit) {
		status = exit.ExitCode()
	}
	switch {
	case wrong != nil:
		return wrong
	case status == -1:
		return fmt.Errorf("was ended before it had answered (%w)", exit)
	case ended != nil && exit == nil:
		return fmt.Errorf("did not end as programs do: %w", ended)
	case a.said == "":
		return fmt.Errorf("ends with exit status %d and no answer: lines s SATISFIABLE (and v with the values) or s UNSATISFIABLE are expected, as from cadical -q or kissat -q", status)
	case a.said == "UNKNOWN":
		return &GaveUpError{}
	case status != statusOf(a.said):
		return fmt.Errorf("prints s %s and ends with exit status %d, where solvers end with %d", a.said, status, statusOf(a.said))
	case a.status == Sat && !a.whole:
		return errors.New("prints a model (v) without the 0 at its end")
	}
	return nil
}
