package ldfi_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// asking is how a question is asked.
type asking struct {
	name    string
	options ldfi.Options
	ways    []string // that are tried; a few may end at a limit where all do not
}

// tries tells whether one of the ways is tried.
func (a asking) tries(way string) bool { return slices.Contains(a.ways, way) }

// isWhole tells whether all ways are tried.
func (a asking) isWhole() bool { return len(a.ways) == len(ldfi.Ways) }

// askings have to come to the same answer, the first of them being the usual one.
func askings(o ldfi.Options) (all []asking) {
	for _, workers := range []int{2, 1, 8} {
		o.Workers = workers
		all = append(all, asking{fmt.Sprintf("%d workers", workers), o, ldfi.Ways})
	}
	for _, way := range ldfi.Ways {
		others := slices.DeleteFunc(slices.Clone(ldfi.Ways), func(other string) bool { return other == way })
		for _, workers := range []int{1, 8} {
			o.Workers = workers
			all = append(all, asking{fmt.Sprintf("%d workers, without %s", workers, way), o.Without(way), others})
			all = append(all, asking{fmt.Sprintf("%d workers, only by %s", workers, way), o.Only(way), []string{way}})
		}
	}
	return all
}

// someOf are the usual asking and another one, which changes from one number to the next;
// with -args -long N they are all.
func someOf(all []asking, n uint64) []asking {
	if flag.Lookup("long").Value.String() != "0" {
		return all
	}
	return []asking{all[0], all[1+n%uint64(len(all)-1)]}
}

// answerText is all that is said to a question, but for what it cost. It is empty if a
// limit was met.
func answerText(a *result.Answer, err error) string {
	switch {
	case errors.As(err, new(*limits.LimitError)), errors.As(err, new(*limits.RunawayError)), err == nil && a.Limit != nil:
		return ""
	case err != nil:
		return "error: " + err.Error()
	}
	bare := *a
	bare.Stats = result.Stats{}
	text, err := json.MarshalIndent(&bare, "", " ")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// sameAnswers asks a question in all ways, and reports where the answers differ.
func sameAnswers(ctx context.Context, all []asking, ask func(context.Context, ldfi.Options) (*result.Answer, error)) (outcome string, err error) {
	texts := map[string]string{}
	var first asking
	for _, a := range all {
		answer, err := ask(ctx, a.options)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		text := answerText(answer, err)
		if !a.isWhole() && text == "" {
			continue
		}
		texts[a.name] = text
		if first.name == "" {
			first, outcome = a, outcomeOf(answer, err)
		}
		if text != texts[first.name] {
			return "", fmt.Errorf("%s: %s\n%s: %s", first.name, texts[first.name], a.name, text)
		}
	}
	return outcome, nil
}

// outcomeOf is an answer in a word.
func outcomeOf(a *result.Answer, err error) string {
	switch {
	case err != nil:
		return fmt.Sprintf("refused: %T", err)
	case a.Limit != nil:
		return "stopped at a limit on " + a.Limit.Kind
	}
	return string(a.Verdict)
}

// The answer does not depend on how it is found: not a byte of it, nor of an error.
func TestWays(t *testing.T) {
	campaign.Run(t, 500, func(ctx context.Context, c oracle.Case) (string, error) {
		most := []int{1, 1, 3, 1000}[c.Seed%4]
		return sameAnswers(ctx, someOf(askings(ldfi.Options{Goals: c.Goals, Max: most}), c.Seed), func(ctx context.Context, o ldfi.Options) (*result.Answer, error) {
			return model(t, c.Program, c.Bounds, o).Check(ctx)
		})
	})
}

// Nor does what is supposed to happen.
func TestWaysOfHypotheses(t *testing.T) {
	campaign.Run(t, 100, func(ctx context.Context, c oracle.Case) (string, error) {
		a := newAssumptions(c)
		return sameAnswers(ctx, someOf(askings(ldfi.Options{Goals: c.Goals, Max: 20}), c.Seed), func(ctx context.Context, o ldfi.Options) (*result.Answer, error) {
			return model(t, c.Program, c.Bounds, o).Hypotheses(ctx, a.require, a.forbid)
		})
	})
}

// slowByCases begin the lines of protocols that have very many cases.
var slowByCases = []string{"delivery/ack12.ded holds", "elastic/v6-checkpoint.ded crashes=2"}

// isSlow tells whether an asking would take very long: tables list all schedules that have
// no more faults than the smallest violation, and cases are many of some protocols. That is
// a matter of counts and names, so that the same answers are compared on every machine.
func isSlow(e oracle.Expected, a asking) bool {
	const fewFaults, fewScenarios = 5, 99_999
	few := e.Violated && e.Size <= fewFaults || e.Scenarios != nil && e.Scenarios.Cmp(big.NewInt(fewScenarios)) <= 0
	return !a.tries("circuit") && (a.tries("tables") && !few || slices.ContainsFunc(slowByCases, func(s string) bool { return strings.HasPrefix(e.Line, s) }))
}

// And so it is for the protocols of testdata.
func TestWaysOfProtocols(t *testing.T) {
	compared := 0
	for n, e := range oracle.QuickExpected(t, filepath.Join("..", "testdata", "protocols", "expected.txt")) {
		t.Run(e.Line, func(t *testing.T) {
			p, b, goals, err := e.Load()
			require.NoError(t, err)
			all := slices.DeleteFunc(askings(ldfi.Options{Goals: goals, Max: 1}), func(a asking) bool { return isSlow(e, a) })
			all = someOf(all, uint64(n))
			compared += len(all)
			_, err = sameAnswers(t.Context(), all, func(ctx context.Context, o ldfi.Options) (*result.Answer, error) {
				return model(t, p, b, o).Check(ctx)
			})
			require.NoError(t, err)
		})
	}
	t.Logf("%d answers were compared", compared)
}
