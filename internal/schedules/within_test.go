package schedules_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func TestScheduleWithin(t *testing.T) {
	omissions := rounds.Bounds{Processes: three, EOT: 8, EFF: 4, Crashes: 1, Omissions: 2}
	isolations := rounds.Bounds{Processes: three, EOT: 8, EFF: 8, Isolations: 2, Period: 4}
	restarts := rounds.Bounds{Processes: three, EOT: 8, EFF: 8, Crashes: 1, Restarts: 1, Pauses: 1, Period: 4}
	chains := rounds.Bounds{Processes: three, EOT: 8, Crashes: 3, Restarts: 2, Points: map[string][]string{"a": {"stored", "sent"}}}
	parted := rounds.Bounds{Processes: []string{"a", "b", "c", "d"}, EOT: 8, EFF: 9, Isolations: 1, Partitions: 1, Period: 4}
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
		{isolations, "isolate a@2", "schedule: isolate a@2: it lasts until its phase ends (period=4), which is isolate a@2..4"},
		{isolations, "isolate a@5..8", "schedule: isolate a@5..8: messages can be lost only in rounds before 8 (eff=8)"},
		{isolations, "isolate a@5..6", "schedule: isolate a@5..6: it lasts until its phase ends (period=4), which is isolate a@5..7"},
		{restarts, "seed 7; ticks 2; crash a@3; restart a@8; pause b@2..4", ""},
		{restarts, "crash a@3; restart a@4; crash a@5", "schedule: 2 crashes, where the bounds allow 1 (crashes=1): crash a@3; crash a@5; restart a@4"},
		{chains, "crash a@3; restart a@4; crash a@5; restart a@5", ""},
		{chains, "crash a@3; restart a@4; crash a@4/stored; restart a@5; crash a@5/sent", ""},
		{chains, "crash a@3; restart a@4; crash a@4; restart a@5", "schedule: crash a@4: a has crashed in round 3 already"},
		{chains, "crash a@3/stored; restart a@3", "schedule: restart a@3: a has not crashed before; write for example crash a@2; restart a@3"},
		{chains, "crash a@3/stored; crash a@3/sent", "schedule: crash a@3/stored: a has crashed in round 3 already"},
		{chains, "crash a@1; restart a@1; crash a@2; restart a@2; crash a@3; restart a@3", "schedule: 3 restarts, where the bounds allow 2 (restarts=2): crash a@1; crash a@2; crash a@3; restart a@1; restart a@2; restart a@3"},
		{chains, "crash a@3/store", `schedule: crash a@3/store: there is no point "store" (did you mean "stored"?): a can crash within a round at stored, sent`},
		{chains, "crash b@3/stored", "schedule: crash b@3/stored: b declares no points within a round at which it can crash: write crash b@3"},
		{restarts, "crash b@3/stored", "schedule: crash b@3/stored: the bounds have no points within a round of b"},
		{parted, "partition a,b|*@2..4; isolate c@8", ""},
		{parted, "partition b,a|*@2..8; isolate c@5..8", "schedule: 2 partitions, where the bounds allow 1 (partitions=1): isolate c@5..8; partition a,b|*@2..8"},
		{parted, "isolate a@1..4; isolate b@1..4", ""},
		{parted, "isolate a@1..4; isolate b@1..4; isolate c@1..4", "schedule: 3 isolations, where the bounds allow 2 (isolations=1, partitions=1): isolate a@1..4; isolate b@1..4; isolate c@1..4"},
		{parted, "isolate a@1..4; isolate b@1..4; partition c,d|*@3..4", "schedule: 2 isolations and 1 partition, where the bounds allow 2 of both (isolations=1, partitions=1): isolate a@1..4; isolate b@1..4; partition c,d|*@3..4"},
		{parted, "partition c,d|*@3..4; partition a,b|c,d@3..4", ""},
		{parted, "partition c,d|*@3", "schedule: partition c,d|*@3: it lasts until its phase ends (period=4), which is partition c,d|*@3..4"},
		{isolations, "partition a,b|c@1..4", "schedule: partition a,b|c@1..4: one process against the rest is an isolation; write isolate c@1..4"},
		{restarts, "pause b@2", "schedule: pause b@2: it lasts until its phase ends (period=4), which is pause b@2..4"},
		{restarts, "pause b@2..4; pause a@4", "schedule: 2 pauses, where the bounds allow 1 (pauses=1): pause b@2..4; pause a@4"},
		{restarts, "pause b@8", "schedule: pause b@8: messages can be lost only in rounds before 8 (eff=8)"},
		{isolations, "crash a@1; restart a@1", "schedule: 1 crash, where the bounds allow 0 (crashes=0): crash a@1; restart a@1"},
		{omissions, "crash a@1; restart a@1", "schedule: 1 restart, where the bounds allow 0 (restarts=0): crash a@1; restart a@1"},
		{isolations, "omit a>b@1", "schedule: 1 omission, where the bounds allow 0 (omissions=0): omit a>b@1"},
	} {
		s, err := rounds.ParseSchedule(test.text)
		require.NoError(t, err)
		err = schedules.Within(s, test.bounds)
		if test.message == "" {
			require.NoError(t, err, test.text)
		} else {
			require.EqualError(t, err, test.message, test.text)
		}
	}
}

// Faults of machines that the bounds do not have.
func TestWithinOfMachines(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 8, EFF: 7, Crashes: 1, FastClocks: 1, SlowClocks: 1, Jumps: 2, MaxJump: 3, FailedSyncs: 1, Terminations: 1, Period: 4, Disks: true}
	bare := rounds.Bounds{Processes: three, EOT: 8, Crashes: 1}
	for _, test := range []struct {
		bounds  rounds.Bounds
		text    string
		message string
	}{
		{b, "fast a@2..4; slow a@5..6; jump a@1+3; jump a@2+1; failsync a@6; terminate b@2..4; crash a@8/torn", ""},
		{b, "fast a@2..4; slow a@1..4", "schedule: fast a@2..4; slow a@1..4: in a round a clock runs either fast or slow"},
		{b, "fast a@1; slow a@2..4", "schedule: fast a@1: it lasts until its phase ends (period=4), which is fast a@1..4"},
		{b, "fast a@2..6", "schedule: 2 fast clocks, where the bounds allow 1 (fast-clocks=1): fast a@2..6"},
		{b, "fast a@1..2", "schedule: fast a@1..2: it lasts until its phase ends (period=4), which is fast a@1..4"},
		{b, "fast a@5..8", "schedule: fast a@5..8: clocks run wrong, and syncs fail, only in rounds before 7 (eff=7)"},
		{b, "jump a@7+1", "schedule: jump a@7+1: clocks run wrong, and syncs fail, only in rounds before 7 (eff=7)"},
		{b, "jump a@2+4", "schedule: jump a@2+4: a clock jumps by at most 3 rounds (max-jump=3)"},
		{b, "jump a@2+1; jump a@2+2", "schedule: jump a@2+1; jump a@2+2: a clock jumps once in a round: write jump a@2+3"},
		{b, "failsync a@1; failsync b@1", "schedule: 2 failed syncs, where the bounds allow 1 (failed-syncs=1): failsync a@1; failsync b@1"},
		{bare, "crash a@2/torn", "schedule: crash a@2/torn: the bounds have no disks"},
		{bare, "slow a@2", "schedule: 1 slow clock, where the bounds allow 0 (slow-clocks=0): slow a@2"},
		{bare, "jump a@2+2", "schedule: 1 jump, where the bounds allow 0 (jumps=0): jump a@2+2"},
	} {
		s, err := rounds.ParseSchedule(test.text)
		require.NoError(t, err)
		if err = schedules.Within(s, test.bounds); test.message == "" {
			require.NoError(t, err, test.text)
		} else {
			require.EqualError(t, err, test.message, test.text)
		}
	}
}
