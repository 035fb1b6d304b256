package rounds_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
)

func TestParseSchedule(t *testing.T) {
	for _, test := range []struct{ text, printed, normal string }{
		{"", "", ""},
		{"  ;", "", "error"},
		{"crash a@2; omit a>c@1", "crash a@2; omit a>c@1", "crash a@2; omit a>c@1"},
		{"omit a>c@1;crash  a @ 2 ;\n", "omit a>c@1; crash a@2", "crash a@2; omit a>c@1"},
		{"isolate p3@5..8; omit a>b@2; crash C@4; restart C@7", "isolate p3@5..8; omit a>b@2; crash C@4; restart C@7", "crash C@4; isolate p3@5..8; omit a>b@2; restart C@7"},
		{"omit a>b@2..4", "omit a>b@2; omit a>b@3; omit a>b@4", "omit a>b@2; omit a>b@3; omit a>b@4"},
		{"isolate a@5..5; isolate a@5; omit b>a@1; omit b>a@1", "isolate a@5; isolate a@5; omit b>a@1; omit b>a@1", "isolate a@5; omit b>a@1"},
		{"isolate a@3..4; isolate a@1..3; isolate a@5; isolate b@2", "isolate a@3..4; isolate a@1..3; isolate a@5; isolate b@2", "isolate a@1..4; isolate b@2; isolate a@5"},
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
		"crash a@1;\nomit b", "crash \"a\"@1",
	} {
		_, err := rounds.ParseSchedule(text)
		require.Error(t, err, text)
		report.WriteString(err.Error() + "\n\n")
	}
	golden(t, "schedule/errors.txt", []byte(report.String()))

	for _, text := range []string{"omit a>b@1..1000000", strings.Repeat("omit a>b@1..60000;", 2)} {
		_, err := rounds.ParseSchedule(text)
		require.ErrorContains(t, err, "at most 100000 faults")
	}
}

func TestScheduleCheck(t *testing.T) {
	for text, message := range map[string]string{
		"crash alise@1":            `schedule: crash alise@1: there is no process "alise" (did you mean "alice"?): the processes are alice, bob`,
		"omit alice>z@1":           `schedule: omit alice>z@1: there is no process "z": the processes are alice, bob`,
		"omit bob>bob@1":           `schedule: omit bob>bob@1: a message from a process to itself is never lost`,
		"crash bob@5":              `schedule: crash bob@5: there is no round 5, the rounds are 1 to 4 (eot=4)`,
		"isolate bob@3..9":         `schedule: isolate bob@3..9: there is no round 9, the rounds are 1 to 4 (eot=4)`,
		"crash bob@1; crash bob@3": `schedule: crash bob@3: bob has crashed in round 1 already`,
		"restart bob@1":            `schedule: restart bob@1: restart is not supported for Dedalus programs`,
		"crash bob@1; crash bob@1; crash alice@4; isolate alice@1..4; omit bob>alice@4": "",
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		err = s.Check([]string{"alice", "bob"}, 4)
		if message == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, message)
		}
	}
	require.Error(t, rounds.Schedule{{Kind: 7, Process: "a", Round: 1}}.Check(three, 1))
	require.Error(t, rounds.Schedule{{Kind: -1, Process: "a", Round: 1}}.Check(three, 1))
}

func TestScheduleWithin(t *testing.T) {
	omissions := rounds.Bounds{Processes: three, EOT: 8, EFF: 4, Crashes: 1, Omissions: 2}
	isolations := rounds.Bounds{Processes: three, EOT: 8, EFF: 8, Isolations: 2, Period: 4}
	for _, test := range []struct {
		bounds  rounds.Bounds
		text    string
		message string
	}{
		{omissions, "crash a@8; omit a>b@1; omit a>b@3", ""},
		{omissions, "crash a@1; crash b@1", "schedule: 2 crashes, where the bounds allow 1 (crashes=1): crash a@1; crash b@1"},
		{omissions, "omit a>b@1..3", "schedule: 3 omissions, where the bounds allow 2 (omissions=2): omit a>b@1; omit a>b@2; omit a>b@3"},
		{omissions, "omit a>b@4", "schedule: omit a>b@4: messages can be lost only in rounds before 4 (eff=4)"},
		{omissions, "isolate a@1", "schedule: 1 isolation, where the bounds allow 0 (isolations=0): isolate a@1"},
		{omissions, "crash x@1", `schedule: crash x@1: there is no process "x": the processes are a, b, c`},
		{isolations, "isolate a@2..4; isolate b@7", ""},
		{isolations, "isolate a@2..7", ""},
		{isolations, "isolate a@2..3; isolate a@4", ""},
		{isolations, "isolate a@1..7; isolate b@1..4", "schedule: 3 isolations, where the bounds allow 2 (isolations=2): isolate a@1..7; isolate b@1..4"},
		{isolations, "isolate a@2", "schedule: isolate a@2: an isolation lasts until its phase ends (period=4), which is isolate a@2..4"},
		{isolations, "isolate a@5..8", "schedule: isolate a@5..8: messages can be lost only in rounds before 8 (eff=8)"},
		{isolations, "isolate a@5..6", "schedule: isolate a@5..6: an isolation lasts until its phase ends (period=4), which is isolate a@5..7"},
		{isolations, "omit a>b@1", "schedule: 1 omission, where the bounds allow 0 (omissions=0): omit a>b@1"},
	} {
		s, err := rounds.ParseSchedule(test.text)
		require.NoError(t, err)
		err = s.Within(test.bounds)
		if test.message == "" {
			require.NoError(t, err, test.text)
		} else {
			require.EqualError(t, err, test.message)
		}
	}
}

func FuzzParseSchedule(f *testing.F) {
	for _, text := range []string{
		"", "crash a@2; omit a>c@1", "isolate p3@5..8; omit a>b@2; crash C@4; restart C@7", "omit a>b@2..4;", "crsh a@2", "omit a>", "\xff", "isolate 参@1..3",
	} {
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
		_ = s.Check([]string{"a", "b", "c"}, 9)
		_ = s.Within(rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 9, EFF: 5, Crashes: 2})
	})
}
