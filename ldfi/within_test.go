package ldfi_test

import (
	"strconv"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// asked returns the model of a program of testdata with some settings in place of its own.
func asked(t *testing.T, file string, settings map[string]string) *ldfi.Model {
	p, err := dedalus.Parse("../testdata/protocols/" + file)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, settings)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals})
	require.NoError(t, err)
	return m
}

// TestTheLeastNumberOfQuietRounds has protocols of which it is known how soon after the last fault they
// are done, or that they never are.
func TestTheLeastNumberOfQuietRounds(t *testing.T) {
	const never = -1
	for _, c := range []struct {
		file    string
		crashes string
		least   int
	}{
		{"delivery/simple.ded", "0", never},
		{"delivery/classic.ded", "1", never},
		{"delivery/retry.ded", "0", 1},
		{"delivery/retry.ded", "1", never},
		{"delivery/redundant.ded", "1", 1},
		{"delivery/ack.ded", "1", 1},
		{"replication/kafka_min_isr.ded", "1", 0},
		{"commit/2pc_ctp.ded", "0", 3},
	} {
		t.Run(c.file+" crashes="+c.crashes, func(t *testing.T) {
			a, err := asked(t, c.file, map[string]string{"crashes": c.crashes, "within": "least"}).Check(t.Context())
			require.NoError(t, err)
			if c.least == never {
				require.Equal(t, result.Violated, a.Verdict)
				require.NotEmpty(t, a.Rounds.Within.Never.Missing)
				return
			}
			require.Equal(t, result.Holds, a.Verdict)
			require.Equal(t, c.least, a.Rounds.Within.Rounds)
			require.True(t, a.Rounds.Within.Least)
			if c.least == 0 {
				return
			}
			less, err := asked(t, c.file, map[string]string{"crashes": c.crashes}).Within(t.Context(), c.least-1)
			require.NoError(t, err)
			require.Equal(t, result.Violated, less.Verdict)
			require.Equal(t, c.least, less.Rounds.Within.Needs)
			require.True(t, less.First().Confirmed)
		})
	}
}

// TestWithinAndBounds compares the least number of quiet rounds with what bounds say of an eff so many rounds
// before eot, behind the last fact of the program.
func TestWithinAndBounds(t *testing.T) {
	for _, c := range []struct {
		file        string
		given       int // the last round in which a fact comes
		least, last int
	}{
		{"delivery/retry.ded", 1, 1, 8},
		{"delivery/ack.ded", 1, 1, 8},
		{"commit/2pc_ctp.ded", 1, 3, 7},
		{"elastic/v3-resync.ded", 7, 2, 12},
	} {
		if campaign.Programs(4) < 4 {
			c.last = min(c.last, c.given+c.least+2)
		}
		broken := false
		for eot := c.given + 1 + c.least; eot <= c.last; eot++ {
			for _, number := range []int{c.least, c.least - 1} {
				settings := map[string]string{"crashes": "0", "eot": strconv.Itoa(eot), "eff": strconv.Itoa(eot - number)}
				a, err := asked(t, c.file, settings).Check(t.Context())
				require.NoError(t, err)
				broken = broken || number < c.least && a.Verdict == result.Violated
				if number == c.least {
					require.Equal(t, result.Holds, a.Verdict, "%s %v", c.file, settings)
				}
			}
		}
		require.True(t, broken, c.file)
	}
}

// TestAScheduleAfterWhichNothingComes executes what an answer found: the promise stays broken, and
// whoever asks for one quiet round more gets the same answer.
func TestAScheduleAfterWhichNothingComes(t *testing.T) {
	m := asked(t, "delivery/retry.ded", map[string]string{"within": "1"})
	a, err := m.Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, "crash a@2; omit a>b@1", a.First().Schedule.String())
	require.Equal(t, &result.Never{From: 3, Until: 3, Missing: []string{`post(b, "hello")`}}, a.Rounds.Within.Never)
	for _, within := range []string{"1", "20", "least"} {
		in, err := asked(t, "delivery/retry.ded", map[string]string{"within": within}).Inject(t.Context(), a.First().Schedule)
		require.NoError(t, err)
		require.Equal(t, result.Violated, in.Verdict, within)
	}
	omitted, err := rounds.ParseSchedule("omit a>b@1")
	require.NoError(t, err)
	for within, verdict := range map[string]result.Verdict{"0": result.Violated, "1": result.Holds, "least": result.Holds} {
		in, err := asked(t, "delivery/retry.ded", map[string]string{"within": within}).Inject(t.Context(), omitted)
		require.NoError(t, err)
		require.Equal(t, verdict, in.Verdict, within)
	}
}

// TestRoundsThatRepeat is a program of which two rounds repeat for ever, in one of which the promise is broken.
func TestRoundsThatRepeat(t *testing.T) {
	const turns = `// ldfi: processes=a,b eot=6 eff=2
token("a")@1;
other("a", "b")@1;
other("b", "a")@1;
token(Q)@next :- token(P), other(P, Q)@1, heard(Q);
token(P)@next :- token(P), notin moves(P);
moves(P) :- token(P), other(P, Q)@1, heard(Q);
hello("b")@async :- token("a");
heard("b") :- hello("b");
heard("b")@next :- heard("b");
heard("a") :- token("b");
pre("a") :- token("a");
pre("b") :- token("b");
post("a") :- token("a");
`
	p, err := dedalus.ParseText("turns.ded", turns)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{})
	require.NoError(t, err)
	a, err := m.Within(t.Context(), 4)
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	never := a.Rounds.Within.Never
	require.NotNil(t, never)
	require.Equal(t, []string{`post(b)`}, []string(never.Missing))
	require.Equal(t, 2, never.Until-never.From+1)
}

// TestLossesThatGoOn is a process that hears from another one, and so never from the one that has
// the message: in quiet rounds, too, so that no number of them is enough.
func TestLossesThatGoOn(t *testing.T) {
	m := asked(t, "delivery/retry.ded", map[string]string{"crashes": "0", "deliver": "majority", "within": "least"})
	a, err := m.Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, &result.Never{From: 2, Until: 2, With: "omit a>b@2", Missing: []string{`post(b, "hello")`}}, a.Rounds.Within.Never)
	in, err := m.Inject(t.Context(), a.First().Schedule)
	require.NoError(t, err)
	require.Equal(t, result.Holds, in.Verdict, "it is lost twice, and not for ever")
}

// TestWithinIsRefused where pre and post say nothing about all rounds, and where rounds are bounded.
func TestWithinIsRefused(t *testing.T) {
	_, err := asked(t, "rounds/uniform_voting.ded", map[string]string{"within": "2"}).Check(t.Context())
	require.ErrorAs(t, err, new(*provenance.UntimedError))
	require.ErrorContains(t, err, "the program has neither")
	m := asked(t, "delivery/retry.ded", map[string]string{"within": "2"})
	_, err = m.Hypotheses(t.Context(), nil, nil)
	require.ErrorContains(t, err, "give --within none")
	_, err = m.AnyRounds(t.Context())
	require.ErrorContains(t, err, "two questions")
}
