package upon_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/upon"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// heard is how many have asked. No text of it shows that.
type heard struct{ count int }

// What processes have yet to send is a part of their states, also what JSON does not
// show of it: otherwise a search takes states for the same that go on differently.
func TestWhatIsYetToBeSentTellsStatesApart(t *testing.T) {
	for _, value := range []func(n int) any{
		func(n int) any { return heard{n} },
		func(n int) any { return &heard{n} },
		func(n int) any { return []heard{{n}} },
		func(n int) any {
			if n == 2 {
				return "1"
			}
			return 1
		},
	} {
		s := askers(t, value)
		bounds := rounds.Bounds{Omissions: 1}
		for _, strategy := range []string{"enumerate", "exhaustive", "learn"} {
			a, err := search.Run(t.Context(), s, search.Options{Strategy: strategy, Bounds: bounds})
			require.NoError(t, err)
			require.Equal(t, result.Violated, a.Verdict, strategy)
		}
	}
}

// askers are three processes that ask each other, and tell how many have asked. That
// anybody is told another number than 3 violates what they promise.
func askers(t *testing.T, value func(n int) any) *system.System {
	t.Helper()
	all := value(3)
	p := upon.Protocol[struct{}]{
		Start: upon.Rule[struct{}]{Sends: []upon.Tag{{Kind: "ask"}}, Do: func(e *upon.Event[struct{}], _ []upon.Message) { e.Broadcast("ask", 0, 0) }},
		Rules: []upon.Rule[struct{}]{
			{Name: "count", Kind: "ask", Sends: []upon.Tag{{Kind: "tell"}}, Do: func(e *upon.Event[struct{}], got []upon.Message) {
				e.Broadcast("tell", 0, value(len(got)))
			}},
			{Name: "compare", Kind: "tell", Do: func(e *upon.Event[struct{}], got []upon.Message) {
				for _, m := range got {
					if !equal(m.Value, all) {
						e.Fact("fewer", m.From)
					}
				}
			}},
		},
	}
	r, err := p.Rounds()
	require.NoError(t, err)
	return &system.System{
		Name: "askers", Processes: []string{"a", "b", "c"}, Rounds: r.Of(1), New: r.New, Fixed: true,
		Properties: []property.Property{rules.New("all ask", `violation(P, Q) :- fewer(P, Q, _).`)},
	}
}

func equal(a, b any) bool {
	if x, is := a.(*heard); is {
		return *x == *b.(*heard)
	}
	if x, is := a.([]heard); is {
		return x[0] == b.([]heard)[0]
	}
	return a == b
}
