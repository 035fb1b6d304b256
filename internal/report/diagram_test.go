package report_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// Both sides of a partition are marked, each in its way; the legend says who stands where
// and how the fault is written, and each state says from whom the process is cut off.
func TestBothSidesOfAPartition(t *testing.T) {
	b := open(t, ask(t, testdata+"partitions/half.ded", 1).page)
	b.press("button", "With faults")
	for _, side := range []string{"side", "across"} {
		marked := value[[]float64](b, `[...new Set([...document.querySelectorAll('.canvas line.life.`+side+`')].map((e) => Number(e.getAttribute('x1'))))].sort((a, b) => a - b)`)
		heads := value[[]float64](b, `[...document.querySelectorAll('.heads text.process')].map((e) => Number(e.getAttribute('x')))`)
		want := map[string][]float64{"side": {heads[0], heads[3]}, "across": {heads[1], heads[2]}}
		require.Equal(t, want[side], marked, side)
	}
	require.Zero(t, b.count(".canvas line.life:not(.side):not(.across)"))
	legend := b.all("#diagrams .legend .item")
	require.Contains(t, legend, "one side of a,d|*: a, d")
	require.Contains(t, legend, "the other side (* is all others): b, c")
	require.Equal(t, []string{
		" cut off from b, c (partition a,d|*@1..3)", " cut off from a, d (partition a,d|*@1..3)",
		" cut off from a, d (partition a,d|*@1..3)", " cut off from b, c (partition a,d|*@1..3)",
	}, b.all(".columns .condition"))
}

// A process that is back in the round of its crash is drawn dead from the cross to the
// ring, and alive when it sends again.
func TestRestartedProcessIsAlive(t *testing.T) {
	b := open(t, ask(t, testdata+"restart/2pc_forgets.ded", 1).page)
	b.press("button", "With faults")
	require.Equal(t, 1, b.count(".canvas .life.down"))
	ring := b.number(`Number(document.querySelector('.canvas .restart').getAttribute('cy'))`)
	require.Equal(t, ring, b.number(`Number(document.querySelector('.canvas .life.down').getAttribute('y2'))`))
	require.Equal(t, 12.0, b.number(`document.querySelector('.canvas .crash').getBBox().height`))
	require.Less(t, b.number(`document.querySelector('.canvas .crash').getBBox().y`), b.number(`Number(document.querySelector('.canvas .life.down').getAttribute('y1'))`))
}

// The legend has the signs that are drawn, and no others.
func TestLegendHasWhatIsDrawn(t *testing.T) {
	for file, want := range map[string][]string{
		"restart/2pc_forgets": {"arrives", "is lost", "only in this execution", "crashes", "restarts"},
		"delivery/classic":    {"is lost", "crashes", "has crashed"},
		"partitions/half":     {"arrives", "is lost", "only in this execution", "one side of a,d|*: a, d", "the other side (* is all others): b, c"},
	} {
		b := open(t, ask(t, testdata+file+".ded", 1).page)
		b.press("button", "With faults")
		require.Equal(t, want, b.all("#diagrams .legend .item"), file)
		b.press("button", "Without faults")
		require.NotContains(t, b.all("#diagrams .legend .item"), "is lost", file)
	}
}

// Messages of a relation that differ say in what, and each arrow names the whole message.
func TestMessagesSayWhatDiffers(t *testing.T) {
	b := open(t, ask(t, testdata+"restart/2pc_forgets.ded", 1).page)
	b.press("button", "With faults")
	says := b.all(".canvas text.says")
	require.Contains(t, says, `decision("commit")`)
	require.Contains(t, says, `decision("abort")`)
	require.Contains(t, says, "vote", "its arguments are only who sends it and to whom")
	require.Contains(t, b.all(".canvas .send g title"), `decision(a, "commit") from c to a is lost (omit c>a@3)`)
	require.Equal(t, b.count(".canvas line.arrow"), b.count(".canvas line.hit"), "a pointer need not hit the line itself")
}

// What is left out of a round says that it can be shown.
func TestLeftOutCanBeShown(t *testing.T) {
	b := open(t, ask(t, testdata+"replication/kafka_isr.ded", 1).page)
	more := b.all(".canvas .more")
	require.NotEmpty(t, more)
	for _, text := range more {
		require.Regexp(t, `^▸ and \d+ more (message|send|remark)s?: showDraws all of round \d+$`, text)
	}
	require.Equal(t, "underline", b.text(`getComputedStyle(document.querySelector('.canvas .more')).textDecorationLine`))
}

// What one fault loses again and again is drawn once, as in the text; who asks for all rounds
// sees each.
func TestLostAgainAndAgain(t *testing.T) {
	isolate, omit := rounds.Fault{Kind: rounds.Isolate, Process: "a", Round: 3, Until: 40}, rounds.Fault{Kind: rounds.Omit, Process: "b", To: "c", Round: 5}
	e := &recording.Execution{System: "s", Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 40, Period: 1, CrashStop: true}, Schedule: rounds.Schedule{Faults: []rounds.Fault{isolate, omit}}}
	for round := 4; round <= 40; round += 3 {
		e.Messages = append(e.Messages, recording.Message{From: "a", To: "b", Round: round, Relation: "ask", Lost: true, Cause: isolate})
	}
	e.Messages = append(e.Messages, recording.Message{From: "b", To: "c", Round: 5, Relation: "ask", Lost: true, Cause: omit})
	for round := 11; round <= 20; round++ {
		e.Messages = append(e.Messages, recording.Message{From: "c", To: "a", Round: round, Relation: "http", Args: []specs.Value{specs.String("a"), specs.String(fmt.Sprint("PUT /", round))}, Lost: true, Cause: isolate})
	}
	e.Sort()
	p := report.NewPage("s", "ldfi run", e.Bounds)
	p.Plain, p.Verdict = -1, result.Violated
	p.Sets = []report.Set{{Schedule: e.Schedule.String(), Size: 2, World: p.AddExecution(e, nil)}}
	b := open(t, p)
	require.Equal(t, 6, b.count(".canvas line.arrow.lost"))
	require.Contains(t, fmt.Sprint(b.all(".canvas text")), "isolate a@3..40 (13 times, rounds 4 to 40)")
	require.Contains(t, fmt.Sprint(b.all(".canvas text")), "isolate a@3..40 (then 6 more of its kind, until round 20)")
	require.NotContains(t, fmt.Sprint(b.all(".canvas text")), "omit b>c@5 (")
	b.press("summary", "What is drawn")
	b.press("label", "rounds like the one before")
	require.Equal(t, 24, b.count(".canvas line.arrow.lost"))
	require.NotContains(t, fmt.Sprint(b.all(".canvas text")), "13 times")
}
