package ldfi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	_ "github.com/lineage-driven/ldfi/specs/property/rules" // reads guides
	"github.com/stretchr/testify/require"
)

// guided asks about a program with a guide.
func guided(t *testing.T, program, rules string, o ldfi.Options) *result.Answer {
	t.Helper()
	p, b := parse(t, program)
	g, err := guide.Parse("votes.mg", rules)
	require.NoError(t, err)
	a, err := model(t, p, b, o).Guided(t.Context(), g)
	require.NoError(t, err)
	return a
}

// promising promises that x agrees. Nothing fails within the bounds.
const promising = `// ldfi: processes=c,x,y,z eot=6
ask("x")@1; ask("y")@1; ask("z")@1;
vote("c", P)@async :- ask(P);
heard(C, P) :- vote(C, P);
heard(C, P)@next :- heard(C, P);
pre(C, "x") :- heard(C, _), round(C);
round("c")@6;
post(C, P) :- heard(C, P);
`

// What a guide decides is lost though the bounds allow no fault.
func TestGuidedDecides(t *testing.T) {
	a := guided(t, promising, `drop(M) :- message(M, "x", _, "vote", _, R).`, ldfi.Options{})
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, "omit x>c@1", a.First().Schedule.String())
	require.True(t, a.First().Confirmed)
	require.NotEmpty(t, a.First().Because)
	require.NotNil(t, a.First().Execution)
	require.Equal(t, 1, a.Guidance.Fired)

	p, b := parse(t, promising)
	g, err := guide.Parse("votes.mg", `drop(M) :- message(M, "x", _, "vote", _, R).`)
	require.NoError(t, err)
	for given, outside := range map[string]int{"": 0, "omit y>c@1": 1} { // beside that it lies within the bounds
		schedule, err := rounds.ParseSchedule(given)
		require.NoError(t, err)
		in, err := model(t, p, b, ldfi.Options{}).InjectGuided(t.Context(), g, schedule)
		require.NoError(t, err)
		require.Len(t, in.Warnings, outside, given)
		require.Equal(t, outside == 0, in.Within, given)
		require.Equal(t, result.Violated, in.Verdict, given)
	}

	a = guided(t, promising, `drop(M) :- message(M, "y", _, "vote", _, R).`, ldfi.Options{})
	require.Equal(t, result.Holds, a.Verdict)
	require.True(t, a.Complete)
	require.Contains(t, a.Scope.Text, "within votes.mg")
	require.Equal(t, 1, a.Guidance.Executions)
}

// Faults within the bounds come beside what the guide decides, the fewest first; what it delivers is not lost.
func TestGuidedWithin(t *testing.T) {
	faulty := strings.Replace(promising, "eot=6", "eot=6 eff=4 omissions=1 crashes=1", 1)
	alone := guided(t, faulty, `drop(M) :- message(M, "y", _, "vote", _, R).`, ldfi.Options{Max: 9})
	require.Equal(t, result.Violated, alone.Verdict)
	var found []string
	for _, c := range alone.Counterexamples {
		found = append(found, c.Schedule.String())
	}
	require.Equal(t, []string{"crash x@1; omit y>c@1", "omit x>c@1; omit y>c@1"}, found)
	require.Equal(t, "2 faults, minimal beside what the guide decides", alone.First().Minimality())
	require.True(t, alone.Counterexamples[1].Minimal)

	delivered := guided(t, faulty, "drop(M) :- message(M, \"y\", _, \"vote\", _, R).\ndeliver(M) :- message(M, \"x\", _, \"vote\", _, R).", ldfi.Options{})
	require.Equal(t, result.Holds, delivered.Verdict)
	require.Positive(t, delivered.Guidance.Prevented)
}

// A message that is held arrives when it is released, or never.
func TestGuidedHolds(t *testing.T) {
	hold := "hold(M) :- message(M, \"x\", _, \"vote\", _, R).\n"
	a := guided(t, promising, hold, ldfi.Options{})
	require.Equal(t, "omit x>c@1", a.First().Schedule.String())
	a = guided(t, promising, hold+"release(M, R) :- message(M, \"x\", _, \"vote\", _, 1), round(R), R = 3.", ldfi.Options{})
	require.Equal(t, result.Holds, a.Verdict)
	late := strings.Replace(promising, "pre(C, \"x\") :- heard(C, _), round(C);", "violation(C) :- heard(C, \"y\"), notin heard(C, \"x\");", 1)
	late = strings.Replace(late, "post(C, P) :- heard(C, P);\n", "", 1)
	a = guided(t, late, hold+"release(M, R) :- message(M, \"x\", _, \"vote\", _, 1), round(R), R = 3.", ldfi.Options{})
	require.Equal(t, "delay x>c@1/vote+2", a.First().Schedule.String())
}

// What a guide decides about one of several messages of a relation hits this one, and the schedule says which.
func TestGuidedOneOfSeveral(t *testing.T) {
	program := strings.NewReplacer(`vote("c", P)@async :- ask(P);`, `log("c", P, 1)@async :- ask(P); log("c", P, 2)@async :- ask(P);`,
		`heard(C, P) :- vote(C, P);`, `heard(C, P) :- log(C, P, 2);`, "eot=6", "eot=6 eff=4 omissions=1").Replace(promising)
	second := `drop(M) :- message(M, "x", _, "log", Text, _), :string:ends_with(Text, "2").`
	a := guided(t, program, second, ldfi.Options{})
	require.Equal(t, "omit x>c@1/log#2", a.First().Schedule.String())
	require.Equal(t, []string{"heard(c, x) needs log(c, x, 2)@2, which did not come by x>c in round 1: lost in round 1 (omit x>c@1/log#2)"}, []string(a.First().Because))
	p, b := parse(t, program)
	in, err := model(t, p, b, ldfi.Options{}).Inject(t.Context(), a.First().Schedule)
	require.NoError(t, err)
	require.Equal(t, result.Violated, in.Verdict)
	lost := 0
	for _, m := range in.Execution.Messages {
		if m.Lost {
			lost++
			require.Equal(t, `log("c", "x", 2)@1 from x`, m.String())
		}
	}
	require.Equal(t, 1, lost)

	late := guided(t, program, "hold(M) :- message(M, \"x\", _, \"log\", Text, _), :string:ends_with(Text, \"2\").\nrelease(M, 3) :- message(M, _, _, _, _, 1).\nwaypoint(1, R) :- heard(\"c\", \"x\", R), R > 3.", ldfi.Options{})
	require.Equal(t, "delay x>c@1/log#2+2", late.Guidance.Waypoints[0].Schedule.String())
}

// A bad state is a violation, also of a program that promises nothing; waypoints are counted.
func TestGuidedReaches(t *testing.T) {
	silent := strings.Split(promising, "pre(")[0]
	a := guided(t, silent, "goto(\"start\", \"all\") :- heard(\"c\", \"x\", R), heard(\"c\", \"y\", R).\nbad(\"all\").", ldfi.Options{})
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, `the bad state "all" of votes.mg is entered in round 2`, a.First().Violations[0].Text)
	require.Empty(t, a.First().Schedule.Faults)

	a = guided(t, silent, "waypoint(1, R) :- vote(\"c\", \"x\", R).\nwaypoint(2, R) :- heard(\"c\", \"y\", R).\nwaypoint(3, R) :- heard(\"x\", _, R).", ldfi.Options{})
	require.Equal(t, result.Holds, a.Verdict)
	require.Equal(t, []int{1, 1, 0}, []int{a.Guidance.Waypoints[0].Executions, a.Guidance.Waypoints[1].Executions, a.Guidance.Waypoints[2].Executions})
	require.NotEmpty(t, a.Guidance.Nearest)
}

// Where no schedule is left the rules are named that leave none, and no others.
func TestGuidedLeavesNothing(t *testing.T) {
	a := guided(t, strings.Replace(promising, "eot=6", "eot=6 crashes=1 never-crash=x", 1),
		"drop(M) :- message(M, \"y\", _, \"vote\", _, R).\ncrash(\"x\", 2).\ncrash(\"z\", 2).", ldfi.Options{})
	require.Equal(t, result.Inconclusive, a.Verdict)
	require.Contains(t, a.Limit.Reason, "no schedule within the bounds is left: crash of votes.mg:2:1: ")
	a = guided(t, promising, "deliver(M) :- message(M, \"y\", _, \"vote\", _, R).\nisolate(\"y\", 1).\ndrop(M) :- message(M, \"z\", _, \"vote\", _, R).", ldfi.Options{})
	require.Equal(t, result.Inconclusive, a.Verdict)
	require.Contains(t, a.Limit.Reason, "left: deliver of votes.mg:1:1 and isolate of votes.mg:2:1 want a message to arrive that is lost, or late")
}

// Where there are too many schedules to execute, the solver decides beside what the guide loses in every one.
func TestGuidedAssumes(t *testing.T) {
	many := strings.Replace(promising, "eot=6", "eot=6 eff=6 omissions=20 crashes=1", 1)
	a := guided(t, many, "drop(M) :- message(M, \"y\", _, \"vote\", _, R), R < 3.\npart(\"z\", \"c\", R) :- round(R), R > 1.", ldfi.Options{Max: 9})
	var found []string
	for _, c := range a.Counterexamples {
		found = append(found, fmt.Sprintf("%s: %s", c.Schedule, c.Minimality()))
		require.True(t, c.Confirmed)
		require.NotEmpty(t, c.Because)
	}
	require.Equal(t, []string{
		"crash x@1; omit y>c@1; cut c>z@2..6; cut z>c@2..6: 4 faults, minimal beside what the guide decides",
		"omit x>c@1; omit y>c@1; cut c>z@2..6; cut z>c@2..6: 4 faults, minimal beside what the guide decides",
	}, found)
	require.True(t, a.Complete)
	require.Less(t, a.Stats.Executions, 100)

	kept := guided(t, many, `deliver(M) :- message(M, "y", _, "vote", _, _).`, ldfi.Options{})
	require.Equal(t, "crash x@1", kept.First().Schedule.String())
	without := guided(t, strings.Replace(many, "crashes=1", "crashes=0", 1), "drop(M) :- message(M, \"y\", _, \"vote\", _, _).\npart(\"x\", \"c\", 5).\nisolate(\"z\", 2).", ldfi.Options{})
	require.Equal(t, "isolate z@2; omit x>c@1; omit y>c@1; cut c>x@5; cut x>c@5", without.First().Schedule.String())
	held := guided(t, strings.Replace(many, "omissions=20 crashes=1", "omissions=20 crashes=1 never-crash=x reliable=x>*", 1), `drop(M) :- message(M, "y", _, "vote", _, _).`, ldfi.Options{})
	require.Equal(t, result.Holds, held.Verdict)
	require.Contains(t, held.Scope.Text, "within votes.mg")
}

// A set with more faults than the first is not minimal, though none of them can be left out.
func TestGuidedMinimal(t *testing.T) {
	faulty := strings.NewReplacer("eot=6", "eot=6 eff=3 omissions=2", "post(C, P) :- heard(C, P);", `post(C, P) :- heard(C, P), heard(C, "y"); post(C, P) :- heard(C, P), heard(C, "z");`).Replace(promising)
	a := guided(t, faulty, `deliver(M) :- message(M, _, _, _, _, 6).`, ldfi.Options{Max: 9})
	var found []string
	for _, c := range a.Counterexamples {
		found = append(found, fmt.Sprintf("%s: %s", c.Schedule, c.Minimality()))
	}
	require.Equal(t, []string{"omit x>c@1: 1 fault, minimal beside what the guide decides", "omit y>c@1; omit z>c@1: 2 faults, none can be left out"}, found)
}

// Of a program it is known which relations, kinds of messages and processes there are.
func TestGuidedNames(t *testing.T) {
	p, b := parse(t, promising)
	for rules, wrong := range map[string]string{
		`crash(P, S) :- hears(P, _, R), S = fn:plus(R, 1).`:                    `1:16: the program has no relation hears (did you mean "heard"?)`,
		`crash(P, S) :- heard(P, R), S = fn:plus(R, 1).`:                       `1:16: heard has 3 arguments in the program, with the round behind them, and not 2`,
		`drop(M) :- message(M, _, _, "votes", _, _).`:                          `1:12: the program sends no messages "votes" (did you mean "vote"?)`,
		`drop(M) :- mesage(M, _, _, "vote", _, _), message(M, _, _, _, _, _).`: `1:12: the program has no relation mesage (did you mean "message"?)`,
		`drop(M) :- message(M, "a", _, _, _, _).`:                              `1:12: there is no process "a": there are c, x, y and z`,
		`isolate("a", 3).`:                          `1:1: there is no process "a"`,
		`waypoint(1, R) :- raft.one_in_term(2, R).`: `1:19: in the library: raft.term is by default what term says, and the program has no such relation`,
		`crash(P, S) :- vote(P, R), S = fn:plus(R, 1). vote(P, R) :- heard(P, _, R).`: `1:47: the program has a relation vote too: call this one something else`,
		`crash(P, 3) :- booted(P, 2).`: `1:16: guides call booted restarted(Process, Round)`,
		`waypoint(1, R) :- raft.one_in_term(2, R). raft.term(P, 2, R) :- heard(P, _, R).`:                                          "",
		"crash(P, S) :- hears(P, _, R), S = fn:plus(R, 1). # may never\ndrop(M) :- message(M, _, _, \"votes\", _, _). # may never": "",
	} {
		g, err := guide.Parse("votes.mg", rules)
		if err == nil {
			err = g.Fits(p, b)
		}
		if wrong == "" {
			require.NoError(t, err, rules)
			continue
		}
		require.ErrorContains(t, err, "votes.mg:"+wrong, rules)
	}
}

// What can only happen to systems is refused with its place.
func TestGuidedRefuses(t *testing.T) {
	p, b := parse(t, promising)
	g, err := guide.Parse("votes.mg", "drop(M) :- message(M, _, _, \"vote\", _, R).\npause(\"x\", 2).")
	require.NoError(t, err)
	_, err = model(t, p, b, ldfi.Options{}).Guided(t.Context(), g)
	require.ErrorContains(t, err, "votes.mg:2:1: pause is for systems")
}
