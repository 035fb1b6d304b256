package worker_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/testing/workers"
	"github.com/lineage-driven/ldfi/internal/unit"
	"github.com/lineage-driven/ldfi/internal/worker"
	"github.com/stretchr/testify/require"
)

// checkedHands ask for every answer again, once as it is and once as a lie.
type checkedHands struct {
	workers.Hands
	certificates, others int
}

func (h *checkedHands) Do(ctx context.Context, u *unit.Unit, limit time.Duration, file func(string) ([]byte, error)) (*unit.Result, error) {
	r, err := h.Hands.Do(ctx, u, limit, file)
	w := worker.Worker{Build: workers.Build}
	again := func(answer json.RawMessage) string {
		difference, err := w.Again(ctx, u, file, answer)
		require.NoError(h.T, err)
		return difference
	}
	require.NoError(h.T, err)
	require.Empty(h.T, again(r.Answer))
	if strings.Contains(string(r.Answer), `"verdict":"violated"`) {
		h.others++
		words := strings.Replace(string(r.Answer), `"because":["`, `"because":["in other words: `, 1)
		require.Empty(h.T, again(json.RawMessage(words)))
		lie := []byte(strings.Replace(string(r.Answer), `"verdict":"violated"`, `"verdict":"holds"`, 1))
		require.Regexp(h.T, `^it says holds by .*, and this machine violated by `, again(lie))
		return r, nil
	}
	h.certificates++
	smaller := []byte(strings.Replace(string(r.Answer), `"processes":["a"`, `"processes":["z"`, 1))
	require.Equal(h.T, "both say holds, but not of the same", again(smaller))
	return r, nil
}

// What is asked again has the same answer, and one that is not true is seen.
func TestAgain(t *testing.T) {
	t.Chdir("../..")
	cases, err := suite.Read("ldfi.yaml")
	require.NoError(t, err)
	hands := &checkedHands{Hands: workers.Hands{T: t}}
	for _, c := range cases.Cases {
		if c.Subject.System != "" || hands.certificates+hands.others > 12 {
			continue
		}
		s := c.Subject
		s.Hands = hands
		o, err := s.Open(t.Context())
		require.NoError(t, err)
		_, err = o.Search(t.Context())
		require.NoError(t, err)
	}
	require.Greater(t, hands.certificates, 2)
	require.Greater(t, hands.others, 2)
}

// What cannot be asked again is an error, and no difference.
func TestAgainFails(t *testing.T) {
	w := worker.Worker{Build: workers.Build}
	_, err := w.Again(t.Context(), &unit.Unit{Kind: "other", Build: workers.Build, Ask: []byte("{}")}, nil, nil)
	require.ErrorContains(t, err, "does not know the answers")
	_, err = w.Again(t.Context(), &unit.Unit{Kind: unit.Search, Build: workers.Build, Ask: []byte("{}")}, nil, nil)
	require.ErrorContains(t, err, "does not say what it is about")
}
