package ldfi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/roundstest"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// efforts are ways to go about a question that have to come to the same answer, the
// first of them being the usual one.
func efforts(o ldfi.Options) (names []string, all []ldfi.Options) {
	add := func(name string, o ldfi.Options) { names, all = append(names, name), append(all, o) }
	for _, workers := range []int{2, 1, 8} {
		o.Workers = workers
		add(fmt.Sprintf("%d workers", workers), o)
	}
	o.Workers = 2
	for _, way := range ldfi.Ways {
		add("without "+way, o.Without(way))
		add("only by "+way, o.Only(way))
	}
	return names, all
}

// answerJSON is an answer without what it cost.
func answerJSON(a *result.Answer) string {
	bare := *a
	bare.Stats = result.Stats{}
	text, err := json.MarshalIndent(&bare, "", " ")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// sameAnswers asks a question in all ways, and reports where the answers differ. A way
// that ends at a limit says nothing.
func sameAnswers(ctx context.Context, o ldfi.Options, ask func(ldfi.Options) (*result.Answer, error)) (outcome string, err error) {
	names, all := efforts(o)
	var first, at string
	for i, o := range all {
		a, err := ask(o)
		if err != nil {
			return fmt.Sprintf("refused: %T", err), nil
		}
		if a.Limit != nil {
			continue
		}
		text := answerJSON(a)
		if first == "" {
			first, at, outcome = text, names[i], string(a.Verdict)
		}
		if text != first {
			return "", fmt.Errorf("%s: %s\n%s: %s", at, first, names[i], text)
		}
	}
	return outcome, nil
}

// The answer does not depend on how it is found.
func TestWays(t *testing.T) {
	campaign.Run(t, 150, func(ctx context.Context, c roundstest.Case) (string, error) {
		max := []int{1, 1, 3, 1000}[c.Seed%4]
		return sameAnswers(ctx, ldfi.Options{Goals: c.Goals, Max: max}, func(o ldfi.Options) (*result.Answer, error) {
			return model(t, c.Program, c.Bounds, o).Check(ctx)
		})
	})
}

// Nor does what is supposed to happen.
func TestWaysOfHypotheses(t *testing.T) {
	campaign.Run(t, 50, func(ctx context.Context, c roundstest.Case) (string, error) {
		a := newAssumptions(c)
		return sameAnswers(ctx, ldfi.Options{Goals: c.Goals, Max: 20}, func(o ldfi.Options) (*result.Answer, error) {
			return model(t, c.Program, c.Bounds, o).Hypotheses(ctx, a.require, a.forbid)
		})
	})
}

// And so it is for the protocols of testdata.
func TestWaysOfProtocols(t *testing.T) {
	for _, c := range roundstest.Protocols(t) {
		t.Run(c.Name, func(t *testing.T) {
			_, err := sameAnswers(t.Context(), ldfi.Options{Goals: c.Goals, Max: 1}, func(o ldfi.Options) (*result.Answer, error) {
				ctx, cancel := context.WithTimeout(t.Context(), 5e9)
				defer cancel()
				return model(t, c.Program, c.Bounds, o).Check(ctx)
			})
			require.NoError(t, err)
		})
	}
}
