package remote

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// documented returns the lines of the protocol that docs/wire.md shows, in its
// order: requests and answers.
func documented(t *testing.T) (requests []messages.Request, answers []messages.Answer) {
	t.Helper()
	text, err := os.ReadFile("../../docs/wire.md")
	require.NoError(t, err)
	for _, part := range strings.Split(string(text), "```json\n")[1:] {
		part, _, _ = strings.Cut(part, "```")
		in := json.NewDecoder(strings.NewReader(part))
		in.DisallowUnknownFields()
		for in.More() {
			if strings.Contains(part, `"do":`) {
				requests = append(requests, messages.Request{})
				require.NoError(t, in.Decode(&requests[len(requests)-1]), part)
				continue
			}
			answers = append(answers, messages.Answer{})
			require.NoError(t, in.Decode(&answers[len(answers)-1]), part)
		}
	}
	return requests, answers
}

// The examples of the page are believed, and are what the system of the examples
// answers.
func TestExamplesOfThePage(t *testing.T) {
	requests, answers := documented(t)
	require.GreaterOrEqual(t, len(requests), 3)
	require.GreaterOrEqual(t, len(answers), 4)
	hello, executed, progress, searched := answers[0], answers[1], answers[2], answers[3]
	run, search := requests[1], requests[2]

	r := &Remote{strategies: hello.Strategies}
	r.fail = func(err error) { require.NoError(t, err) }
	s, err := newSystem(r, hello.Systems[0])
	require.NoError(t, err)
	e, violations, err := s.read(&executed, &run)
	require.NoError(t, err)
	search.Options.Bounds = s.DefaultBounds(search.Options.Bounds)
	s.believeProgress(&search.Options)(*progress.Progress)
	require.NoError(t, s.believeAnswer(searched.Answer, &search.Options, false))

	host := liar(t, election.Buggy(), Options{}, func(object, object) {})
	require.NoError(t, host.greet(t.Context()))
	real := host.Systems()[0]
	require.Equal(t, real.Name, s.Name)
	require.Equal(t, real.Processes, s.Processes)
	require.Equal(t, real.Rounds, s.Rounds)
	require.Equal(t, real.Offers, s.Offers)
	require.Equal(t, host.strategies, hello.Strategies)
	happened, broken, err := real.Execute(t.Context(), *run.Schedule, run.Rounds, run.Recording)
	require.NoError(t, err)
	require.Equal(t, broken, violations)
	require.Equal(t, happened.Schedule, e.Schedule)
	require.Contains(t, happened.Facts, e.Facts[0])
	require.Contains(t, happened.Messages, e.Messages[0])
	reported, err := real.Without(t.Context(), *run.Schedule, run.Rounds, []string{"b"})
	require.NoError(t, err)
	require.Equal(t, broken, reported, "b has no part in it")
	reported, err = real.Without(t.Context(), *run.Schedule, run.Rounds, []string{"c"})
	require.NoError(t, err)
	require.Empty(t, reported)
	require.False(t, real.Varying(t.Context(), rounds.Settings{}), "nothing is drawn")
	fixed := liar(t, election.Fixed(), Options{}, func(object, object) {})
	require.NoError(t, fixed.greet(t.Context()))
	tests, err := fixed.Systems()[0].Vet(t.Context(), 200, 0)
	require.NoError(t, err)
	shown := slices.IndexFunc(answers, func(a messages.Answer) bool { return a.Tests != nil })
	require.Equal(t, answers[shown].Tests, tests)
}

// Requests without an example are understood by a host.
func TestRequestsOfThePage(t *testing.T) {
	text, err := os.ReadFile("../../docs/wire.md")
	require.NoError(t, err)
	for _, request := range []string{
		`{"id":4,"do":"cancel","of":3}`,
		`{"id":5,"do":"vet","system":"election","runs":200,"seed":0}`,
	} {
		require.Contains(t, string(text), request)
		var out strings.Builder
		require.NoError(t, wire.ServeOn(strings.NewReader(`{"id":1,"do":"hello","version":1}`+"\n"+request), &out, election.Fixed()))
		require.NotContains(t, out.String(), "error")
	}
	for _, limit := range []string{
		fmt.Sprintf("| a request | %d MiB |", messages.MaxRequest>>20),
		fmt.Sprintf("| an answer | %d MiB |", messages.MaxAnswer>>20),
		fmt.Sprintf("| commas in a line | %d,000,000 |", messages.MaxCommas/1_000_000),
		fmt.Sprintf("| rounds of an execution | %d,000 |", messages.MaxRounds/1000),
		fmt.Sprintf("| runs of a vet | %d,000 |", messages.MaxRuns/1000),
		fmt.Sprintf("| time until a search that was cancelled is answered | %d milliseconds |", cancelled.Milliseconds()),
		fmt.Sprintf("| standard error that is passed on | %d MiB |", mostSaid>>20),
	} {
		require.Contains(t, string(text), limit)
	}
}
