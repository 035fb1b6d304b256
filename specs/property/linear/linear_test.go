package linear_test

import (
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/specs/property/linear"
	"github.com/stretchr/testify/require"
)

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

func TestProperty(t *testing.T) {
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
			violations, err := linear.Property(register).Check(oracle.Recorded(t, c.facts...))
			require.NoError(t, err)
			var texts []string
			for _, v := range violations {
				require.Equal(t, "linearizability", v.Property)
				texts = append(texts, v.Text)
			}
			require.Equal(t, c.want, texts)
		})
	}
}

func TestPanicsOfModelsAreErrors(t *testing.T) {
	model := register
	model.Step = func(state, input, output any) (bool, any) { return output.(string) == "ok", state }
	_, err := linear.Property(model).Check(oracle.Recorded(t, "request a 1 5 @1", "request b 2 6 @1", "reply b 2 no @2"))
	require.ErrorContains(t, err, `property "linearizability": its function panics: interface conversion`)
}
