package worker_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/testing/workers"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/internal/work/worker"
	"github.com/stretchr/testify/require"
)

// checkedHands ask for every answer again, as it is, and changed in each way that is there.
type checkedHands struct {
	workers.Hands
	changes []change
	made    map[string]int
}

// change is what is said in place of something, and what is found of that.
type change struct{ from, to, found string }

// changes are what becomes of answers of all kinds.
var changes = []change{
	{`"verdict":"violated"`, `"verdict":"holds"`, `^verdict: it says holds, and this machine violated$`},
	{`"verdict":"`, `"Verdict":"holds","verdict":"`, `^the answer: it says Verdict, and this machine verdict$`},
	{`"processes":["a"`, `"processes":["z"`, `bounds\.processes\.0: it says z, and this machine a$`},
	{`"counterexamples":[`, `"counterexamples":[null,`, `^counterexamples(\.0)?: it says (nothing|0), and this machine (nothing|\{)$`},
	{`"executions":`, `"executions":9`, `^stats\.executions: it says 9\d+, and this machine \d+$`},
	{`"executions":`, `"Executions":9,"executions":`, `^stats: it says Executions, and this machine executions$`},
	{`"because":["`, `"because":["in other words: `, `^$`},
	{`"stretch":{"strategy":"uniform"`, `"stretch":{"strategy":"spread"`, `^stretch\.strategy: it says spread, and this machine uniform$`},
	{`"took":`, `"took":1`, `^$`},
}

func (h *checkedHands) Do(ctx context.Context, u *work.Unit, limit time.Duration, file func(string) ([]byte, error)) (*work.Result, error) {
	r, err := h.Hands.Do(ctx, u, limit, file)
	if ctx.Err() != nil {
		return r, err
	}
	require.NoError(h.T, err)
	w := worker.Worker{Build: workers.Build}
	again := func(answer string) string {
		difference, err := w.Again(context.WithoutCancel(ctx), u, file, json.RawMessage(answer))
		require.NoError(h.T, err)
		return difference
	}
	answer := string(r.Answer)
	require.Empty(h.T, again(answer))
	require.NotEmpty(h.T, again(answer[1:]))
	for _, c := range h.changes {
		if changed := strings.Replace(answer, c.from, c.to, 1); changed != answer && h.made[c.to] < 3 {
			h.made[c.to]++
			require.Regexp(h.T, c.found, again(changed), "%s in place of %s", c.to, c.from)
		}
	}
	return r, nil
}

// What is asked again has the same answer, whatever kind of unit it is, and one that is not
// true is seen.
func TestAgain(t *testing.T) {
	drawn, _ := drawing(t)
	t.Chdir("../../..")
	cases, err := suite.Read("ldfi.yaml")
	require.NoError(t, err)
	hands := &checkedHands{Hands: workers.Hands{T: t, Hosts: true}, changes: changes, made: map[string]int{}}
	asked := 0
	for _, c := range cases.Cases {
		if c.Subject.AsSystem() != nil || asked > 12 {
			continue
		}
		asked++
		c.Subject.Shared().Hands = hands
		answer(t, c.Subject)
	}
	drawn.Strategy, drawn.Executions, drawn.Parts = "uniform", min(drawn.Executions, 3000), hands
	answer(t, &drawn)
	for _, c := range changes {
		require.Positive(t, hands.made[c.to], "%s in place of %s", c.to, c.from)
	}
}

// What cannot be asked again is an error, and no difference.
func TestAgainFails(t *testing.T) {
	w := worker.Worker{Build: workers.Build}
	_, err := w.Again(t.Context(), &work.Unit{Kind: "other", Build: workers.Build, Ask: []byte("{}")}, nil, nil)
	require.ErrorContains(t, err, "which is not known")
	_, err = w.Again(t.Context(), &work.Unit{Kind: work.Search, Build: workers.Build, Ask: []byte("{}")}, nil, nil)
	require.ErrorContains(t, err, "does not say what it is about")
}
