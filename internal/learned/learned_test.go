package learned_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/learned"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// small is a table of one process and one round, in which it says something of every
// kind.
func small(text string) *learned.Learned {
	return &learned.Learned{
		Table: &learned.Table{
			Processes: []string{"a"}, States: [][]string{{text, text + "2", text}}, Starts: []int{0},
			Messages: [][]learned.Message{{}, {{Kind: text, Text: text}}},
			Facts:    []recording.Fact{{Relation: text, Args: []specs.Value{specs.String("a"), specs.String(text)}}},
			Sets:     [][]int{{}, {0}},
			Sends:    []learned.Send{{Round: 1, To: []int{1}}},
			Steps:    []learned.Step{{Round: 1, From: []int{1}, Next: 1, Set: 1}},
		},
		Answer: &result.Answer{Verdict: result.Holds, Search: &result.Search{}},
	}
}

func source(text string, properties ...property.Property) learned.Source {
	return learned.Source{Command: text, System: text, Bounds: rounds.Bounds{Processes: []string{"a"}, EOT: 1}, Properties: properties}
}

// Whatever the names of a system are, they stay names: no statement comes of them, and no
// line of a comment ends.
func TestForeignTextStaysText(t *testing.T) {
	want := statements(t, "plain")
	for _, text := range []string{
		`x"); violation("y")@1; //`, "x\nviolation(\"y\")@1;", "*/ violation(1)@1; /*", "\x1b[2J", "", "-", "violation", "at", "step", "crash", "count",
		"\u202e", strings.Repeat("long ", 100), "é", "include \"/etc/passwd\";", "::error::x", string([]byte{0xff, 0xfe}),
	} {
		require.Equal(t, want, statements(t, text), "%q", text)
	}
}

// statements counts the rules and the facts of what is written with a text in it.
func statements(t *testing.T, text string) [2]int {
	t.Helper()
	p, err := small(text).Write(source(text, rules.New(text+"p", `violation(P) :- never(P, _).`)))
	require.NoError(t, err, "%q", text)
	program, err := dedalus.ParseText("learned", p.Text)
	require.NoError(t, err, "%q", text)
	return [2]int{len(program.Rules), len(program.Facts)}
}

// A property that no program can have is named, and so is one that a search judges later.
func TestWhatIsLeftOut(t *testing.T) {
	function := property.Property{Name: "by hand", Func: func(*recording.Execution) []result.Violation { return nil }}
	p, err := small("x").Write(source("host", function, rules.New("sent", `violation(P) :- sent(P, _, _, _, _).`), rules.New("done", `pre(P) :- process(P). post(P) :- x(P, _, _).`)))
	require.NoError(t, err)
	require.Equal(t, []string{`the property "by hand" is a function`, `the property "sent" reads sent, which no process reports`}, p.Left)
	require.Equal(t, []string{"done"}, p.Late)
	for _, line := range []string{`// NOT promised: the property "by hand" is a function`, "// judged at the end: done; "} {
		require.Contains(t, p.Text, line)
	}
}

// Numbers that name nothing are reported, whichever they are.
func TestCheck(t *testing.T) {
	require.NoError(t, small("x").Table.Check([]string{"a"}, 1))
	for _, spoil := range []func(*learned.Table){
		func(t *learned.Table) { t.Processes = nil },
		func(t *learned.Table) { t.States = nil },
		func(t *learned.Table) { t.Starts = []int{3} },
		func(t *learned.Table) { t.Starts = []int{-1} },
		func(t *learned.Table) { t.Messages = nil },
		func(t *learned.Table) { t.Messages = t.Messages[1:] },
		func(t *learned.Table) { t.Sets = [][]int{{}, {1}} },
		func(t *learned.Table) { t.Sends[0].To = []int{2} },
		func(t *learned.Table) { t.Sends[0].To = nil },
		func(t *learned.Table) { t.Sends[0].Process = 1 },
		func(t *learned.Table) { t.Steps[0].Round = 2 },
		func(t *learned.Table) { t.Steps[0].Round = 0 },
		func(t *learned.Table) { t.Steps[0].State = -1 },
		func(t *learned.Table) { t.Steps[0].Next = 3 },
		func(t *learned.Table) { t.Steps[0].Set = 2 },
		func(t *learned.Table) { t.Steps[0].From = []int{1, 1} },
	} {
		table := small("x").Table
		spoil(table)
		require.Error(t, table.Check([]string{"a"}, 1))
	}
}
