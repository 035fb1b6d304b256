package property

import (
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// texts returns what is wrong with an execution, by both evaluations of the
// rules.
func texts(t *testing.T, p Property, e *recording.Execution) []string {
	t.Helper()
	if p.Rules != "" {
		both(t, e, p.Rules)
	}
	violations, err := p.Check(e)
	require.NoError(t, err)
	var all []string
	for _, v := range violations {
		require.Equal(t, p.Name, v.Property)
		all = append(all, v.Text)
	}
	return all
}

func TestAgreement(t *testing.T) {
	p := Agreement("decided")
	require.Empty(t, texts(t, p, recorded(t)))
	require.Empty(t, texts(t, p, recorded(t, "decided a 1 @3", "decided b 1 @4", "decided b 1 @5")))
	require.Equal(t, []string{"violation(a, 1, c, 2)"}, texts(t, p, recorded(t, "decided a 1 @3", "decided c 2 @9")))
	require.Equal(t, []string{"violation(b, 1, b, 2)", "violation(b, 2, b, 1)"}, texts(t, p, recorded(t, "decided b 1 @3", "decided b 2 @4")))
}

func TestAgreementPerKey(t *testing.T) {
	p := AgreementPerKey("applied")
	require.Empty(t, texts(t, p, recorded(t, "applied a 1 x @3", "applied b 2 y @3", "applied c 1 x @9")))
	require.Equal(t, []string{`violation(2, a, "y", b, "z")`}, texts(t, p, recorded(t, "applied a 2 y @3", "applied b 2 z @3", "applied b 1 x @3")))
}

func TestPrefixOrder(t *testing.T) {
	p := PrefixOrder("out")
	require.Empty(t, texts(t, p, recorded(t, "out a 1 x @1", "out a 2 y @2", "out b 1 x @4")))
	require.Equal(t, []string{`violation(1, a, "x", b, "y")`}, texts(t, p, recorded(t, "out a 1 x @1", "out b 1 y @4")))
	require.Equal(t, []string{`violation(2, b, "nothing", a, "y")`},
		texts(t, p, recorded(t, "out a 1 x @1", "out a 2 y @2", "out a 3 z @2", "out b 1 x @4", "out b 3 z @5")))
}

func TestUniquePerTerm(t *testing.T) {
	p := UniquePerTerm("leader")
	require.Empty(t, texts(t, p, recorded(t, "leader a 1 @1", "leader b 2 @2", "leader b 3 @3")))
	require.Equal(t, []string{"violation(2, a, b)"}, texts(t, p, recorded(t, "leader b 2 @1", "leader a 2 @8")))
}

func TestDurable(t *testing.T) {
	p := Durable("acknowledged", "stored")
	require.Empty(t, texts(t, p, recorded(t, "acknowledged a 7 @2", "stored b 7 @9")))
	require.Equal(t, []string{"pre(7), but no post(7) by the end of round 9"},
		texts(t, p, recorded(t, "acknowledged a 7 @2", "stored b 7 @8", "stored b 8 @9")))
}

func TestEventualProgress(t *testing.T) {
	p := EventualProgress("leader", 2, 5)
	require.Empty(t, texts(t, p, recorded(t, "leader a 1 @6")))
	require.Equal(t, []string{`pre("leader after round 5"), but no post("leader after round 5") by the end of round 9`},
		texts(t, p, recorded(t, "leader a 1 @5")))
	require.Empty(t, texts(t, EventualProgress("leader", 2, 9), recorded(t)))
}

// register is a register that begins with 0: a write is its value and answered
// with ok, a read is answered with the value.
var register = porcupine.Model{
	Init: func() any { return "0" },
	Step: func(state, input, output any) (bool, any) {
		if input == "read" {
			return output == nil || output == state, state
		}
		return output == nil || output == "ok", input
	},
}

func TestLinearizable(t *testing.T) {
	p := Linearizable(register)
	for name, c := range map[string]struct {
		facts []string
		want  []string
	}{
		"nothing happens":                 {nil, nil},
		"a read after a write":            {[]string{"request a 1 5 @1", "reply a 1 ok @2", "request b 2 read @3", "reply b 2 5 @3"}, nil},
		"a read in the round of a write":  {[]string{"request a 1 5 @1", "reply a 1 ok @2", "request b 2 read @2", "reply b 2 0 @3"}, nil},
		"a write without a reply was":     {[]string{"request a 1 5 @1", "request b 2 read @3", "reply b 2 5 @3"}, nil},
		"a write without a reply was not": {[]string{"request a 1 5 @1", "request b 2 read @3", "reply b 2 0 @3"}, nil},
		"a stale read": {
			[]string{"request a 1 5 @1", "reply a 1 ok @2", "request b 2 read @3", "reply b 2 0 @4"},
			[]string{"reply(b, 2, 0) in round 4: no order of the requests explains this reply and those before it"},
		},
		"a value that comes and goes": {
			[]string{"request a 1 5 @1", "request b 2 read @2", "reply b 2 5 @2", "request c 3 read @3", "reply c 3 0 @4", "request c 4 read @5", "reply c 4 9 @6"},
			[]string{"reply(c, 3, 0) in round 4: no order of the requests explains this reply and those before it"},
		},
		"two different replies": {
			[]string{"request a 1 5 @1", "reply a 1 ok @2", "reply a 1 no @3"},
			[]string{`reply(a, 1, "no") in round 3: the first reply was reply(a, 1, "ok")`},
		},
		"a reply to nothing": {
			[]string{"reply a 1 ok @2"},
			[]string{`reply(a, 1, "ok") in round 2: there was no such request`},
		},
		"one id twice": {
			[]string{"request a 1 5 @2", "request b 1 6 @2"},
			[]string{`request(b, 1, 6) in round 2: there is another request with this id`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, texts(t, p, recorded(t, c.facts...)))
		})
	}
}

func TestPanicsOfFunctionsAreErrors(t *testing.T) {
	p := Property{Name: "mine", Func: func(*recording.Execution) []result.Violation { panic("no") }}
	_, err := p.Check(recorded(t))
	require.EqualError(t, err, `property "mine": its function panics: no`)

	model := register
	model.Step = func(state, input, output any) (bool, any) { return output.(string) == "ok", state }
	_, err = Linearizable(model).Check(recorded(t, "request a 1 5 @2"))
	require.ErrorContains(t, err, `property "linearizability": its function panics: the model: interface conversion`)
}
