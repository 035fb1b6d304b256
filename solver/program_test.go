//go:build unix

package solver_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/solver"
	"github.com/stretchr/testify/require"
)

// script returns the command of a program that is these lines of sh.
func script(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "sat")
	require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	return name
}

// oneOf says that a or b holds, and returns the formula.
func oneOf() *solver.Formula {
	c := solver.NewCircuit(0)
	return c.Formula(c.Or(c.Input(), c.Input())) // variable 3 is that none does
}

func decide(ctx context.Context, t *testing.T, text string) (solver.Status, []bool, error) {
	s, err := solver.NewProgram(script(t, text))
	require.NoError(t, err)
	return solver.Decide(ctx, s, oneOf())
}

func TestAnswers(t *testing.T) {
	status, inputs, err := decide(t.Context(), t, "echo c hello; echo; echo s SATISFIABLE; echo v -1 2; echo v -3 0; exit 10")
	require.NoError(t, err)
	require.Equal(t, solver.Sat, status)
	require.Equal(t, []bool{false, true}, inputs)
	status, _, err = decide(t.Context(), t, "echo s UNSATISFIABLE; exit 20")
	require.NoError(t, err)
	require.Equal(t, solver.Unsat, status)
	_, _, err = decide(t.Context(), t, "echo s UNKNOWN")
	require.ErrorAs(t, err, new(*solver.GaveUpError))
}

// The file is the last argument, and holds the formula.
func TestFile(t *testing.T) {
	s, err := solver.NewProgram(script(t, `[ "$1" = "two words" ] && [ $# = 2 ] && grep -q "^p cnf 3 4" "$2" || exit 1; echo s SATISFIABLE; echo v 1 0; exit 10`) + " 'two words'")
	require.NoError(t, err)
	status, inputs, err := solver.Decide(t.Context(), s, oneOf())
	require.NoError(t, err)
	require.Equal(t, solver.Sat, status)
	require.Equal(t, []bool{true, false}, inputs)
}

// Whatever else a program does is an error that says what it was.
func TestErrors(t *testing.T) {
	for text, says := range map[string]string{
		"exit 0":                                      "ends with exit status 0 and no answer",
		"echo oh >&2; exit 3":                         "ends with exit status 3 and no answer: lines s SATISFIABLE (and v with the values) or s UNSATISFIABLE are expected, as from cadical -q or kissat -q\nit said last: oh",
		"echo SATISFIABLE; exit 10":                   `prints "SATISFIABLE", where lines of the SAT competition begin with c, s or v`,
		"yes":                                         `prints "y", where`,
		"echo s MAYBE; exit 10":                       `prints "s MAYBE", which is neither`,
		"echo s SATISFIABLE; exit 20":                 "prints s SATISFIABLE and ends with exit status 20, where solvers end with 10",
		"echo s SATISFIABLE; echo v 1 0":              "ends with exit status 0, where solvers end with 10",
		"echo s UNSATISFIABLE; exit 10":               "prints s UNSATISFIABLE and ends with exit status 10, where solvers end with 20",
		"echo s UNSATISFIABLE; kill -SEGV $$":         "was ended before it had answered (signal: segmentation fault",
		"kill -KILL $$":                               "was ended before it had answered (signal: killed)",
		"echo s SATISFIABLE; exit 10":                 "without the 0 at its end",
		"echo s SATISFIABLE; echo v 1; exit 10":       "without the 0 at its end",
		"echo v 1 0; exit 10":                         "prints a model (v) without s SATISFIABLE before it",
		"echo s SATISFIABLE; echo v 4 0":              "prints \"4\" in its model, where there are the literals of the variables 1 to 3",
		"echo s SATISFIABLE; echo v x 0":              "prints \"x\" in its model",
		"echo s SATISFIABLE; echo v 1 -1 0":           "prints both 1 and -1 in its model",
		"echo s SATISFIABLE; echo v 0 1":              "behind the 0 at the end",
		"echo s UNKNOWN; echo s SATISFIABLE":          "prints two answers, s UNKNOWN and s SATISFIABLE",
		"echo s SATISFIABLE; echo v -1 -2 0; exit 10": "by a model that does not: clause -3 does not hold",
		"echo s SATISFIABLE; echo v 1 2 3 0; exit 10": "by a model that does not: variable 3 is true there, and by its clauses false",
	} {
		status, _, err := decide(t.Context(), t, text)
		require.ErrorContains(t, err, says, text)
		require.Equal(t, solver.Unknown, status, text)
	}
}

func TestMissing(t *testing.T) {
	for _, command := range []string{"no-such-solver -q", filepath.Join(t.TempDir(), "sat")} {
		_, err := solver.NewProgram(command)
		require.ErrorContains(t, err, "the SAT solver "+command+" cannot be started: ")
		require.ErrorContains(t, err, "; install it, or name the file of its program")
	}
	_, err := solver.NewProgram(t.TempDir())
	require.Error(t, err)
	_, err = solver.NewProgram("'")
	require.ErrorContains(t, err, "is not closed")
}

// When the context ends, so does the program, with what it has started.
func TestContextEnds(t *testing.T) {
	alive := filepath.Join(t.TempDir(), "alive")
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	go func() {
		for _, err := os.Stat(alive); err != nil; _, err = os.Stat(alive) {
			time.Sleep(5 * time.Millisecond)
		}
		cancel(enough)
	}()
	start := time.Now()
	_, _, err := decide(ctx, t, "sleep 600 & echo $! >"+alive+".new; mv "+alive+".new "+alive+"; wait")
	require.ErrorIs(t, err, enough)
	require.Less(t, time.Since(start), 20*time.Second)
	pid, err := os.ReadFile(alive)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return exec.Command("sh", "-c", "kill -0 "+string(pid)).Run() != nil }, 5*time.Second, 10*time.Millisecond)
}

// What a program leaves behind holds nobody up, and ends.
func TestLeftBehind(t *testing.T) {
	start := time.Now()
	status, _, err := decide(t.Context(), t, "sleep 600 & echo s UNSATISFIABLE; exit 20")
	require.NoError(t, err)
	require.Equal(t, solver.Unsat, status)
	require.Less(t, time.Since(start), 20*time.Second)
}
