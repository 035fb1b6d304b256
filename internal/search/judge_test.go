package search_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

func judge(t *testing.T, s *system.System, properties ...property.Property) *search.Judge {
	target, err := search.NewTarget(s, properties)
	require.NoError(t, err)
	return target.Judge(0, false)
}

// Messages are recorded if a property looks at them, if something is violated,
// or if one asks for them. Whichever it is, the rest of the recording is the same.
func TestJudge(t *testing.T) {
	s := replog.Fixed()
	fine := rules.New("fine", `violation(P) :- restarted(P, _).`)
	lost := rules.New("lost", `violation(P, Q) :- lost(P, Q, _, _, _).`)
	crash := rules.New("crash", `violation(P) :- crashed(P, _).`)
	silent := property.Property{Name: "silent", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
		require.Empty(t, e.Messages)
		return nil
	}}
	for name, test := range map[string]struct {
		judge              *search.Judge
		record             bool
		messages, violated bool
	}{
		"nothing violated":   {judge(t, s, fine, silent), false, false, false},
		"asked for":          {judge(t, s, fine), true, true, false},
		"violated":           {judge(t, s, fine, crash), false, true, true},
		"reads what is lost": {judge(t, s, lost, fine), false, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			schedule, err := rounds.ParseSchedule("crash p2@2; seed 7")
			require.NoError(t, err)
			whole, err := s.Run(t.Context(), schedule, system.RunOptions{})
			require.NoError(t, err)
			test.judge.Options.Record = test.record
			for range 2 { // the second uses the memory of the first
				e, violations, err := test.judge.Execute(t.Context(), schedule)
				require.NoError(t, err)
				require.Equal(t, test.violated, len(violations) > 0)
				require.Equal(t, whole.Facts, e.Facts)
				require.Equal(t, whole.Schedule, e.Schedule)
				if test.messages {
					require.Equal(t, whole.Messages, e.Messages)
				} else {
					require.Empty(t, e.Messages)
				}
			}
		})
	}
}

// every reports in each execution how many there were before.
type every struct{ execution int }

func (*every) Send(*system.Step)                            {}
func (p *every) Receive(s *system.Step, _ []system.Message) { s.Fact("execution", p.execution) }

// What is violated and no longer is when the execution is repeated for its messages
// is not passed over.
func TestJudgeOfWhatDoesNotShowAgain(t *testing.T) {
	made := 0
	s := &system.System{Name: "every", Processes: []string{"a"}, Rounds: 1, New: func(string, *rand.Rand) system.Process {
		made++
		return &every{made}
	}}
	j := judge(t, s, rules.New("not the first", `violation(P) :- execution(P, 1, _).`))
	made = 0
	e, violations, err := j.Execute(t.Context(), rounds.Schedule{})
	require.ErrorAs(t, err, new(*system.NondeterminismError), "%v %v", e, violations)
	require.ErrorContains(t, err, "execution(a, 1)")
}
