package ldfi_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// asking is how a question is asked.
type asking struct {
	name    string
	options ldfi.Options
	alone   bool // by one way, which may end at a limit where another one does not
}

// askings have to come to the same answer, the first of them being the usual one.
func askings(o ldfi.Options) (all []asking) {
	for _, workers := range []int{2, 1, 8} {
		o.Workers = workers
		all = append(all, asking{fmt.Sprintf("%d workers", workers), o, false})
	}
	for _, way := range ldfi.Ways {
		for _, workers := range []int{1, 8} {
			o.Workers = workers
			all = append(all, asking{fmt.Sprintf("%d workers, without %s", workers, way), o.Without(way), true})
			all = append(all, asking{fmt.Sprintf("%d workers, only by %s", workers, way), o.Only(way), true})
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
	case errors.As(err, new(*refusal.LimitError)), errors.As(err, new(*refusal.RunawayError)), err == nil && a.Limit != nil:
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

// sameAnswers asks a question in all ways, and reports where the answers differ. A way
// on its own may take so long.
func sameAnswers(ctx context.Context, all []asking, alone time.Duration, ask func(context.Context, ldfi.Options) (*result.Answer, error)) (outcome string, err error) {
	texts := map[string]string{}
	var first asking
	for _, a := range all {
		most := 1000 * time.Hour
		if a.alone && alone > 0 {
			most = alone
		}
		limited, cancel := context.WithTimeout(ctx, most)
		answer, err := ask(limited, a.options)
		late := limited.Err() != nil
		cancel()
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		text := answerText(answer, err)
		if a.alone && (late || text == "") {
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
		return sameAnswers(ctx, someOf(askings(ldfi.Options{Goals: c.Goals, Max: most}), c.Seed), 0, func(ctx context.Context, o ldfi.Options) (*result.Answer, error) {
			return model(t, c.Program, c.Bounds, o).Check(ctx)
		})
	})
}

// Nor does what is supposed to happen.
func TestWaysOfHypotheses(t *testing.T) {
	campaign.Run(t, 100, func(ctx context.Context, c oracle.Case) (string, error) {
		a := newAssumptions(c)
		return sameAnswers(ctx, someOf(askings(ldfi.Options{Goals: c.Goals, Max: 20}), c.Seed), 0, func(ctx context.Context, o ldfi.Options) (*result.Answer, error) {
			return model(t, c.Program, c.Bounds, o).Hypotheses(ctx, a.require, a.forbid)
		})
	})
}

// And so it is for the protocols of testdata.
func TestWaysOfProtocols(t *testing.T) {
	for n, e := range oracle.QuickExpected(t, filepath.Join("..", "testdata", "protocols", "expected.txt")) {
		t.Run(e.Line, func(t *testing.T) {
			p, b, goals, err := e.Load()
			require.NoError(t, err)
			_, err = sameAnswers(t.Context(), someOf(askings(ldfi.Options{Goals: goals, Max: 1}), uint64(n)), 300*time.Millisecond, func(ctx context.Context, o ldfi.Options) (*result.Answer, error) {
				return model(t, p, b, o).Check(ctx)
			})
			require.NoError(t, err)
		})
	}
}
