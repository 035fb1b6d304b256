package diagram_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// A leader beats every second round; one beat is lost, and one entry is sent. Around that,
// the beats that arrive are one line below the diagram, and the lost one is drawn.
func TestFold(t *testing.T) {
	lost := rounds.Fault{Kind: rounds.Omit, Process: "a", To: "b", Round: 21}
	e := &recording.Execution{System: "beats", Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 60}, Schedule: rounds.Schedule{Faults: []rounds.Fault{lost}}}
	for round := 1; round <= 60; round += 2 {
		for _, to := range []string{"b", "c"} {
			m := recording.Message{From: "a", To: to, Round: round, Relation: "beat"}
			if to == "b" && round == 21 {
				m.Lost, m.Cause = true, lost
			}
			e.Messages = append(e.Messages, m)
		}
	}
	e.Messages = append(e.Messages, recording.Message{From: "b", To: "c", Round: 22, Relation: "entry"})

	var out bytes.Buffer
	require.NoError(t, diagram.Write(&out, e, diagram.Options{Fold: true, Around: []int{21}, Within: 2}))
	require.Equal(t, `round  a          b          c
  …    rounds 1 to 18 are not shown
 19    │          │          │
  ⋮
 21    ├─ beat ──✗│          │   lost: omit a>b@21
 22    │          ├─ entry ─▶│
 23    │          │          │
  …    rounds 24 to 60 are not shown
       folded: beat a>b every 2 rounds from round 1 to 19
       folded: beat a>c every 2 rounds from round 1 to 59
       folded: beat a>b every 2 rounds from round 23 to 59
       ─✗ lost   ⋮ as the round before
`, out.String())
}

// What is sent to a process that has crashed again and again is drawn once; the other faults
// lose each message by itself.
func TestFoldLost(t *testing.T) {
	crash, cut := rounds.Fault{Kind: rounds.Crash, Process: "b", Round: 3}, rounds.Fault{Kind: rounds.Cut, Process: "a", To: "c", Round: 5, Until: 12}
	e := &recording.Execution{System: "s", Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 12, CrashStop: true}, Schedule: rounds.Schedule{Faults: []rounds.Fault{crash, cut}}}
	for round := 1; round <= 12; round += 2 {
		for to, cause := range map[string]rounds.Fault{"b": crash, "c": cut} {
			m := recording.Message{From: "a", To: to, Round: round, Relation: "ask"}
			if round >= cause.Round {
				m.Lost, m.Cause = true, cause
			}
			e.Messages = append(e.Messages, m)
		}
	}
	var out bytes.Buffer
	require.NoError(t, diagram.Write(&out, e, diagram.Options{}))
	require.Equal(t, `round  a         b         c
  1    ├─ ask ──▶┼────────▶│
  2    │         │         │
  3    │         ✗         │   crash b@3
       ├─ ask ──✗┼────────▶│   lost: crash b@3
  4    │         ╎         │
  5    │         ╎         │   cut a>c@5..12
       ├─ ask ───┼────────✗│   lost: cut a>c@5..12
  6    │         ╎         │
  7    ├─ ask ───┼────────✗│   lost: cut a>c@5..12
  8    │         ╎         │
  9    ├─ ask ───┼────────✗│   lost: cut a>c@5..12
 10    │         ╎         │
 11    ├─ ask ───┼────────✗│   lost: cut a>c@5..12
 12    │         ╎         │
       folded: ask a>b is lost 5 times, until round 11 (crash b@3)
       ─✗ lost   ✗ crashes   ╎ has crashed
`, out.String())
}

// A word with which messages of servers begin hides them.
func TestHideByWord(t *testing.T) {
	said := func(round int, text string) recording.Message {
		return recording.Message{From: "a", To: "b", Round: round, Relation: "tcp", Args: []specs.Value{specs.String("1"), specs.String(text)}}
	}
	e := &recording.Execution{System: "s", Bounds: rounds.Bounds{Processes: []string{"a", "b"}, EOT: 2}, Messages: []recording.Message{said(1, "heartbeat 7"), said(2, "append x")}}
	var out bytes.Buffer
	require.NoError(t, diagram.Write(&out, e, diagram.Options{Hide: []string{"heartbeat"}}))
	require.NotContains(t, out.String(), "heartbeat")
	require.Contains(t, out.String(), "append x")
}
