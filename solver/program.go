package solver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Program is a program that decides formulas.
type Program struct {
	command string
	words   []string
}

// NewProgram returns the solver that command starts. It returns an error if there is no
// such program.
func NewProgram(command string) (*Program, error) {
	words, err := text.ShellSplit(command)
	if err != nil {
		return nil, err
	}
	if words[0], err = exec.LookPath(words[0]); err != nil {
		return nil, fmt.Errorf("the SAT solver %s cannot be started: %w; install it, or name the file of its program", command, errors.Unwrap(err))
	}
	return &Program{command, words}, nil
}

// Decide starts the program to decide a formula.
func (s *Program) Decide(ctx context.Context, f *Formula) (Status, Model, error) {
	dir, err := os.MkdirTemp("", "ldfi-formula-")
	if err != nil {
		return Unknown, nil, fmt.Errorf("writing a formula for the SAT solver: %w", err)
	}
	defer os.RemoveAll(dir)
	formula := filepath.Join(dir, "formula.cnf")
	if err := write(formula, f); err != nil {
		return Unknown, nil, err
	}
	return s.run(ctx, f.Variables(), formula)
}

// write writes a formula into a file.
func write(name string, f *Formula) error {
	file, err := os.Create(name)
	if err == nil {
		err = errors.Join(f.WriteDIMACS(file), file.Close())
	}
	if err != nil {
		return fmt.Errorf("writing a formula for the SAT solver: %w", err)
	}
	return nil
}

// run starts the program with the names of files, and reads its answer.
func (s *Program) run(ctx context.Context, variables int, files ...string) (Status, Model, error) {
	p, err := start(ctx, append(s.words[1:len(s.words):len(s.words)], files...), s.words[0])
	if err != nil {
		return Unknown, nil, s.failed(err)
	}
	a := answer{variables: variables}
	wrong := a.read(p.out)
	ended := p.wait()
	if ctx.Err() != nil {
		return Unknown, nil, fmt.Errorf("solving: %w", context.Cause(ctx))
	}
	if err := a.judge(wrong, ended); err != nil {
		return Unknown, nil, s.failed(errors.Join(err, p.last()))
	}
	return a.status, a.model, nil
}

// failed adds to an error the name of the program, and its last output.
func (s *Program) failed(err error) error {
	if gaveUp := (*GaveUpError)(nil); errors.As(err, &gaveUp) {
		return fmt.Errorf("the SAT solver %s %w", s.command, gaveUp)
	}
	return fmt.Errorf("the SAT solver %s %w; ldfi decides by a solver of its own without --solver", s.command, err)
}
