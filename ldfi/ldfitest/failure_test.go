package ldfitest_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// beats is a system whose process a sends beats to five others for 200 rounds, and in
// round 100 an order, which all have to have two rounds later.
func beats() *system.System {
	names := []string{"a", "b", "c", "d", "e", "f"}
	return &system.System{
		Name: "beats", Processes: names, Rounds: 200, Faults: rounds.Bounds{Isolations: 1, Period: 50},
		New:        func(name string, _ *rand.Rand) system.Process { return &beater{name: name, names: names} },
		Properties: []property.Property{rules.New("ordered", `violation(P) :- checked(P, 102), !has(P, 102).`)},
	}
}

type beater struct {
	name  string
	names []string
	round int
	has   bool
}

func (b *beater) Send(s *system.Step) {
	b.round++
	for _, to := range b.names {
		switch {
		case b.name != "a" || to == "a":
		case b.round == 100:
			s.Send(to, order{})
		case b.round%2 == 0:
			s.Send(to, beat{})
		}
	}
	if b.name != "a" && b.round == 102 {
		s.Fact("checked")
	}
	if b.has {
		s.Fact("has")
	}
}

func (b *beater) Receive(_ *system.Step, messages []system.Message) {
	for _, m := range messages {
		if _, ok := m.Payload.(order); ok {
			b.has = true
		}
	}
}

type (
	beat  struct{}
	order struct{}
)

// A long execution of many processes is told in few lines: how the faults lead to the
// violation, the rounds around both, and the command for all of it.
func TestFailureIsShort(t *testing.T) {
	out, err := goTest(t, t.TempDir(), "a long failure")
	require.Error(t, err)
	require.Less(t, strings.Count(out, "\n"), 60, out)
	for _, text := range []string{
		"  because first, order(", "is lost (isolate ", "  whole   ldfi inject --system 'go test -run ", "rounds 1 to ", " are not shown",
		"folded: beat a>b,c", "every 2 rounds from round 2 to ", "─ order ─",
	} {
		require.Contains(t, out, text)
	}
	require.NotContains(t, out, "─ beat ─▶", "a beat that arrives")

	out, err = goTest(t, t.TempDir(), "a long failure without beats")
	require.Error(t, err)
	require.NotContains(t, out, "folded")
	require.NotContains(t, out, "─ beat")
}

var failureStories = map[string][]ldfitest.Option{
	"a long failure":               nil,
	"a long failure without beats": {ldfitest.Hide("beat")},
}
