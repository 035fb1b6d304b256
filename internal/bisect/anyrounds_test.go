package bisect_test

import (
	"bytes"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/stretchr/testify/require"
)

// Versions of a protocol in which b has to hear from a until round 7, which is behind eot: a sends in one round, or in
// two; and one with a promise that only the end can break.
const (
	counting = `// ldfi: processes=a,b eot=4 eff=2 omissions=1
clock("a", 1)@1;
clock(P, N + 1)@next :- clock(P, N), N < 9;
heard(P)@next :- turn(P);
heard(P)@next :- heard(P);
violation("b") :- clock("a", 7), notin heard("b");
`
	inOneRound  = counting + "turn(\"b\")@async :- clock(\"a\", 5);\n"
	inTwoRounds = counting + "turn(\"b\")@async :- clock(\"a\", N), N > 3, N < 6;\n"
	atTheEnd    = "// ldfi: processes=a,b eot=4 eff=2 omissions=1\ngood(\"a\")@1;\n"
)

// Within eot no version breaks. For any number of rounds the one does that sends once, and the report shows how, by
// executions that are long enough. What cannot be asked is skipped with the reason, and not searched within eot.
func TestVersionsForAnyNumberOfRounds(t *testing.T) {
	versions := history(t, inTwoRounds, inOneRound, atTheEnd)
	bounded := run(t, versions[:2], bisect.Options{})
	require.Equal(t, []string{"v1.ded holds", "v2.ded holds"}, states(bounded))

	r := run(t, versions, bisect.Options{Question: &subject.Protocol{AnyRounds: true}, Pages: true})
	require.Equal(t, []string{"v1.ded holds", "v2.ded violated", "v3.ded skipped"}, states(r))
	m := r.Matrices[0]
	require.Equal(t, "omit a>b@5", m.Findings[1].Schedule.String())
	require.Contains(t, m.Findings[2].Reason, "v3.ded:2:1: good is judged by the run without faults at its last round")
	require.Equal(t, bisect.Keeps, m.Schedules[0].Effects[0].Outcome)
	require.Len(t, m.Changes, 1)
	require.Empty(t, m.Changes[0].Unparted)
	require.Contains(t, m.Changes[0].Command, "--eot 7")
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "scope        2 processes, any number of rounds, at most 1 omission\n")
	require.NotContains(t, text.String(), "different bounds")
}
