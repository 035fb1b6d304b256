package rounds_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Bounds pick out kinds of messages that a program sends, by name or all.
func TestKindsOfMessages(t *testing.T) {
	of := func(settings string) (rounds.Bounds, error) {
		p, err := dedalus.ParseText("p.ded", "// ldfi: processes=a,b eot=3 "+settings+"\nvote(N, X)@async :- say(_, X), all(N); ack(N, X)@async :- vote(N, X), all(N);\nall(\"a\")@1; all(\"b\")@1; say(\"a\", 1)@1;\n")
		require.NoError(t, err)
		b, _, err := rounds.BoundsOf(p, nil)
		return b, err
	}
	for settings, scope := range map[string]string{
		"omissions=1":                       "2 processes, 3 rounds, at most 1 omission",
		"omissions=1 kinds=vote":            "2 processes, 3 rounds, at most 1 omission (also of vote alone)",
		"omissions=1 kinds=all":             "2 processes, 3 rounds, at most 1 omission (also of ack or vote alone)",
		"omissions=1 kinds=none":            "2 processes, 3 rounds, at most 1 omission",
		`cuts=1 kinds=vote,"ack"`:           "2 processes, 3 rounds, at most 1 cut (also of vote or ack alone)",
		"crashes=1 kinds=vote":              "2 processes, 3 rounds, at most 1 crash",
		"omissions=1 delays=1 kinds=ack":    "2 processes, 3 rounds, at most 1 omission (also of ack alone), at most 1 delay of up to 1 round (also of ack alone)",
		"omissions=1 kinds=ack eff=3":       "2 processes, 3 rounds, at most 1 omission before round 3 (also of ack alone)",
		"isolations=1 crash=stop kinds=ack": "2 processes, 3 rounds, at most 1 isolation",
	} {
		b, err := of(settings)
		require.NoError(t, err, settings)
		require.Equal(t, scope, b.String())
		text, err := json.Marshal(b)
		require.NoError(t, err)
		var again rounds.Bounds
		require.NoError(t, json.Unmarshal(text, &again))
		require.Equal(t, b.Kinds, again.Kinds)
	}
	for settings, wrong := range map[string]string{
		"kinds=votes":                     `p.ded:1:42: no message of the kind votes is ever sent (did you mean "vote"?): there are ack and vote`,
		"kinds=say":                       "no message of the kind say is ever sent: there are ack and vote",
		"kinds=vote,vote":                 "vote is named twice",
		"kinds=vote,":                     "expected kinds of messages, as in Vote,Append, those that are no names in quotes, or all, or none",
		"kinds=vote,all":                  "no message of the kind all is ever sent",
		"kinds=vote kernel=yes":           "kinds do not go with deliver and kernel",
		"kinds=" + manyKinds(101):         "there are 101 kinds of messages, and at most 100 can be hit alone",
		"eot=9000 kinds=" + manyKinds(90): "90 kinds with 2 processes and 9000 rounds are too many",
	} {
		_, err := of("omissions=1 " + settings)
		if strings.HasPrefix(settings, "eot") {
			_, err = rounds.BoundsFrom(map[string]string{"processes": "a,b", "eot": "9000", "omissions": "1", "kinds": manyKinds(90)})
		}
		require.ErrorContains(t, err, wrong)
	}
}

func manyKinds(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("k%d", i))
	}
	return strings.Join(all, ",")
}
