package linear

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// A judgement ends with its limit, and says what it did not come to know.
func TestLimit(t *testing.T) {
	e := &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a"}, EOT: 5}}
	add := func(relation string, id int64, text string, round int) {
		e.Facts = append(e.Facts, recording.Fact{Relation: relation, Args: []specs.Value{specs.String("a"), specs.Int(id), specs.String(text)}, Round: round})
	}
	for id := range int64(30) {
		add("request", id, string(rune('A'+id)), 1)
	}
	add("request", 99, "read", 2)
	add("reply", 99, "never written", 3)
	began := time.Now()
	_, err := Property(models["list"], 50*time.Millisecond).Check(e)
	var late *limits.UnjudgedError
	require.ErrorAs(t, err, &late)
	require.Equal(t, `the property "linearizability" is not judged without faults: no order of 31 requests (30 without a reply), and no proof that there is none, was found in 50ms`, err.Error())
	require.Less(t, time.Since(began), 5*time.Second)
	violations, err := Property(models["register"], time.Minute).Check(e) // where states are few
	require.NoError(t, err)
	require.Len(t, violations, 1)
}

// A request is a part of the history if it reached its process, and from the round
// on in which it did.
func TestRequestsThatReachNobody(t *testing.T) {
	s := &system.System{
		Name: "mute", Processes: []string{"a", "b"}, Rounds: 6,
		New:      func(string, *rand.Rand) system.Process { return mute{} },
		Requests: []system.Request{{Process: "a", Round: 1, Payload: "1"}, {Process: "a", Round: 3, Payload: "3"}, {Process: "a", Round: 5, Payload: "5"}},
	}
	for schedule, want := range map[string][]int{
		"":                              {1, 3, 5},
		"crash a@1":                     nil,
		"crash a@3":                     {1},
		"crash a@2; restart a@4":        {1, 5}, // made while it was down
		"crash a@3; restart a@3":        {1, 3, 5},
		"pause a@3..4":                  {1, 5, 5}, // it waits
		"pause a@3..6":                  {1},
		"pause a@3..4; crash a@4":       {1},
		"isolate a@1..6; omit a>b@1..6": {1, 3, 5}, // clients reach it still
	} {
		faults, err := rounds.ParseSchedule(schedule)
		require.NoError(t, err)
		e, err := s.Run(t.Context(), faults, system.RunOptions{Record: true})
		require.NoError(t, err)
		var at []int
		for _, c := range newHistory("linearizability", e).calls {
			at = append(at, c.round)
		}
		require.Equal(t, want, at, schedule)
	}
}

type mute struct{}

func (mute) Send(*system.Step)                      {}
func (mute) Receive(*system.Step, []system.Message) {}
func (mute) Restart(*system.Step)                   {}

// What conflicts with a reply is shown as a table.
func TestConflict(t *testing.T) {
	e := &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a", "b"}, EOT: 9}}
	add := func(relation, process string, id int64, text string, round int) {
		e.Facts = append(e.Facts, recording.Fact{Relation: relation, Args: []specs.Value{specs.String(process), specs.Int(id), specs.String(text)}, Round: round})
	}
	for id := range int64(12) {
		add("request", "a", id, "5", int(id)/2+1)
		add("reply", "a", id, "ok", int(id)/2+1)
	}
	add("request", "b", 20, "7", 8) // perhaps
	add("request", "b", 21, "read", 8)
	add("reply", "b", 21, "3", 9)
	e.Sort()
	violations, err := Property(models["register"]).Check(e)
	require.NoError(t, err)
	require.Len(t, violations, 1)
	require.Equal(t, result.List[string]{
		"              request  of  asks  gets  rounds",
		"5 and before  4        a   5     ok    3 to 3",
		"6             5        a   5     ok    3 to 3",
	}, violations[0].Conflict[:3])
	require.Equal(t, "✗             21       b   read  3     8 to 9", violations[0].Conflict[len(violations[0].Conflict)-1])
	require.Len(t, violations[0].Conflict, 1+mostShown+1)
}
