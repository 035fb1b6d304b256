package ldfi_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
)

// TestEachRoundIsTheLast compares promises of random programs for any number of rounds, of all kinds and with all faults,
// with those of one round, of two, and so on: the promise breaks in the first number of rounds in which it does for any.
func TestEachRoundIsTheLast(t *testing.T) {
	campaign.Run(t, 120, eachRound)
}

func eachRound(ctx context.Context, c oracle.Case) (string, error) {
	m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals})
	if err != nil {
		return "no promise", nil
	}
	a, err := m.AnyRounds(ctx)
	switch {
	case errors.As(err, new(*provenance.UntimedError)):
		return "refused", nil
	case errors.As(err, new(*ldfi.NoPromiseError)), errors.As(err, new(*limits.UndefinedError)), errors.As(err, new(*limits.RunawayError)), errors.As(err, new(*limits.LimitError)):
		return "no promise", nil
	case err != nil:
		return "", err
	case a.Verdict == result.Inconclusive:
		return "inconclusive", nil
	}
	first := 1 // the rounds that the program reads by name are within the bounds
	for _, r := range c.Program.Rules {
		for _, t := range r.Body {
			first = max(first, t.At)
		}
	}
	until := max(c.Bounds.EOT+2, first)
	if a.Verdict == result.Violated {
		until = a.Rounds.Round
	}
	asked := 0
	for eot := min(first, until); eot <= until; eot++ {
		b := c.Bounds.Lasting(eot)
		m, err := ldfi.New(c.Program, b, ldfi.Options{Goals: c.Goals})
		if err != nil {
			continue // a process joins later, or the faults begin later
		}
		in, err := m.Check(ctx)
		want := result.Holds
		if eot == until {
			want = a.Verdict
		}
		switch {
		case errors.As(err, new(*limits.UndefinedError)), errors.As(err, new(*limits.RunawayError)), errors.As(err, new(*limits.LimitError)):
			continue
		case err != nil:
			return "", err
		case in.Verdict == result.Inconclusive:
			return "too large", nil
		case in.Verdict != want:
			return "", fmt.Errorf("for any number of rounds it is %s (round %d), and in %d rounds %s", a.Verdict, a.Rounds.Round, eot, in.Verdict)
		}
		asked++
	}
	if asked == 0 {
		return "no bounds", nil
	}
	return string(a.Verdict), nil
}
