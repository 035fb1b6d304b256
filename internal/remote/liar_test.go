package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// gossip is a system in which everybody greets everybody in each round, and nobody
// may hear nothing.
func gossip() *system.System {
	return &system.System{
		Name: "gossip", Processes: []string{"a", "b", "c"}, Rounds: 6,
		New:        func(string, *rand.Rand) system.Process { return greeter{} },
		Properties: []property.Property{rules.New("heard", "violation(P) :- heard(P, 0, _).")},
	}
}

type greeter struct{}

func (greeter) Send(s *system.Step)                            { s.Broadcast("hello") }
func (greeter) Receive(s *system.Step, inbox []system.Message) { s.Fact("heard", len(inbox)) }
func (greeter) Restart(*system.Step)                           {}
func (greeter) Fingerprint() string                            { return "" }
func (greeter) Snapshot() any                                  { return nil }
func (greeter) Restore(any)                                    {}

// pointed is gossip whose processes can crash within a round.
func pointed() *system.System {
	s := gossip()
	s.New = func(string, *rand.Rand) system.Process { return pointer{} }
	return s
}

type pointer struct{ greeter }

func (pointer) CrashPoints() []string { return []string{"sent", "heard", "never"} }
func (p pointer) Send(s *system.Step) {
	p.greeter.Send(s)
	s.At("sent")
}

func (p pointer) Receive(s *system.Step, inbox []system.Message) {
	p.greeter.Receive(s, inbox)
	s.At("heard")
}

// object is a line of the protocol.
type object = map[string]any

// lie changes an answer to a request of a host that speaks the truth.
type lie func(request, answer object)

// liar connects to a host that serves the system, and lies.
func liar(t testing.TB, s *system.System, o Options, l lie) *Remote {
	t.Helper()
	requests, toHost := io.Pipe()
	fromHost, answers := io.Pipe()
	heard, hear := io.Pipe()
	told, tell := io.Pipe()
	asked := make(chan object, 1000)
	go func() {
		relay(heard, toHost, func(q object) { asked <- q })
		toHost.Close()
	}()
	go func() {
		_ = wire.ServeOn(requests, answers, s)
		answers.Close()
	}()
	go func() {
		made := map[any]object{}
		relay(fromHost, tell, func(a object) {
			for made[a["id"]] == nil {
				q := <-asked
				made[q["id"]] = q
			}
			l(made[a["id"]], a)
		})
		tell.Close()
	}()
	r := connect(told, hear, o, func() error { hear.Close(); told.Close(); return nil })
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	return r
}

// relay passes on lines as they are changed.
func relay(from io.Reader, to io.Writer, change func(object)) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		line := object{}
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			return
		}
		change(line)
		text, err := json.Marshal(line)
		if err != nil {
			return
		}
		if _, err := to.Write(append(text, '\n')); err != nil {
			return
		}
	}
}

// at returns what stands in an object at a path of keys and indexes.
func at(in any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			in = in.(object)[step]
		case int:
			in = in.([]any)[step]
		}
	}
	return in
}

// set lies about one member.
func set(value any, path ...any) lie {
	return func(_, a object) {
		switch in, last := at(a, path[:len(path)-1]...), path[len(path)-1]; in := in.(type) {
		case object:
			in[last.(string)] = value
		case []any:
			in[last.(int)] = value
		}
	}
}

// to lies in the answers to one kind of request.
func to(do string, l lie) lie {
	return func(q, a object) {
		if q["do"] == do && a["progress"] == nil {
			l(q, a)
		}
	}
}

// message changes the message of a sender to a receiver in a round.
func message(from, to string, round float64, change func(object)) lie {
	return func(_, a object) {
		for _, m := range at(a, "execution", "messages").([]any) {
			if m := m.(object); m["from"] == from && m["to"] == to && m["round"] == round {
				change(m)
				return
			}
		}
		panic(fmt.Sprintf("there is no message from %s to %s in round %v", from, to, round))
	}
}

func parse(t testing.TB, text string) rounds.Schedule {
	t.Helper()
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s
}

// executionLie is a lie about one execution, under the schedule, and what is said of
// it.
type executionLie struct {
	name, schedule string
	lie            lie
	wrong          string
}

// refuses executes each schedule in a host that lies about a system.
func refuses(t *testing.T, s *system.System, lies []executionLie) {
	for _, c := range lies {
		t.Run(c.name, func(t *testing.T) {
			r := liar(t, s, Options{}, to(messages.DoRun, c.lie))
			require.NoError(t, r.greet(t.Context()))
			_, _, err := r.Systems()[0].Execute(t.Context(), parse(t, c.schedule), 0, messages.Always)
			require.ErrorContains(t, err, c.wrong)
			require.ErrorContains(t, err, fmt.Sprintf("the answer of the host to the schedule %q", c.schedule))
		})
	}
}

var executionLies = []executionLie{
	{"another schedule", "isolate b@2", set("isolate c@2", "execution", "schedule"), `the recording is one of the schedule "isolate c@2", and not "isolate b@2"`},
	{"fewer faults", "isolate b@2", set("", "execution", "schedule"), `the recording is one of the schedule "", and not "isolate b@2"`},
	{"another seed", "seed 4", set("seed 5", "execution", "schedule"), `the recording is one of the schedule "seed 5", and not "seed 4"`},
	{"another seed later", "seed 4", set("seed 4; seed 5 from 3", "execution", "schedule"), `the recording is one of the schedule "seed 4; seed 5 from 3", and not "seed 4"`},
	{"no seed", "seed 4", set("", "execution", "schedule"), `the recording is one of the schedule "", and not "seed 4"`},
	{"more rounds", "", set(7, "execution", "bounds", "eot"), "the recording has 7 rounds, and not 6"},
	{"fewer rounds", "", set(5, "execution", "bounds", "eot"), "there is no round 6"},
	{"other processes", "", set([]any{"a", "c", "b"}, "execution", "bounds", "processes"), `the processes ["a" "c" "b"], and not ["a" "b" "c"]`},
	{"more processes", "", set([]any{"a", "b", "c", "d"}, "execution", "bounds", "processes"), `and not ["a" "b" "c"]`},
	{"no recording", "", set(nil, "execution"), "it lacks the recording"},
	{"an unknown property", "", set([]any{object{"property": "quiet", "text": "x"}}, "violations"), `a violation of "quiet", which is no property that the host judges`},
	{"no text", "", set([]any{object{"property": "heard"}}, "violations"), `a violation of "heard" without a text`},
	{"a late violation", "", set([]any{object{"property": "heard", "text": "x", "fact": object{"relation": "violation", "args": []any{}, "round": 7}}}, "violations"), `in round 7, and there are 6 rounds`},
	{"no violation", "isolate b@2", set(nil, "violations"), `the host says that "heard" is not violated, and by its rules it is: violation(b)`},
	{"a violation", "", set([]any{object{"property": "heard", "text": "violation(b)"}}, "violations"), `the host says that "heard" is violated, and by its rules it is not`},

	{"a fact of nobody", "", set("d", "execution", "facts", 0, "args", 0), "its first argument has to be the process that reports it"},
	{"a fact of a number", "", set(1, "execution", "facts", 0, "args", 0), "its first argument has to be the process that reports it"},
	{"a fact without arguments", "", set([]any{}, "execution", "facts", 0, "args"), "its first argument has to be the process that reports it"},
	{"a fact out of time", "", set(9, "execution", "facts", 0, "round"), "there is no round 9"},
	{"a fact of a crashed process", "crash b@1", set("b", "execution", "facts", 0, "args", 0), `b has crashed by round 1 under the schedule "crash b@1"`},
	{"a fact of a paused process", "pause b@1..2", set("b", "execution", "facts", 0, "args", 0), "b is paused in round 1"},
	{"a fact before the restart", "crash b@1; restart b@3", set("b", "execution", "facts", 0, "args", 0), "b has crashed by round 1"},

	{"a message of a crashed process", "crash b@1", set("b", "execution", "messages", 0, "from"), "b has crashed by round 1"},
	{"a message of a paused process", "pause b@1..2", set("b", "execution", "messages", 0, "from"), "b is paused in round 1"},
	{"a message of nobody", "", set("", "execution", "messages", 0, "from"), "its sender: there is no process"},
	{"a message of a stranger", "", set("d", "execution", "messages", 0, "from"), `there is no process "d"`},
	{"a message to a stranger", "", set("d", "execution", "messages", 0, "to"), "its receiver: there is no process \"d\""},
	{"a message to another", "", message("a", "b", 1, func(m object) { m["to"] = "c" }), `its first argument has to be its receiver, "c"`},
	{"an omission that does not lose", "omit a>b@1", message("a", "b", 1, func(m object) { delete(m, "lost") }), "it arrives, and omit a>b@1 loses it"},
	{"an isolation that does not lose", "isolate b@1..3", message("a", "b", 2, func(m object) { delete(m, "lost") }), "it arrives, and isolate b@1..3 loses it"},
	{"a crash that does not lose", "crash b@2", message("a", "b", 5, func(m object) { delete(m, "lost") }), "it arrives, and crash b@2 loses it"},
	{"a loss without a fault", "", message("a", "b", 1, func(m object) { m["lost"] = "omit a>b@1" }), `said to be lost by omit a>b@1, and no fault of the schedule "" loses it`},
	{"a loss by a fault elsewhere", "isolate b@3", message("a", "b", 1, func(m object) { m["lost"] = "isolate b@3" }), "and no fault of the schedule"},
	{"a loss by another fault", "isolate b@3; omit a>b@1", message("a", "b", 1, func(m object) { m["lost"] = "isolate b@3" }), "said to be lost by isolate b@3, and what loses it is omit a>b@1"},
	{"a loss after the restart", "crash b@1; restart b@3", message("a", "b", 3, func(m object) { m["lost"] = "crash b@1" }), "and no fault of the schedule"},
	{"an arrival during a pause", "pause b@2..3", message("a", "b", 2, func(m object) { delete(m, "arrival") }), "it arrives in round 4, and not in round 2"},
	{"an early arrival", "pause b@2..4", message("a", "b", 2, func(m object) { m["arrival"] = 4 }), "it arrives in round 5, and not in round 4"},
	{"a late arrival", "pause b@2..4", message("a", "b", 2, func(m object) { m["arrival"] = 6 }), "it arrives in round 5, and not in round 6"},
	{"an arrival after the end", "pause b@2..6", message("a", "b", 2, func(m object) { m["arrival"] = 6 }), "it arrives in no round, and not in round 6"},
	{"an arrival without a pause", "", message("a", "b", 2, func(m object) { m["arrival"] = 4 }), "it arrives in round 2, and not in round 4"},
	{"an arrival at a crash", "crash b@4; pause b@2..3", message("a", "b", 2, func(m object) { delete(m, "lost"); m["arrival"] = 4 }), "it arrives, and waits for b until crash b@4 loses it"},
	{"an arrival of what is lost", "omit a>b@1", message("a", "b", 1, func(m object) { m["arrival"] = 2 }), "it is lost, and arrives in round 2"},
}

// pointLies are lies about crashes at points.
var pointLies = []executionLie{
	{"a loss where the rest arrives", "crash b@2/heard", message("a", "b", 2, func(m object) { m["lost"] = "crash b@2/heard" }), "and what else is to reach b in that round is lost by crash b@2/heard"},
	{"an arrival where the rest is lost", "crash b@2/sent", message("a", "b", 2, func(m object) { delete(m, "lost") }), "and what else is to reach b in that round arrives"},
	{"an arrival after a point", "crash b@2/sent", message("a", "b", 3, func(m object) { delete(m, "lost") }), "it arrives, and crash b@2/sent loses it"},
	{"a loss of what was sent before a point", "crash b@2/sent", message("b", "a", 2, func(m object) { m["lost"] = "crash b@2/sent" }), "and no fault of the schedule"},
	{"a loss by a point that is not reached", "crash b@2/never", message("a", "b", 2, func(m object) { m["lost"] = "crash b@2/never" }), "the process did not come to that point"},
	{"a message after a point", "crash b@2/sent", message("a", "c", 3, func(m object) { m["from"] = "b" }), "b has crashed by round 3"},
	{"a fact after a point", "crash c@1; crash b@2/sent", func(_, a object) {
		a["execution"].(object)["facts"].([]any)[0].(object)["args"].([]any)[0] = "b"
		a["execution"].(object)["facts"].([]any)[0].(object)["round"] = 3
	}, "b has crashed by round 3"},
	{"a point that is said to be unreached", "crash b@2/sent", set("crash b@2/sent", "execution", "unreached"), "is said to be lost by crash b@2/sent, and the process did not come to that point"},
	{"another unreached point", "crash b@2/sent", set("crash b@2/never", "execution", "unreached"), "unreached: crash b@2/never is no crash at a point that the schedule has"},
	{"a point that is reached in a pause", "crash b@2/sent; pause b@2", set("", "execution", "unreached"), "crash b@2/sent is not said to be unreached, and b is paused in that round"},
	{"an arrival at a point in a pause", "crash b@2/sent; pause b@2", message("a", "b", 2, func(m object) { delete(m, "lost"); m["arrival"] = 3 }), "it arrives, and waits for b until crash b@2/sent loses it"},
}

// What a host says of an execution has to fit what it was asked.
func TestLiesAboutExecutions(t *testing.T) {
	refuses(t, gossip(), executionLies)
	refuses(t, pointed(), pointLies)
}

// searched are the bounds of the searches.
func searched(isolations, crashes int) rounds.Bounds {
	return rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 6, Isolations: isolations, Crashes: crashes, Period: 2, CrashStop: true}
}

var answers = "answer"

// lies about a search that finds something, and one that does not.
var violatedLies, holdsLies = []searchLie{
	{"other bounds", set(2, answers, "scope", "bounds", "isolations"), "its scope is 3 processes, 6 rounds, at most 2 isolations"},
	{"other rounds", set(8, answers, "scope", "bounds", "eot"), "its scope is 3 processes, 8 rounds"},
	{"other processes", set([]any{"a", "b", "d"}, answers, "scope", "bounds", "processes"), `(processes ["a" "b" "d"])`},
	{"other scenarios", set(7, answers, "scope", "scenarios"), "its scope has 7 schedules, and the bounds have 19"},
	{"another strategy", set("sample", answers, "search", "strategy"), `it searched by "sample", and not by "exhaustive"`},
	{"another seed", set(6, answers, "search", "seed"), "it searched with the seed 6, and not 5"},
	{"too many executions", set(101, answers, "search", "executions"), "it searched with 101 executions, and not at most 100"},
	{"executions below nothing", set(-1, answers, "search", "executions"), "it searched with -1 executions"},
	{"states below nothing", set(-1, answers, "search", "states"), "it met -1 states"},
	{"fewer executions", set(0, answers, "stats", "executions"), "it made 0 executions altogether"},
	{"no search", set(nil, answers, "search"), "it does not say how the system was searched"},
	{"another verdict", set("inconclusive", answers, "verdict"), "lacks its limit"},
	{"no counterexample", set([]any{}, answers, "counterexamples"), "lacks its counterexample"},
	{"complete", set(true, answers, "complete"), "a verdict violated has complete = true"},
	{"a schedule outside the bounds", func(_, a object) {
		c := at(a, answers, "counterexamples", 0).(object)
		c["schedule"], c["size"] = "isolate a@1..2; isolate b@1..2", 2
	}, "lies outside the bounds: 2 isolations, where the bounds allow 1"},
	{"a schedule of another kind", func(_, a object) {
		c := at(a, answers, "counterexamples", 0).(object)
		c["schedule"], c["size"] = "crash a@1", 1
	}, "lies outside the bounds: 1 crash, where the bounds allow 0"},
	{"a find outside the bounds", set("crash a@1", answers, "search", "found"), `the schedule that was found: the schedule "crash a@1" lies outside the bounds`},
	{"another size", set(0, answers, "counterexamples", 0, "size"), "is 1, and not 0"},
	{"another schedule than executed", set("isolate b@3..4", answers, "counterexamples", 0, "schedule"), `the counterexample "isolate b@3..4": the recording is one of the schedule`},
	{"another violation", set("violation(z)", answers, "counterexamples", 0, "violations", 0, "text"), "of which something else is true when it is executed"},
	{"an unknown property", set("quiet", answers, "counterexamples", 0, "violations", 0, "property"), `a violation of "quiet", which is no property that the host judges`},
	{"no violation", set([]any{}, answers, "counterexamples", 0, "violations"), "a counterexample lacks its violations"},
	{"another message", set("hullo", answers, "counterexamples", 0, "execution", "messages", 0, "relation"), "of which something else is true when it is executed"},
	{"an ended search", set(object{"kind": "timeout", "reason": "x"}, answers, "limit"), `it was ended by its limit "timeout", and nobody asked for that`},
	{"an unknown limit", set(object{"kind": "whim", "reason": "x"}, answers, "limit"), `there is no limit "whim"`},
	{"a certificate", set(object{}, answers, "search", "certificate"), "a verdict violated has a certificate"},
	{"nothing that breaks", func(_, a object) {
		c := at(a, answers, "counterexamples", 0).(object)
		c["schedule"], c["size"] = "", 0
		e := c["execution"].(object)
		e["schedule"], e["messages"], e["facts"] = "", []any{}, []any{}
	}, "of which something else is true when it is executed"},
}, []searchLie{
	{"other bounds", set(2, answers, "search", "certificate", "bounds", "crashes"), "what its certificate covers is 3 processes, 6 rounds, at most 2 crashes"},
	{"fewer rounds", set(5, answers, "search", "certificate", "bounds", "eot"), "what its certificate covers is 3 processes, 5 rounds"},
	{"other processes", set([]any{"a", "b"}, answers, "search", "certificate", "bounds", "processes"), "what its certificate covers is 2 processes"},
	{"fewer schedules", set(18, answers, "search", "certificate", "schedules"), "its certificate covers 18 schedules, and the bounds have 19"},
	{"no schedules", set(nil, answers, "search", "certificate", "schedules"), "its certificate covers <nil> schedules"},
	{"other settings", set("ticks 3", answers, "search", "certificate", "settings"), `its certificate is one with "ticks 3", and not with "ticks 2"`},
	{"less than nothing", set(-1, answers, "search", "certificate", "states"), "its certificate counts less than nothing"},
	{"no certificate", set(nil, answers, "search", "certificate"), "a verdict holds lacks its certificate"},
	{"incomplete", set(false, answers, "complete"), "a verdict holds has complete = false"},
	{"a limit", set(object{"kind": "executions", "reason": "x"}, answers, "limit"), "a verdict holds has a limit"},
	{"a find", set("crash a@1", answers, "search", "found"), "a verdict holds has a schedule that was found"},
	{"a counterexample", func(_, a object) {
		a[answers].(object)["counterexamples"] = []any{object{"schedule": "crash a@1", "size": 1, "violations": []any{object{"property": "heard", "text": "x"}},
			"execution": object{"bounds": object{"processes": []any{"a", "b", "c"}, "eot": 6}, "schedule": "crash a@1"}}}
	}, "a verdict holds has a counterexample"},
	{"a violation", set("violated", answers, "verdict"), "lacks its counterexample"},
	{"used up", func(_, a object) {
		answer := a[answers].(object)
		answer["verdict"], answer["complete"], answer["limit"] = "inconclusive", false, object{"kind": "executions", "reason": "x"}
		delete(answer["search"].(object), "certificate")
	}, "it used up its executions, and made 0 of 100"},
	{"what finding nothing means", set(0.5, answers, "search", "drawn"), "a verdict holds says what finding nothing means"},
	{"more than certain", func(_, a object) {
		answer := a[answers].(object)
		answer["verdict"], answer["complete"], answer["limit"] = "inconclusive", false, object{"kind": "executions", "reason": "x"}
		delete(answer["search"].(object), "certificate")
		answer["search"].(object)["drawn"] = 1.5
	}, "each schedule was drawn with probability 1.5"},
}

type searchLie struct {
	name  string
	lie   lie
	wrong string
}

// What a host says of a search has to fit what it was asked, and what it says has
// been executed happens again.
func TestLiesAboutSearches(t *testing.T) {
	violated := search.Options{Strategy: "exhaustive", Bounds: searched(1, 0), Seed: 5, Executions: 100}
	holds := search.Options{Strategy: "exhaustive", Bounds: searched(0, 1), Executions: 100, Settings: rounds.Settings{Ticks: rounds.Set(2)}}
	for _, all := range []struct {
		lies    []searchLie
		options search.Options
	}{{violatedLies, violated}, {holdsLies, holds}} {
		for _, c := range all.lies {
			t.Run(c.name, func(t *testing.T) {
				r := liar(t, gossip(), Options{}, to(messages.DoSearch, c.lie))
				require.NoError(t, r.greet(t.Context()))
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := r.Systems()[0].Search(ctx, all.options)
				require.ErrorContains(t, err, c.wrong)
			})
		}
	}
}

// descriptions are lies about what a host has.
var descriptions = []searchLie{
	{"no systems", set([]any{}, "systems"), "the host has no systems"},
	{"another version", set(2, "version"), "version 2 of the protocol, and not 1"},
	{"no rounds", set(0, "systems", 0, "rounds"), "an execution has 1 to 100000 rounds, and not 0"},
	{"no processes", set([]any{}, "systems", 0, "processes"), "there are no processes"},
	{"a process twice", set([]any{"a", "a"}, "systems", 0, "processes"), "process a is named twice"},
	{"a process that cannot be", set([]any{"a b"}, "systems", 0, "processes"), `process name "a b"`},
	{"no property", set("", "systems", 0, "properties", 0, "name"), "a property has no name"},
	{"nothing to judge by", set([]any{object{"name": "p"}}, "systems", 0, "properties"), `it needs either rules or a function`},
	{"rules that are none", set([]any{object{"name": "p", "rules": "violation("}}, "systems", 0, "properties"), "p:1"},
	{"a property twice", set([]any{object{"name": "p", "judged": true}, object{"name": "p", "judged": true}}, "systems", 0, "properties"), `two properties have the name "p"`},
	{"a system twice", func(_, a object) { a["systems"] = append(a["systems"].([]any), a["systems"].([]any)[0]) }, `two systems with the name "gossip"`},
	{"faults that cannot be", set(object{"crashes": -1}, "systems", 0, "faults"), "a budget is a whole number"},
}

func TestLiesAboutSystems(t *testing.T) {
	for _, c := range descriptions {
		t.Run(c.name, func(t *testing.T) {
			r := liar(t, gossip(), Options{}, to(messages.DoHello, c.lie))
			require.ErrorContains(t, r.greet(t.Context()), c.wrong)
		})
	}
}

// A host cannot have made more executions than there are, or less than none.
func TestLiesAboutProgress(t *testing.T) {
	for _, executions := range []int{-1, 1001} {
		r := liar(t, gossip(), Options{}, to(messages.DoSearch, func(_, a object) {
			delete(a, "answer")
			a["progress"] = object{"executions": executions, "states": 0, "text": "x"}
		}))
		require.NoError(t, r.greet(t.Context()))
		_, err := r.Systems()[0].Search(t.Context(), search.Options{Bounds: searched(1, 0), Executions: 1000})
		require.ErrorContains(t, err, fmt.Sprintf("the host says that it has made %d of 1000 executions", executions))
	}
}

// Without lies the same searches are believed.
func TestTruth(t *testing.T) {
	r := liar(t, gossip(), Options{}, func(object, object) {})
	require.NoError(t, r.greet(t.Context()))
	a, err := r.Systems()[0].Search(t.Context(), search.Options{Bounds: searched(1, 0)})
	require.NoError(t, err)
	require.True(t, a.First().Confirmed)
	a, err = r.Systems()[0].Search(t.Context(), search.Options{Bounds: searched(0, 1)})
	require.NoError(t, err)
	require.True(t, a.Search.ByHost)
	require.Equal(t, result.Holds, a.Verdict)
}

// fragile is gossip in which b panics in round 3.
func fragile() *system.System {
	s := gossip()
	s.New = func(name string, _ *rand.Rand) system.Process { return breaking{name: name} }
	return s
}

type breaking struct {
	greeter
	name string
}

func (p breaking) Send(s *system.Step) {
	if p.name == "b" && s.Round() == 3 {
		panic("out of cheese")
	}
	p.greeter.Send(s)
}

// lies about an execution in which a process panics.
var panicLies = []executionLie{
	{"of nobody", "", set("d", "violations", 0, "fact", "args", 0), `the panic panic("d", "out of cheese")@3: there is no process "d"`},
	{"of a crashed process", "crash c@2", set("c", "violations", 0, "fact", "args", 0), "c has crashed by round 3"},
	{"of a paused process", "pause a@3..4", set("a", "violations", 0, "fact", "args", 0), "a is paused in round 3"},
	{"without a text", "", set([]any{"b"}, "violations", 0, "fact", "args"), "the fact of a panic is panic(process, text) in its round"},
	{"in no round", "", set(0, "violations", 0, "fact", "round"), "the fact of a panic is panic(process, text) in its round"},
	{"too early", "", set(1, "violations", 0, "fact", "round"), "the execution ends in round 1, where a process panics"},
	{"beside another violation", "", func(_, a object) {
		a["violations"] = append(a["violations"].([]any), object{"property": "heard", "text": "x"})
	}, "a process panics, and 1 other violations are judged"},
	{"and facts later", "", set(5, "execution", "facts", 0, "round"), "the execution ends in round 3, where a process panics"},
}

func TestLiesAboutPanics(t *testing.T) {
	refuses(t, fragile(), panicLies)
	r := liar(t, fragile(), Options{}, func(object, object) {})
	require.NoError(t, r.greet(t.Context()))
	a, err := r.Systems()[0].Search(t.Context(), search.Options{Bounds: searched(1, 0)})
	require.NoError(t, err)
	require.Equal(t, "no panic: process b panics in round 3: out of cheese", a.First().Violations[0].String())
}

// A host that executes truthfully may claim that it needs all faults of a schedule,
// or that there are none with fewer.
func TestLiesAboutFewerFaults(t *testing.T) {
	s := gossip()
	schedule := parse(t, "isolate a@3..4; isolate b@1..2")
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	violations, err := s.Properties[0].Check(e)
	require.NoError(t, err)
	for _, c := range []struct {
		members object
		wrong   string
	}{
		{object{"irreducible": true}, `the host says that no fault of the schedule "isolate b@1..2; isolate a@3..4" can be left out, and what it violates is violated under`},
		{object{"minimal": true, "among": "the schedules within the bounds"}, "can be left out"},
		{object{"minimal": true, "among": "friends"}, `is not minimal among "friends"`},
		{object{"minimal": true, "among": ""}, `is not minimal among ""`},
		{object{"minimal": false, "among": "the schedules within the bounds"}, "is not minimal, among"},
		{object{}, ""},
	} {
		r := liar(t, s, Options{}, to(messages.DoSearch, func(_, a object) {
			found := at(a, "answer", "counterexamples", 0).(object)
			for key, value := range map[string]any{
				"schedule": schedule, "size": 2, "execution": e, "violations": violations, "minimal": false, "among": "", "irreducible": false,
			} {
				found[key] = value
			}
			for key, value := range c.members {
				found[key] = value
			}
		}))
		require.NoError(t, r.greet(t.Context()))
		a, err := r.Systems()[0].Search(t.Context(), search.Options{Bounds: searched(2, 0)})
		if c.wrong == "" {
			require.NoError(t, err)
			require.Equal(t, schedule.Normal(), a.First().Schedule)
			continue
		}
		require.ErrorContains(t, err, c.wrong)
	}
}

// Of a long error the beginning is told.
func TestLongErrors(t *testing.T) {
	r := liar(t, fragile(), Options{}, to(messages.DoRun, func(_, a object) { a["error"] = strings.Repeat("é", 1<<20) }))
	require.NoError(t, r.greet(t.Context()))
	_, _, err := r.Systems()[0].Execute(t.Context(), rounds.Schedule{}, 0, messages.Always)
	require.ErrorContains(t, err, "éé... (2097152 bytes)")
	require.Less(t, len(err.Error()), 5000)
}
