package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// randomChoices returns choices of all modes, of different facts.
func randomChoices(r *rand.Rand, eot int) (all []rounds.Choice) {
	for i := range r.IntN(4) {
		c := rounds.Choice{Mode: []string{"one", "maybe", "some"}[r.IntN(3)]}
		for k := range 1 + r.IntN(3) {
			c.Of = append(c.Of, rounds.Fault{Kind: rounds.Choose, Detail: fmt.Sprintf("coin(\"%c\", %d)", 'a'+i, k), Round: 1 + r.IntN(eot)})
		}
		all = append(all, c)
	}
	return all
}

func chosenFacts(t *testing.T, text string) []rounds.Fault {
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s.Faults
}

// What is chosen holds, and of one of several the first if none is.
func TestChosen(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 3, Choices: rounds.Unlimited, Choose: []rounds.Choice{
		{Mode: "one", Of: chosenFacts(t, "choose coin(a, 0)@1; choose coin(a, 1)@1")},
		{Mode: "maybe", Of: chosenFacts(t, "choose w(1)@1; choose w(1)@2")},
		{Mode: "some", Of: chosenFacts(t, "choose x(1)@3; choose x(2)@3")},
	}}
	for text, want := range map[string]string{
		"":                    `choose coin("a", 0)@1`,
		"choose coin(a, 0)@1": `choose coin("a", 0)@1`,
		"choose coin(a, 1)@1": `choose coin("a", 1)@1`,
		"choose x(2)@3; choose x(1)@3; choose w(1)@2": `choose coin("a", 0)@1; choose w(1)@2; choose x(1)@3; choose x(2)@3`,
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		require.NoError(t, schedules.Within(s, b))
		e, err := schedules.NewEnvironment(b, s)
		require.NoError(t, err)
		require.Equal(t, want, rounds.Schedule{Faults: e.Chosen()}.String(), text)
	}
	for text, wrong := range map[string]string{
		"choose coin(a, 0)@1; choose coin(a, 1)@1": "of these one alone can be chosen",
		"choose coin(a, 0)@2":                      `coin("a", 0) can be chosen in no other round than 1`,
		"choose w(1)@3":                            `w(1) can be chosen in no other round than 1..2`,
		"choose con(a, 0)@1":                       `there is no choice of con("a", 0) (did you mean "coin("a", 0)"?)`,
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		require.ErrorContains(t, schedules.Within(s, b), wrong)
	}
	b.Choices = 1
	s := rounds.Schedule{Faults: chosenFacts(t, "choose w(1)@2; choose x(1)@3")}
	require.ErrorContains(t, schedules.Within(s, b), "2 choices, where the bounds allow 1 (choices=1)")
}

// Choices count nothing among the faults that there may be.
func TestAtMostWithChoices(t *testing.T) {
	b := rounds.Bounds{Processes: three[:2], EOT: 2, Crashes: 2, Choices: rounds.Unlimited, Choose: []rounds.Choice{
		{Mode: "one", Of: chosenFacts(t, "choose coin(a, 0)@1; choose coin(a, 1)@1; choose coin(a, 2)@1")},
		{Mode: "some", Of: chosenFacts(t, "choose x(1)@2; choose x(2)@2")},
	}}
	for faults, want := range []int{12, 60, 108} {
		n := 0
		for s := range schedules.New(b).AtMost(faults) {
			require.NoError(t, schedules.Within(s, b))
			n++
		}
		require.Equal(t, want, n)
	}
	require.Equal(t, "108", schedules.Count(b).String())
}
