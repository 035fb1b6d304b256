package rounds_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

func chosen(t *testing.T, text string, overrides map[string]string) (rounds.Bounds, error) {
	t.Helper()
	p, err := dedalus.ParseText("p.ded", text)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, overrides)
	return b, err
}

// texts writes choices as "mode: fact, fact", the default first.
func texts(b rounds.Bounds) (all []string) {
	for _, c := range b.Choose {
		var facts []string
		for _, f := range c.Of {
			facts = append(facts, strings.TrimPrefix(f.String(), "choose "))
		}
		all = append(all, c.Mode+": "+strings.Join(facts, " "))
	}
	return all
}

func TestDeclaredChoices(t *testing.T) {
	const settings = "// ldfi: processes=a,b eot=3\n"
	for statement, want := range map[string][]string{
		`choose one coin(each, 0 | 1)@1;`:      {`one: coin("a", 0)@1 coin("a", 1)@1`, `one: coin("b", 0)@1 coin("b", 1)@1`},
		`choose one coin(each, 1..2)@2..9;`:    {`one: coin("a", 1)@2 coin("a", 2)@2`, `one: coin("b", 1)@2 coin("b", 2)@2`, `one: coin("a", 1)@3 coin("a", 2)@3`, `one: coin("b", 1)@3 coin("b", 2)@3`},
		`choose maybe write(any, "x")@any;`:    {`maybe: write("a", "x")@1 write("b", "x")@1 write("a", "x")@2 write("b", "x")@2 write("a", "x")@3 write("b", "x")@3`},
		`choose some vote(any)@each;`:          {`some: vote("a")@1 vote("b")@1`, `some: vote("a")@2 vote("b")@2`, `some: vote("a")@3 vote("b")@3`},
		`choose one first(any)@2|3|7;`:         {`one: first("a")@2 first("b")@2 first("a")@3 first("b")@3`},
		`choose one boot(each)@2|3;`:           {`one: boot("a")@2 boot("a")@3`, `one: boot("b")@2 boot("b")@3`},
		`choose maybe to(each, any, -1..0)@1;`: {`maybe: to("a", "a", -1)@1 to("a", "a", 0)@1 to("a", "b", -1)@1 to("a", "b", 0)@1`, `maybe: to("b", "a", -1)@1 to("b", "a", 0)@1 to("b", "b", -1)@1 to("b", "b", 0)@1`},
		`choose maybe on()@2;`:                 {`maybe: on()@2`},
		`choose maybe late(any)@9;`:            nil,
	} {
		b, err := chosen(t, settings+statement, nil)
		require.NoError(t, err, statement)
		require.Equal(t, want, texts(b), statement)
		data, err := json.Marshal(b)
		require.NoError(t, err)
		var again rounds.Bounds
		require.NoError(t, json.Unmarshal(data, &again))
		require.Equal(t, b.Normal(), again, statement)
		require.Equal(t, schedules.Count(b), schedules.Count(again))
	}
}

// As many facts as there are can be chosen unless something is said.
func TestScopeOfChoices(t *testing.T) {
	const program = "// ldfi: processes=a,b,c eot=2\nchoose one coin(each, 0 | 1)@each;\nchoose some vote(any)@1;\n"
	for choices, want := range map[string]string{
		"":          "3 processes, 2 rounds, no faults, choices of coin and vote: 512",
		"unlimited": "3 processes, 2 rounds, no faults, choices of coin and vote: 512",
		"0":         "3 processes, 2 rounds, no faults, coin and vote by default: 1",
		"1":         "3 processes, 2 rounds, no faults, at most 1 choice of coin and vote: 10",
		"2":         "3 processes, 2 rounds, no faults, at most 2 choices of coin and vote: 46",
	} {
		overrides := map[string]string{}
		if choices != "" {
			overrides["choices"] = choices
		}
		b, err := chosen(t, program, overrides)
		require.NoError(t, err)
		require.Equal(t, want, b.String()+": "+schedules.Count(b).String())
	}
}

func TestWrongChoices(t *testing.T) {
	const settings = "// ldfi: processes=a,b eot=3\n"
	for statement, want := range map[string]string{
		"choose maybe p(any)@1;\nchoose maybe p(\"b\")@any;":           `p.ded:3:1: p("b")@1 is an alternative of the choice at p.ded:2:1 already`,
		"choose maybe p(1..100000)@1;":                                 "there are more than 10000 facts to choose from",
		"choose maybe p(-9223372036854775808..9223372036854775807)@1;": "there are more than 10000 facts to choose from",
		"choose maybe p(\"two\nlines\")@1;":                            "a string that is chosen is one line",
		"// ldfi: choices=2":                                           "p.ded:2:10: choices=2: the program has no choices",
	} {
		_, err := chosen(t, settings+statement, nil)
		require.ErrorContains(t, err, want, statement)
	}
	for text, want := range map[string]string{
		`{"mode":"on","of":["p(1)@1"]}`:           `there is no mode "on" (did you mean "one"?)`,
		`{"mode":"one","of":["p(1)@9"]}`:          "there is no round 9",
		`{"mode":"one","of":["p(1)@1","p(1)@1"]}`: "p(1)@1 is an alternative twice",
	} {
		var b rounds.Bounds
		require.NoError(t, json.Unmarshal([]byte(`{"processes":["a"],"eot":3,"choose":[`+text+`]}`), &b))
		require.ErrorContains(t, b.Validate(), want)
	}
	require.ErrorContains(t, json.Unmarshal([]byte(`{"processes":["a"],"eot":3,"choose":[{"mode":"one","of":["p"]}]}`), new(rounds.Bounds)), "expected a fact")
}

func TestPatternsOfChoices(t *testing.T) {
	facts, err := rounds.ParseSchedule(`choose write("a", 1)@1; choose write("b", 2)@2; choose on()@2`)
	require.NoError(t, err)
	for text, want := range map[string][]bool{
		`choose write`:            {true, true, false},
		`choose write@2`:          {false, true, false},
		`choose write(a, *)`:      {true, false, false},
		`choose write(*, 2)@1..3`: {false, true, false},
		`choose write(*)`:         {false, false, false},
		`choose on()`:             {false, false, true},
		`choose *@2`:              {false, true, true},
	} {
		p, err := rounds.ParsePattern(text)
		require.NoError(t, err)
		for i, f := range facts.Faults {
			require.Equal(t, want[i], p.Matches(f, nil), "%s: %s", text, f)
		}
		again, err := rounds.ParsePattern(p.String())
		require.NoError(t, err)
		require.Equal(t, p, again)
	}
}
