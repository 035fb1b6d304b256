package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// told is a finding of a server n1 and a client c under a schedule.
func told(t *testing.T, schedule string, facts []recording.Fact, messages []recording.Message) *report.Finding {
	s, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	exit := fact(40, "exit", "c", "1")
	return &report.Finding{Ldfi: "v1", Tick: "10ms", Replay: "ldfi inject kv.yaml --faults 'crash n1@20'",
		Execution: &recording.Execution{System: "kv", Schedule: s, Facts: append(facts, exit), Messages: messages,
			Bounds: rounds.Bounds{Processes: []string{"n1", "n2", "c"}, EOT: 60, Crashes: 1, CrashStop: true}},
		Broken: []result.Violation{{Property: "clients succeed", Text: "c ends with status 1: x is lost", Fact: exit}},
	}
}

// Of processes that send and receive nothing is told that only programs have.
func TestFindingOfASystem(t *testing.T) {
	f := told(t, "crash n1@2; restart n1@4", nil, []recording.Message{sent(3, "n2", "n1", "vote", "yes")})
	f.Tick, f.Execution.Facts = "", []recording.Fact{fact(3, "leader", "n2", "7")}
	require.False(t, f.Servers())
	var text strings.Builder
	require.NoError(t, f.WriteMarkdown(&text))
	for _, line := range []string{
		"- found by: ldfi v1, which repeats the execution exactly", "## What fails",
		"- n1 crashes in round 2", "- n1 starts again in round 4",
		"Facts and messages by round. Lines of one round are in no order of time.",
		"     3  n2       leader(n2, \"7\")", "     3  n2 → n1  vote yes",
	} {
		require.Contains(t, text.String(), line+"\n")
	}
	f.Execution.Bounds.Disks = true
	require.True(t, f.Servers())
}

func fact(round int, relation string, args ...string) recording.Fact {
	f := recording.Fact{Relation: relation, Round: round}
	for _, a := range args {
		f.Args = append(f.Args, specs.String(a))
	}
	return f
}

func sent(round int, from, to, kind, says string) recording.Message {
	return recording.Message{From: from, To: to, Round: round, Relation: kind, Args: []specs.Value{specs.String(to), specs.String(says)}}
}

// A maintainer reads what fails, what the servers log and say until something is broken,
// and how to repeat it. Connections, heartbeats and what is like something else are counted.
func TestFinding(t *testing.T) {
	crash := rounds.Fault{Kind: rounds.Crash, Process: "n1", Round: 20, Detail: "call2"}
	lost := func(round int) recording.Message {
		m := sent(round, "c", "n1", "http", "GET /x")
		m.Lost, m.Cause = true, crash
		return m
	}
	messages := []recording.Message{
		sent(1, "c", "n1", "tcp", "dial :80"), sent(5, "c", "n1", "http", "PUT /x: 1"), sent(6, "n1", "n2", "nats", "PING"),
		sent(6, "n1", "n2", "nats", "PUB x"), sent(6, "n1", "c", "nats", "PUB x"),
		sent(7, "n1", "n2", "tcp", "12 bytes 0123abcd"), sent(7, "n1", "c", "http", "200 OK"),
		sent(45, "c", "n1", "http", "GET /later"),
	}
	for round := 30; round < 36; round++ {
		messages = append(messages, lost(round))
	}
	facts := []recording.Fact{
		fact(5, "log", "n1", "info", "stored", "key", "x"), fact(5, "log", "n1", "info", "stored", "value", "1"), fact(5, "up", "n1"),
		fact(25, "file_lost", "n1", "/data/x"), fact(25, "log", "n1", "warn", "no file", "", ""), fact(40, "log", "c", "", "x is `lost`", "", ""),
	}
	f := told(t, "crash n1@20/call2; restart n1@25", facts, messages)
	f.Because = []string{"n1 has stopped"}
	f.Scope = "3 processes"
	f.Programs = []report.Field{{Name: "server n", Lines: []string{"example.com/kv@v1.2.3"}}}
	f.Requests = []string{"put x 1"}
	f.Attached = []report.Attached{{Name: "load", Language: "go", Lines: []string{"package main", "\tx ```"}}, {Name: "check", Left: "has 200 lines, and is not here"}}
	var text strings.Builder
	require.NoError(t, f.WriteMarkdown(&text))
	require.Equal(t, strings.ReplaceAll(`# clients succeed: c ends with status 1: x is lost

- server n: example.com/kv@v1.2.3
- found by: ldfi v1, which executes the programs as they are, with a virtual clock, network and disk, and repeats the execution exactly
- within: 3 processes

## What fails around the servers

- n1 is killed in round 20, before operation 2 on files, and what it had not synced is lost
- n1 starts again in round 25, with what is on its disk

## What is expected, and what happens

- expected: each client finds what it was promised, and ends with status 0
- what happens: 'c ends with status 1: x is lost'

Beside the execution without faults:

'''text
n1 has stopped
'''

## The sequence

Lines of logs and messages by round, of 10ms each. Lines of one round are in no order of time.

'''text
     5  n1          info stored key=x value=1
     5  c → n1      PUT /x: 1
     6  n1 → n2, c  PUB x
     7  n1 → c      200 OK
    20              ✗ n1 is killed in round 20, before operation 2 on files, and what it had not synced is lost
    25              ✗ n1 starts again in round 25, with what is on its disk
    25  n1          starts without what was in /data/x before the crash
    25  n1          warn no file
    30  c → n1      GET /x   lost: crash n1@20/call2
    31  c → n1      GET /x   lost: crash n1@20/call2   (and 3 more)
    35  c → n1      GET /x   lost: crash n1@20/call2
    40  c           x is 'lost'
    40  c           ✗ ends with status 1
       ⋮  1 later line

left out where they are: 3 lines that others are like
left out: 3 messages of connections that open and close, of heartbeats, or not decoded
'''

## How to repeat it

'''sh
ldfi inject kv.yaml --faults "crash n1@20"
'''

The requests that are left:

'''text
put x 1
'''

<details><summary>load (2 lines)</summary>

''''go
package main
    x '''
''''

</details>

'check' has 200 lines, and is not here.
`, "'", "`"), strings.ReplaceAll(text.String(), "'crash n1@20'", `"crash n1@20"`))
}

// Each kind of fault is told in a sentence.
func TestFaultsInWords(t *testing.T) {
	for schedule, want := range map[string]string{
		"crash n1@3/kept":       "n1 is killed in round 3, and its disk keeps all that it wrote",
		"crash n1@3/call1/torn": "n1 is killed in round 3, before operation 1 on files, and of what it had not synced its disk keeps a part",
		"crash n1@3/saved":      "n1 is killed in round 3, at the point saved, and what it had not synced is lost",
		"isolate n1@5..8":       "n1 exchanges nothing with others in rounds 5 to 8",
		"omit n1>n2@5":          "what n1 sends n2 in round 5 is lost",
		"cut n1>n2@5..8":        "what n1 sends n2 in rounds 5 to 8 is lost",
		"partition n1,n2|*@5":   "n1, n2 on one side and all others on the other exchange nothing in round 5",
		"delay n1>n2@5+1":       "what n1 sends n2 in round 5 arrives 1 round later",
		"duplicate n1>n2@5+2":   "what n1 sends n2 in round 5 arrives once more 2 rounds later",
		"pause n1@5..8":         "n1 stands still in rounds 5 to 8",
		"fast n1@5..8":          "the clock of n1 runs fast in rounds 5 to 8",
		"slow n1@5..8":          "the clock of n1 runs slow in rounds 5 to 8",
		"jump n1@5+30":          "the clock of n1 jumps ahead in round 5, by 30 rounds",
		"failsync n1@9":         "syncs of n1 fail in round 9, and what they were to make durable never is",
		"terminate n1@5..8":     "n1 gets SIGTERM in round 5, and starts again in round 9",
		"order n1@5 n3,n2":      "what others send n1 in round 5 comes in the order n3,n2",
		"start n1@5":            "nothing: it breaks without faults|programs do not start at the same time, and what is sent on a link arrives up to 2 rounds later, always the same",
		"":                      "nothing: it breaks without faults",
	} {
		require.Equal(t, want, strings.Join(told(t, schedule, nil, nil).Faults(), "|"))
	}
}

// However much happens, and whatever it says, the text of the issue is short, and what is
// left out is counted.
func TestLongFinding(t *testing.T) {
	var messages []recording.Message
	facts := []recording.Fact{fact(26, "log", "n1", "info", "up again", "", "")}
	for round := 1; round < 40; round++ {
		for _, x := range "abcdef" {
			messages = append(messages, sent(round, "c", "n1", "http", "GET /"+strings.Repeat(string(x), round)+"\x1b[2J\n</details>"))
		}
	}
	f := told(t, "crash n1@20", facts, messages)
	lines := f.Sequence()
	require.Len(t, lines, 79)
	require.Contains(t, lines[0], "⋮  106 earlier lines")
	require.Contains(t, lines[26], "⋮  20 lines")
	require.Equal(t, "    26  n1      info up again", lines[27])
	require.Contains(t, lines[28], "⋮  35 lines")
	var text strings.Builder
	f.Broken[0].Text, f.Execution.System = "a `b` <script> *c*", "kv"
	require.NoError(t, f.WriteMarkdown(&text))
	require.NotContains(t, text.String(), "\x1b")
	require.Contains(t, text.String(), "# clients succeed: a 'b' &lt;script> \\*c\\*\n")
	f.Broken = slices.Repeat(f.Broken, 21)
	text.Reset()
	require.NoError(t, f.WriteMarkdown(&text))
	require.Equal(t, 3, strings.Count(text.String(), "- what happens: "), "a rule that is broken in each round is told some times")
	require.Contains(t, text.String(), "- and 18 more of these\n")
	require.Equal(t, 1, strings.Count(text.String(), "- expected: "))
	f.Broken = nil
	text.Reset()
	require.NoError(t, f.WriteMarkdown(&text))
	require.Contains(t, text.String(), "# kv under crash n1@20\n")
	require.Contains(t, text.String(), "This recording does not say which promise is broken.")
}
