package rounds_test

import (
	"encoding/json"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func TestBoundsOfMachines(t *testing.T) {
	b, err := rounds.BoundsFrom(map[string]string{
		"processes": "a,b", "eot": "6", "eff": "5", "period": "2", "crashes": "1",
		"fast-clocks": "1", "slow-clocks": "unlimited", "jumps": "2", "max-jump": "30", "failed-syncs": "3", "terminations": "2",
		"never-crash": "b",
	})
	require.NoError(t, err)
	b.Disks, b.CrashStop = true, true
	require.Equal(t, rounds.Bounds{
		Processes: []string{"a", "b"}, EOT: 6, EFF: 5, Period: 2, Crashes: 1, CrashStop: true,
		FastClocks: 1, SlowClocks: rounds.Unlimited, Jumps: 2, MaxJump: 30, FailedSyncs: 3, Disks: true, Terminations: 2, NeverCrash: []string{"b"},
	}, b)
	require.Equal(t, "2 processes, 6 rounds, at most 1 crash (stop; what is not synced is lost, kept or torn) (never b), at most 2 terminations in phases of 2 rounds before round 5 (never b), at most 1 fast clock in phases of 2 rounds before round 5, "+
		"slow clocks in phases of 2 rounds before round 5, at most 2 jumps of up to 30 rounds before round 5, at most 3 failed syncs before round 5", b.String())
	data, err := json.Marshal(b)
	require.NoError(t, err)
	require.Contains(t, string(data), `"fast_clocks":1,"slow_clocks":"unlimited","jumps":2,"max_jump":30,"failed_syncs":3,"terminations":2`)
	var again rounds.Bounds
	require.NoError(t, json.Unmarshal(data, &again))
	require.Equal(t, b, again)
	plain, err := json.Marshal(rounds.Bounds{Processes: []string{"a"}, EOT: 1})
	require.NoError(t, err)
	require.Equal(t, `{"processes":["a"],"eot":1,"crashes":0,"omissions":0,"isolations":0,"period":1,"crash":"mute"}`, string(plain))

	for key, wrong := range map[string]string{"max-jump": "a clock jumps by 1 round or more", "jumps": ""} {
		_, err := rounds.BoundsFrom(map[string]string{"processes": "a", "eot": "2", key: "0"})
		if wrong == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, wrong)
		}
	}
	require.ErrorContains(t, rounds.Bounds{Processes: []string{"a"}, EOT: 2, Jumps: 1, MaxJump: 1_000_001}.Validate(), "max-jump=1000001: a clock jumps by at least 1 and at most 1000000 rounds")
}

// Counts that are known otherwise.
func TestScenariosOfMachines(t *testing.T) {
	one := rounds.Bounds{Processes: []string{"a"}, EOT: 2}
	for want, with := range map[string]func(*rounds.Bounds){
		"5": func(b *rounds.Bounds) { b.FastClocks, b.SlowClocks, b.Period = 1, 1, 2 },
		"7": func(b *rounds.Bounds) { b.Jumps, b.MaxJump = 1, 3 },
		"19": func(b *rounds.Bounds) {
			b.EOT, b.Crashes, b.Disks = 2, 1, true
			b.Points = map[string][]string{"a": {"x", "y"}}
		},
		"6": func(b *rounds.Bounds) { b.EOT, b.Period, b.Terminations = 3, 2, rounds.Unlimited },
		"4": func(b *rounds.Bounds) { b.FailedSyncs = rounds.Unlimited },
		"3": func(b *rounds.Bounds) { b.Jumps = 1 },
	} {
		b := one
		with(&b)
		require.Equal(t, want, schedules.Count(b).String())
	}
}

// Schedules that no machine can follow.
func TestClocksOfASchedule(t *testing.T) {
	b := rounds.Bounds{Processes: []string{"a", "b"}, EOT: 9}
	for text, want := range map[string]string{
		"fast a@1..3; slow a@4; fast b@1..3":    "",
		"fast a@1..3; slow a@3..4":              "schedule: fast a@1..3; slow a@3..4: in a round a clock runs either fast or slow",
		"jump a@3+1; jump b@3+2; jump a@4+1":    "",
		"jump a@3+1; jump a@3+2":                "schedule: jump a@3+1; jump a@3+2: a clock jumps once in a round: write jump a@3+3",
		"jump a@3+2; jump a@3+2; failsync a@10": "schedule: failsync a@10: there is no round 10, the rounds are 1 to 9 (eot=9)",
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		if err := s.Check(b); want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
	s, err := rounds.ParseSchedule("crash a@2/lost; crash b@3/x/lost; fast a@1..3; fast a@2..5; failsync a@1; failsync a@1; terminate b@4")
	require.NoError(t, err)
	require.Equal(t, "crash a@2; crash b@3/x; fast a@1..5; failsync a@1; terminate b@4", s.Normal().String())
}
