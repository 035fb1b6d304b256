package oracle_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

var campaign = oracle.Random

func needClingo(t *testing.T) {
	if !oracle.Installed() {
		t.Skip("there is no clingo here, which these tests compare with: apt-get install gringo")
	}
}

// isLong tells whether the tests were asked for their long form.
func isLong() bool { return flag.Lookup("long").Value.String() != "0" }

// quick is how long an answer-set program is at most that clingo decides in some
// tenths of a second, in bytes.
const quick = 38_000

// Verdicts, smallest sizes and sets of testdata are those that clingo finds: of the smallest
// row of each signature and verdict that is quick, with -args -all of all that are, and with
// -args -long 1 of all.
func TestTestdata(t *testing.T) {
	needClingo(t)
	all := oracle.QuickExpected(t, filepath.Join("..", "..", "..", "testdata", "protocols", "expected.txt"))
	compared := 0
	for _, e := range all {
		t.Run(e.Line, func(t *testing.T) {
			p, b, goals, err := e.Load()
			require.NoError(t, err)
			problem, err := oracle.Translate(p, b, goals)
			if errors.As(err, new(*oracle.Unread)) {
				t.Skip(err)
			}
			require.NoError(t, err)
			if !isLong() && len(problem.Text) > quick {
				t.SkipNow()
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			m, err := ldfi.New(p, b, ldfi.Options{Goals: goals})
			require.NoError(t, err)
			got, err := m.Check(t.Context())
			require.NoError(t, err)
			require.Equal(t, e.Violated, got.Verdict == result.Violated)
			_, err = compare(ctx, problem, got, nil)
			if isLong() && errors.As(err, new(*oracle.Unread)) {
				t.Skip(err)
			}
			require.NoError(t, err)
			compared++
		})
	}
	t.Logf("%d of %d rows compared", compared, len(all))
	least := 60
	switch {
	case isLong():
		least = 280
	case flag.Lookup("all").Value.String() == "true":
		least = 175
	}
	require.GreaterOrEqual(t, compared, least)
}

// What ldfi says of random programs within random bounds is what clingo says.
func TestRandom(t *testing.T) {
	needClingo(t)
	var looked, unread atomic.Int64
	campaign.Run(t, 60, func(ctx context.Context, c oracle.Case) (string, error) {
		looked.Add(1)
		outcome, err := check(ctx, c)
		if errors.As(err, new(*oracle.Unread)) {
			unread.Add(1)
			return err.Error(), nil
		}
		return outcome, err
	})
	require.LessOrEqual(t, unread.Load()*10, looked.Load(), "programs that are not read")
}

// most is how many sets are compared.
const most = 8

// check compares one program.
func check(ctx context.Context, c oracle.Case) (outcome string, err error) {
	problem, err := oracle.Translate(c.Program, c.Bounds, c.Goals)
	if err != nil {
		return "", err
	}
	m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: most})
	if err != nil {
		return "", err
	}
	got, err := m.Check(ctx)
	if errors.As(err, new(*ldfi.NoPromiseError)) {
		return "no promise", nil
	}
	if errors.As(err, new(*limits.RunawayError)) || errors.As(err, new(*limits.LimitError)) {
		return "runaway", nil
	}
	return compare(ctx, problem, got, err)
}

// compare tells how an answer differs from what clingo finds.
func compare(ctx context.Context, problem *oracle.Problem, got *result.Answer, gotErr error) (outcome string, err error) {
	undefined, err := problem.Undefined(ctx)
	switch {
	case err != nil:
		return "", err
	case undefined != errors.As(gotErr, new(*limits.UndefinedError)):
		return "", fmt.Errorf("the error is %v; some fact depends on its own absence: %t", gotErr, undefined)
	case undefined:
		return "undefined", nil
	case gotErr != nil:
		return "", gotErr
	case got.Limit != nil:
		return "stopped at a limit", nil
	}
	s, violated, err := problem.Smallest(ctx)
	switch {
	case err != nil:
		return "", err
	case violated != (got.Verdict == result.Violated):
		return "", fmt.Errorf("the verdict is %s; clingo: %t, %s", got.Verdict, violated, s)
	case violated && got.Counterexamples[0].Size != s.Size():
		return "", fmt.Errorf("the smallest is %q; clingo: %q", got.Counterexamples[0].Schedule, s)
	}
	return string(got.Verdict), compareSets(ctx, problem, got)
}

// compareSets tells which set of an answer does not break the promise, and which one
// that does is missing.
func compareSets(ctx context.Context, problem *oracle.Problem, got *result.Answer) error {
	var found []rounds.Schedule
	for _, c := range got.Counterexamples {
		breaks, err := problem.Breaks(ctx, c.Schedule)
		if err != nil {
			return err
		} else if !breaks {
			return fmt.Errorf("%q does not break the promise", c.Schedule)
		}
		s, ok, err := problem.Further(ctx, found, &c.Schedule)
		if err != nil {
			return err
		} else if ok {
			return fmt.Errorf("%q comes before %q, and breaks the promise", s, c.Schedule)
		}
		found = append(found, c.Schedule)
	}
	if !got.Complete || got.Verdict == result.Holds {
		return nil
	}
	s, ok, err := problem.Further(ctx, found, nil)
	if ok {
		err = fmt.Errorf("%q breaks the promise as well as %q", s, found)
	}
	return err
}
