package worker_test

import (
	"encoding/json"
	"testing"

	"github.com/lineage-driven/ldfi/internal/cases"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/testing/workers"
	"github.com/lineage-driven/ldfi/internal/unit"
	"github.com/lineage-driven/ldfi/internal/worker"
	"github.com/stretchr/testify/require"
)

// hard is a question that one process decides in a tenth of a second and more.
func hard() *subject.Subject {
	return &subject.Subject{
		Files:  []string{"../../testdata/protocols/elastic/v5-per-primary.ded"},
		Bounds: map[string]string{"eot": "14", "eff": "10", "crashes": "3"},
	}
}

// A hard question is answered as in one process, and workers do parts of it.
func TestParts(t *testing.T) {
	here := plain(t, answer(t, *hard()))
	for name, change := range map[string]func(*unit.Unit, *unit.Result) error{
		"honest":    nil,
		"liar":      func(_ *unit.Unit, r *unit.Result) error { r.Answer = json.RawMessage(`{"sets":[[0]]}`); return nil },
		"set aside": func(_ *unit.Unit, r *unit.Result) error { r.Failure, r.Tries = "killed", 3; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			hands := &workers.Hands{T: t, Many: 2, Change: change}
			s := hard()
			s.Parts = hands
			for tries := 0; len(hands.Units) == 0 && tries < 20; tries++ { // a busy machine may answer it before anything is handed out
				require.Equal(t, here, plain(t, answer(t, *s)))
			}
			require.NotEmpty(t, hands.Units)
			for _, u := range hands.Units {
				require.Equal(t, unit.Cube, u.Kind)
			}
			if name == "liar" {
				require.NotEmpty(t, hands.Doubted)
			}
		})
	}
}

// Who asks is told why nothing was handed out.
func TestNoParts(t *testing.T) {
	for why, s := range map[string]*subject.Subject{
		"it was answered sooner than handed out":   {Files: []string{"../../testdata/protocols/delivery/ack.ded"}},
		"it has no parts that others could decide": {Files: []string{"../../testdata/protocols/delivery/ack.ded"}, Strategy: "lineage"},
	} {
		hands := &workers.Hands{T: t}
		s.Parts = hands
		o, err := s.Open(t.Context())
		require.NoError(t, err)
		_, err = o.Search(t.Context())
		require.NoError(t, err)
		require.Empty(t, hands.Units)
		require.Equal(t, []string{why}, hands.Kept)
	}
}

// The parts of a question are the same whoever asks for them, and what is said of one can be
// asked again.
func TestPartAgain(t *testing.T) {
	o, err := hard().Open(t.Context())
	require.NoError(t, err)
	p, err := o.Pack(t.Context())
	require.NoError(t, err)
	ask, err := json.Marshal(subject.Part{Question: p.Sent, Case: cases.Case{Max: 1, On: []int{0}}})
	require.NoError(t, err)
	u := &unit.Unit{Kind: unit.Cube, Build: workers.Build, Files: p.Files, Ask: ask}
	hands := &workers.Hands{T: t}
	r, err := hands.Do(t.Context(), u, 0, p.Content)
	require.NoError(t, err)
	require.Empty(t, r.Failure)
	require.True(t, r.Final)
	require.JSONEq(t, `{"complete":true}`, string(r.Answer))
	judge := &worker.Worker{Build: workers.Build}
	for answer, wrong := range map[string]bool{string(r.Answer): false, `{"too_much":true}`: false, `{"sets":[[0]],"complete":true}`: true} {
		difference, err := judge.Again(t.Context(), u, p.Content, json.RawMessage(answer))
		require.NoError(t, err)
		require.Equal(t, wrong, difference != "", answer)
	}
}

// What comes from another machine is an error where it makes no sense.
func TestPartWithoutSense(t *testing.T) {
	o, err := hard().Open(t.Context())
	require.NoError(t, err)
	p, err := o.Pack(t.Context())
	require.NoError(t, err)
	hands := &workers.Hands{T: t}
	for _, c := range []cases.Case{{}, {Max: 1, On: []int{1 << 30}}, {Max: 1, Off: []int{-1}}} {
		ask, err := json.Marshal(subject.Part{Question: p.Sent, Case: c})
		require.NoError(t, err)
		r, err := hands.Do(t.Context(), &unit.Unit{Kind: unit.Cube, Build: workers.Build, Files: p.Files, Ask: ask}, 0, p.Content)
		require.NoError(t, err)
		require.NotEmpty(t, r.Failure)
	}
}
