package rounds_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// documented returns the rows of the table of all forms in docs/faults.md.
func documented(t testing.TB) (texts, keys []string, ofSystems []bool) {
	t.Helper()
	page, err := os.ReadFile("../docs/faults.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(page), "## All forms")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	programs, systems, ok := strings.Cut(section, "Systems only:")
	require.True(t, ok)
	for of, table := range []string{programs, systems} {
		for _, row := range regexp.MustCompile("(?m)^\\| `(.*?)` \\|.*\\| (.*?) ?\\|$").FindAllStringSubmatch(table, -1) {
			texts = append(texts, strings.ReplaceAll(row[1], `\|`, "|"))
			keys = append(keys, row[2])
			ofSystems = append(ofSystems, of == 1)
		}
	}
	return texts, keys, ofSystems
}

// Each form that the documentation shows is parsed and printed, and has the bounds that
// stand beside it.
func TestDocumentedForms(t *testing.T) {
	texts, keys, ofSystems := documented(t)
	four := rounds.Bounds{Processes: []string{"a", "b", "c", "p"}, EOT: 40}
	input, err := rounds.ParseSchedule(`choose submit("n2")@1`)
	require.NoError(t, err)
	four.Choose = []rounds.Choice{{Mode: "maybe", Of: input.Faults}}
	require.Len(t, texts, 28)
	for i, text := range texts {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err, text)
		require.Equal(t, text, s.String())
		require.Equal(t, s, s.Normal())
		settings, systems := rounds.SettingKeys()
		for _, key := range strings.FieldsFunc(keys[i], func(r rune) bool { return strings.ContainsRune("`, ", r) }) {
			require.Contains(t, slices.Concat(settings, systems), key)
		}
		if ofSystems[i] {
			require.ErrorContains(t, s.CheckProgram(), "a Dedalus program has no")
		} else {
			require.NoError(t, s.Check(four))
			require.NoError(t, s.CheckProgram())
		}
	}
}

func TestFormsThatReadOtherwise(t *testing.T) {
	for text, printed := range map[string]string{
		"partition b , a | * @ 5..8":             "partition a,b|*@5..8",
		"partition *|c,b@5":                      "partition b,c|*@5",
		"partition c,d|a,b@1..2":                 "partition a,b|c,d@1..2",
		"partition a|*@5..8":                     "isolate a@5..8",
		"partition *|a@5..8":                     "isolate a@5..8",
		"partition b,c|a@5":                      "partition a|b,c@5",
		"crash x/y@3/kept":                       "crash x/y@3/kept",
		"order b@5 c , a":                        "order b@5 c,a",
		"choose write(\"a;)@\", 3)@2; crash a@1": "choose write(\"a;)@\", 3)@2; crash a@1",
		"choose  p( a,007 , -5)@ 2":              "choose p(\"a\", 7, -5)@2",
		"choose p()@2":                           "choose p()@2",
		"delay a>b@2 + 2":                        "delay a>b@2+2",
		"delay a>b@2 / Vote +2":                  "delay a>b@2/Vote+2",
		"omit a/b>c@2..3/Vote#2#3":               "omit a/b>c@2/Vote#2; omit a/b>c@3/Vote#2",
		"omit a>b@2/Vote# why\n; crash a@1":      "omit a>b@2/Vote; crash a@1",
		`cut a>b@3..8/"Vote"`:                    "cut a>b@3..8/Vote",
		`omit a>b@2/"a\"b\x1b;#"#12`:             `omit a>b@2/"a\"b\x1b;#"#12`,
		`duplicate a>b@2/"PUT /kv"#2+1`:          `duplicate a>b@2/"PUT /kv"#2+1`,
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err, text)
		require.Equal(t, printed, s.String())
		again, err := rounds.ParseSchedule(printed)
		require.NoError(t, err)
		require.Equal(t, s, again)
	}
	for text, wrong := range map[string]string{
		"partition a,b|b,c@1":              "b is on both sides",
		"partition a,a|*@1":                "a is named twice",
		"partition *|*@1":                  "* is on both sides",
		"partition a,b@1":                  `expected "|" and the other side`,
		"crash a@1/":                       "expected a point within the round",
		"crash a@1/torn/x":                 "after / stand a point within the round and what the disk keeps",
		"crash a@1/x/y":                    "after / stand a point within the round and what the disk keeps",
		"delay a>b@2":                      `expected "+" and how much later`,
		"delay a>b@2..3+1":                 "delay has one round",
		"delay a>b@2+0":                    "column 13: 0: what comes later comes 1 to 1000000 later",
		"omit a>b@2/":                      `column 12: expected a kind of message after "/", as in omit a>b@2/Vote, and found the end`,
		"omit a>b@2/#1":                    `expected a kind of message after "/"`,
		"omit a>b@2/x/y":                   `expected ";" and the next fault, and found "/y"`,
		"omit a>b@2/PUT /kv":               `expected ";" and the next fault, and found "/kv"`,
		`omit a>b@2/"PUT`:                  "in quotes, as in omit a>b@2/\"PUT /kv\", and found no end of it",
		`omit a>b@2/""`:                    `expected a kind of message, and found ""`,
		"omit a>b@2/Vote#0":                "column 17: 0: the messages of a kind count from 1, to at most 1000000",
		"delay a>b@2+1/Vote":               `expected ";" and the next fault, and found "/Vote"`,
		"isolate a@2/Vote":                 `expected ";" and the next fault, and found "/Vote"`,
		"cut a@2":                          `expected ">" and the receiver, as in cut a>b@2`,
		"order b@5":                        "expected the senders in their order",
		"choose submit@1":                  `expected ")" at the end of a fact`,
		`choose p("a@1`:                    "a string without an end",
		"choose p(1 2)@1":                  `"," or ")" in a fact`,
		"choose p(1,)@1":                   "expected a value of a fact",
		"choose p(1)@1..2":                 "choose has one round",
		"choose p(99999999999999999999)@1": "99999999999999999999 does not fit in 64 bits",
	} {
		_, err := rounds.ParseSchedule(text)
		require.ErrorContains(t, err, wrong, text)
	}
}

// A partition is checked against the processes, and one of a single process
// against the rest is an isolation.
func TestPartitions(t *testing.T) {
	of := func(sides string) rounds.Schedule {
		return rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Partition, Detail: sides, Round: 1, Until: 2}}}
	}
	for sides, want := range map[string]string{
		"a,x|*":     `schedule: partition a,x|*@1..2: there is no process "x": the processes are a, b, c, d`,
		"a,b|c,b":   "schedule: partition a,b|c,b@1..2: b is named twice",
		"a,b|c":     "schedule: partition a,b|c@1..2: d is on neither side; * is the rest",
		"a|b,c,d":   "schedule: partition a|b,c,d@1..2: one process against the rest is an isolation; write isolate a@1..2",
		"a,b,c,d|*": "schedule: partition a,b,c,d|*@1..2: all processes are on one side; * is the rest, and there is none",
		"a,b,c|*":   "schedule: partition a,b,c|*@1..2: one process against the rest is an isolation; write isolate d@1..2",
	} {
		require.EqualError(t, of(sides).Check(rounds.Bounds{Processes: []string{"a", "b", "c", "d"}, EOT: 3}), want)
	}
	parsed, err := rounds.ParseSchedule("partition a|b@1")
	require.NoError(t, err)
	require.EqualError(t, parsed.Check(rounds.Bounds{Processes: three, EOT: 3}), "schedule: partition a|b@1: c is on neither side; * is the rest")
	require.Equal(t, "isolate a@1..2", of("a|*").Normal().String())
	require.Equal(t, "partition a,b|c@1..2", of("a,b|c").Normal().String())
	require.Equal(t, "partition a,b|*@1..2", of("a,b|*").Normal().String())
}

// What is wrong with a very long schedule is said without all of it.
func TestErrorOfALongSchedule(t *testing.T) {
	_, err := rounds.ParseSchedule("crash a@0" + strings.Repeat("; crash b@1", 100_000))
	require.EqualError(t, err, "schedule: column 9: 0 is no round: rounds count from 1, to at most 1000000")
}
