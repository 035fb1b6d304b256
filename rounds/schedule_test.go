package rounds_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func TestParseSchedule(t *testing.T) {
	for _, test := range []struct{ text, printed, normal string }{
		{"", "", ""},
		{"none", "", ""},
		{" # why\n none # at all\n", "", ""},
		{"none; crash a@2", "", "error"},
		{"  ;", "", "error"},
		{"crash a@2; omit a>c@1", "crash a@2; omit a>c@1", "crash a@2; omit a>c@1"},
		{"omit a>c@1;crash  a @ 2 ;\n", "omit a>c@1; crash a@2", "crash a@2; omit a>c@1"},
		{"isolate p3@5..8; omit a>b@2; crash C@4; restart C@7", "isolate p3@5..8; omit a>b@2; crash C@4; restart C@7", "crash C@4; restart C@7; isolate p3@5..8; omit a>b@2"},
		{"pause b@3..4; seed 7; omit a>b@1; ticks 3; pause b@4..6; pause a@2", "seed 7; ticks 3; pause b@3..4; omit a>b@1; pause b@4..6; pause a@2", "seed 7; ticks 3; pause a@2; pause b@3..6; omit a>b@1"},
		{"seed 18446744073709551615;crash a@1;restart a@1;crash a@2", "seed 18446744073709551615; crash a@1; restart a@1; crash a@2", "seed 18446744073709551615; crash a@1; crash a@2; restart a@1"},
		{"omit a>b@2..4", "omit a>b@2; omit a>b@3; omit a>b@4", "omit a>b@2; omit a>b@3; omit a>b@4"},
		{"failsync a@2..4", "failsync a@2; failsync a@3; failsync a@4", "failsync a@2; failsync a@3; failsync a@4"},
		{"isolate a@5..5; isolate a@5; omit b>a@1; omit b>a@1", "isolate a@5; isolate a@5; omit b>a@1; omit b>a@1", "isolate a@5; omit b>a@1"},
		{"isolate a@3..4; isolate a@1..3; isolate a@5; isolate b@2", "isolate a@3..4; isolate a@1..3; isolate a@5; isolate b@2", "isolate a@1..4; isolate b@2; isolate a@5"},
		{"# why: x\n  # and\ncrash a@2; # first\n omit a>c@1# second; crash b@1\n# end", "crash a@2; omit a>c@1", "crash a@2; omit a>c@1"},
		{"crash #a@2; crash a@1/#x", "crash #a@2; crash a@1/#x", "crash a@1/#x; crash #a@2"},
		{"#", "", ""},
		{"latency b>a 2 , a>b 0;start b@7; crash a@2; start a@1", "start a@1,b@7; latency a>b 0,b>a 2; crash a@2", "start a@1,b@7; latency a>b 0,b>a 2; crash a@2"},
		{"crash a@1;requests 9 , 3..5,4..6", "requests 3..6,9; crash a@1", "requests 3..6,9; crash a@1"},
		{"requests 1,2; requests 1..2", "requests 1..2", "requests 1..2"},
		{"requests none", "requests none", "requests none"},
		{"crash crash@1; omit 1>2@3; isolate x..y@4..5; crash a-b_?.@1", "crash crash@1; omit 1>2@3; isolate x..y@4..5; crash a-b_?.@1", "crash a-b_?.@1; crash crash@1; isolate x..y@4..5; omit 1>2@3"},
	} {
		s, err := rounds.ParseSchedule(test.text)
		if test.normal == "error" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, test.text)
		require.Equal(t, test.printed, s.String())
		require.Equal(t, test.normal, s.Normal().String())
	}
}

func TestParseScheduleErrors(t *testing.T) {
	var report strings.Builder
	for _, text := range []string{
		"crsh a@2", "cash a@2", "a@2", ";", "crash a@2;;", "crash", "crash a", "crash a@", "crash a@x", "crash a@0", "crash a@-1",
		"crash a@99999999999999999999", "crash a@1..2", "crash a@2 crash b@3", "crash a@2, crash b@3", "omit a@2", "omit a>@2",
		"omit a>b", "omit a>b@4..2", "omit a>b@1..", "omit >b@1", "isolate a@5.8", "isolate é@x", "crash a@1; omit a > b @ 2 ..", "crash \xff@1",
		"crash a@1;\nomit b", "crash \"a\"@1", "seed", "seed x", "seed 99999999999999999999", "seed 1..2", "ticks 3@2", "pause a", "restart a@1..2",
		"seed 1; crash a@1; seed 2", "seed 1 from", "seed 9 from x", "seed 9 from 0", "seed 9 from 3; seed 9 from 4", "goroutines", "ticks 1; ticks 0", "sed 7",
		"start", "start a", "start a@0", "start a@2; start a@3", "latency a", "latency a>b", "latency a>b@1", "latency a>b 3", "latency a>b 1,", "latency a>b 1; latency a>b 2", "start *@1",
		"requests", "requests 0", "requests a", "requests 3..2", "requests 1..", "requests 1;requests 2", "requests 100001", "requests 1..100000,5",
	} {
		_, err := rounds.ParseSchedule(text)
		require.Error(t, err, text)
		report.WriteString(err.Error() + "\n\n")
	}
	golden.Equal(t, "schedule/errors.txt", []byte(report.String()))

	for _, text := range []string{"omit a>b@1..1000000", strings.Repeat("omit a>b@1..60000;", 2)} {
		_, err := rounds.ParseSchedule(text)
		require.ErrorContains(t, err, "at most 100000 faults")
	}
}

func TestScheduleCheck(t *testing.T) {
	for text, message := range map[string]string{
		"crash alise@1":              `schedule: crash alise@1: there is no process "alise" (did you mean "alice"?): the processes are alice, bob`,
		"omit alice>z@1":             `schedule: omit alice>z@1: there is no process "z": the processes are alice, bob`,
		"omit bob>bob@1":             `schedule: omit bob>bob@1: a message from a process to itself is never lost`,
		"crash bob@5":                `schedule: crash bob@5: there is no round 5, the rounds are 1 to 4 (eot=4)`,
		"isolate bob@3..9":           `schedule: isolate bob@3..9: there is no round 9, the rounds are 1 to 4 (eot=4)`,
		"crash bob@1; crash bob@3":   `schedule: crash bob@3: bob has crashed in round 1 already`,
		"start bo@1":                 `schedule: start bo@1: there is no process "bo" (did you mean "bob"?): the processes are alice, bob`,
		"latency bob>bob 1":          `schedule: latency bob>bob 1: what a process sends itself is never late`,
		"restart bob@1":              `schedule: restart bob@1: bob has not crashed before; write for example crash bob@1; restart bob@1`,
		"crash bob@3; restart bob@2": `schedule: restart bob@2: bob has not crashed before; write for example crash bob@1; restart bob@2`,
		"crash bob@1; restart bob@2; restart bob@3": `schedule: restart bob@3: bob has restarted in round 2 already`,
		"crash bob@1; restart bob@3; crash bob@2":   `schedule: crash bob@2: bob has crashed in round 1 already`,
		"pause bob@3..5": `schedule: pause bob@3..5: there is no round 5, the rounds are 1 to 4 (eot=4)`,
		"ticks 1000001":  `schedule: ticks 1000001: there are at most 1000000 ticks in a round`,
		"restart bob@2; crash bob@1; pause alice@2..3; seed 1; ticks 2; crash bob@3; restart bob@3; seed 1": "",
		"crash bob@1; crash bob@1; crash alice@4; isolate alice@1..4; omit bob>alice@4":                     "",
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		err = s.Check(rounds.Bounds{Processes: []string{"alice", "bob"}, EOT: 4})
		if message == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, message)
		}
	}
	require.Error(t, rounds.Schedule{Faults: []rounds.Fault{{Kind: 99, Process: "a", Round: 1}}}.Check(rounds.Bounds{Processes: three, EOT: 1}))
	require.Error(t, rounds.Schedule{Faults: []rounds.Fault{{Kind: -1, Process: "a", Round: 1}}}.Check(rounds.Bounds{Processes: three, EOT: 1}))
}

func TestScheduleSettings(t *testing.T) {
	s, err := rounds.ParseSchedule("crash a@1; seed 7; restart a@2")
	require.NoError(t, err)
	require.Equal(t, 2, s.Size())
	require.Equal(t, rounds.Settings{Seed: rounds.Set(7)}, s.Settings)
	require.Equal(t, "seed 8; crash a@1; restart a@2", s.With(rounds.Settings{Seed: rounds.Set(8)}).String())
	require.Equal(t, "seed 7; ticks 0; crash a@1; restart a@2", s.With(rounds.Settings{Ticks: rounds.Set(0)}).String())
	all := "seed 7; seed 9 from 36; ticks 0; goroutines 1"
	s, err = rounds.ParseSchedule(all)
	require.NoError(t, err)
	require.Equal(t, all, s.String())
	require.Zero(t, s.Size())
	require.Equal(t, "seed 1; seed 2 from 3; ticks 0; goroutines 1", s.With(rounds.Settings{Seed: rounds.Set(1), Reseed: rounds.Set(2), ReseedFrom: 3}).String())
	require.Equal(t, s, rounds.Schedule{}.With(s.Settings))

	text, err := s.Settings.MarshalText()
	require.NoError(t, err)
	var again rounds.Settings
	require.NoError(t, again.UnmarshalText(text))
	require.Equal(t, s.Settings, again)
	require.EqualError(t, again.UnmarshalText([]byte("seed 7; crash a@1")), "settings: crash a@1 is a fault; the settings are seed, ticks, goroutines, reliable, start, latency and requests")
	require.Error(t, again.UnmarshalText([]byte("sed 7")))
}

func TestScheduleCheckProgram(t *testing.T) {
	for text, message := range map[string]string{
		"crash a@1; isolate b@2; omit a>b@1": "",
		"crash a@1; restart a@2":             "",
		"pause a@1..2":                       "schedule: pause a@1..2: a Dedalus program has no pauses; only systems written in Go do",
		"seed 7":                             "schedule: seed 7: a Dedalus program has no random choices, and so no seed",
		"seed 7 from 2":                      "schedule: seed 7 from 2: a Dedalus program has no random choices, and so no seed",
		"ticks 3":                            "schedule: ticks 3: a Dedalus program has no timers, and so no ticks",
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		if err = s.CheckProgram(); message == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, message)
		}
	}
}

func FuzzParseSchedule(f *testing.F) {
	for _, text := range []string{
		"", "crash a@2; omit a>c@1", "isolate p3@5..8; omit a>b@2; crash C@4; restart C@7", "omit a>b@2..4;", "crsh a@2", "omit a>", "\xff", "isolate 参@1..3",
		"seed 7; ticks 3; crash a@1; restart a@2; pause b@1..3", "seed", "ticks x", "seed 99999999999999999999", "pause a", "# \ncrash a@2 # x",
	} {
		f.Add(text)
	}
	texts, _, _ := documented(f)
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := rounds.ParseSchedule(text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		again, err := rounds.ParseSchedule(s.String())
		require.NoError(t, err)
		require.Equal(t, s, again)
		normal := s.Normal()
		require.Equal(t, normal, normal.Normal())
		_ = s.Check(rounds.Bounds{Processes: three, EOT: 9})
	})
}
