package diagram_test

import (
	"bytes"
	"fmt"
	"strings"
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

// What one fault loses again and again is drawn once, with how often it is lost, and in which
// rounds; so it is in Mermaid. What omissions lose is drawn each time: each is a fault.
func TestFoldLost(t *testing.T) {
	crash, cut := rounds.Fault{Kind: rounds.Crash, Process: "b", Round: 3}, rounds.Fault{Kind: rounds.Cut, Process: "a", To: "c", Round: 5, Until: 12}
	e := &recording.Execution{System: "s", Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 13, CrashStop: true}, Schedule: rounds.Schedule{Faults: []rounds.Fault{crash, cut}}}
	lose := func(from, to string, round int, cause rounds.Fault) {
		e.Messages = append(e.Messages, recording.Message{From: from, To: to, Round: round, Relation: "ask", Lost: round >= cause.Round, Cause: cause})
		if m := &e.Messages[len(e.Messages)-1]; !m.Lost {
			m.Cause = rounds.Fault{}
		}
	}
	for round := 1; round <= 12; round += 2 {
		lose("a", "b", round, crash)
		lose("a", "c", round, cut)
	}
	for round := 10; round <= 13; round++ {
		omit := rounds.Fault{Kind: rounds.Omit, Process: "c", To: "a", Round: round}
		e.Schedule.Faults = append(e.Schedule.Faults, omit)
		lose("c", "a", round, omit)
	}
	drawn := func(o diagram.Options) string {
		var out bytes.Buffer
		require.NoError(t, diagram.Write(&out, e, o))
		return out.String()
	}
	require.Equal(t, `round  a         b         c
  1    ├─ ask ──▶┼────────▶│
  2    │         │         │
  3    │         ✗         │   crash b@3
       ├─ ask ──✗┼────────▶│   lost: crash b@3 (5 times, rounds 3 to 11)
  4    │         ╎         │
  5    │         ╎         │   cut a>c@5..12
       ├─ ask ───┼────────✗│   lost: cut a>c@5..12 (4 times, rounds 5 to 11)
  6    │         ╎         │
  ⋮
 10    │✗────────┼─── ask ─┤   lost: omit c>a@10
 11    │✗────────┼─── ask ─┤   lost: omit c>a@11
 12    │✗────────┼─── ask ─┤   lost: omit c>a@12
 13    │✗────────┼─── ask ─┤   lost: omit c>a@13
       ─✗ lost   ✗ crashes   ╎ has crashed   ⋮ as the round before
`, drawn(diagram.Options{}))
	require.Contains(t, drawn(diagram.Options{Around: []int{8}, Within: 1}), `
  7    ├─ ask ──✗┼────────✗│   lost: crash b@3 (5 times, rounds 3 to 11); cut a>c@5..12 (4 times, rounds 5 to 11)
  8    │         ╎         │
  ⋮
  …    rounds 10 to 13 are not shown
`, "it is drawn where it is seen first")
	require.Contains(t, drawn(diagram.Options{All: true}), " 11    ├─ ask ──✗┼────────✗│   lost: crash b@3; cut a>c@5..12\n")
	var out bytes.Buffer
	require.NoError(t, diagram.WriteMermaid(&out, e, diagram.Options{}))
	require.Equal(t, 2, bytes.Count(out.Bytes(), []byte("ask, lost (c"))) // each once
	require.Contains(t, out.String(), "    p1-xp3: ask, lost (cut a>c@5..12), 4 times, rounds 5 to 11\n")

	part := rounds.Fault{Kind: rounds.Isolate, Process: "a", Round: 1, Until: 13}
	e.Schedule.Faults, e.Messages = []rounds.Fault{part}, nil
	for round := 1; round <= 10; round++ {
		lose("a", "b", round, part)
		if round > 7 {
			lose("a", "c", round, part)
		}
	}
	require.Contains(t, drawn(diagram.Options{}), "  1    ┆         │         │   isolate a@1..13\n       ├─ ask ──✗│         │   lost: isolate a@1..13 (10 times, rounds 1 to 10)\n")
	require.Contains(t, drawn(diagram.Options{}), "  8    ├─ ask ───┼────────✗│   lost: isolate a@1..13\n", "three are each drawn")
	lose("a", "c", 7, part)
	lose("a", "c", 1, part)
	e.Sort()
	require.Contains(t, drawn(diagram.Options{}), "       ├─ ask ──✗┼────────✗│   lost: isolate a@1..13 (b 10 times, rounds 1 to 10; c 5 times, rounds 1 to 10)\n")
}

// A connection on which more is written while nothing arrives sends something else each time:
// the first few of these are drawn, and the others counted.
func TestFoldKinds(t *testing.T) {
	cut := rounds.Fault{Kind: rounds.Cut, Process: "a", To: "b", Round: 1, Until: 30}
	e := &recording.Execution{System: "s", Bounds: rounds.Bounds{Processes: []string{"a", "b"}, EOT: 30, CrashStop: true}, Schedule: rounds.Schedule{Faults: []rounds.Fault{cut}}}
	said := func(round int, kind, text string) {
		e.Messages = append(e.Messages, recording.Message{From: "a", To: "b", Round: round, Relation: kind, Args: []specs.Value{specs.String("b"), specs.String(text)}, Lost: true, Cause: cut})
	}
	drawn := func(o diagram.Options) string {
		e.Sort()
		var out bytes.Buffer
		require.NoError(t, diagram.Write(&out, e, o))
		return out.String()
	}
	for round := 1; round <= 8; round++ {
		said(round, "tcp", fmt.Sprint(7*round, " bytes"))
	}
	require.Equal(t, 9, strings.Count(drawn(diagram.Options{}), "─✗"), "eight, and the legend")
	for round := 9; round <= 20; round++ {
		said(round, "tcp", fmt.Sprint(7*min(round, 12), " bytes"))
	}
	said(5, "http", "PUT /x")
	require.Equal(t, `round  a             b
  1    │             │   cut a>b@1..30
       ├─ 7 bytes ──✗│   lost: cut a>b@1..30
  2    ├─ 14 bytes ─✗│   lost: cut a>b@1..30
  3    ├─ 21 bytes ─✗│   lost: cut a>b@1..30
  4    ├─ 28 bytes ─✗│   lost: cut a>b@1..30 (then 16 more of its kind, until round 20)
  5    ├─ PUT /x ───✗│   lost: cut a>b@1..30
  6    │             │
  ⋮
       ─✗ lost   ⋮ as the round before
`, drawn(diagram.Options{}))
	require.Contains(t, drawn(diagram.Options{Around: []int{10}, Within: 6}), "(then 13 more of its kind, until round 20)") // four are drawn, of rounds 4 to 7
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
