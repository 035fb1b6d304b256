package guide

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// Mixer is a process of a random system: what it sends and reports depends on what it has
// received. It sends in the order of recordings.
type Mixer struct {
	Names       []string
	Seed, State int
}

type (
	v string
	w string
)

func (p v) String() string { return string(p) }
func (p w) String() string { return string(p) }

func (p *Mixer) Send(s *system.Step) {
	p.State += len(s.Requests())
	text := []string{"one", "two"}[p.State%2]
	for i, to := range p.Names {
		if to == s.Process() {
			continue
		}
		if (p.State+s.Round()*p.Seed+i)%3 > 0 {
			s.Send(to, v(text))
		}
		if (p.State*p.Seed+s.Round()+i)%3 == 0 {
			s.Send(to, w(text))
		}
	}
}

func (p *Mixer) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		p.State += p.Seed + len(m.From)
		if text, ok := m.Payload.(w); ok && text == "two" {
			p.State++
		}
	}
	if relation := []string{"p", "q"}[p.State/2%2]; p.State%5 > 0 {
		s.Fact(relation, p.State%3)
	}
}

// TestSteeringIsTheDefinition compares executions that random guides steer with the
// definition: each round is decided naively in an execution under what was decided before.
func TestSteeringIsTheDefinition(t *testing.T) {
	faults, late := 0, 0
	also = 0
	for i := range uint64(*long / 2) {
		rng := rand.New(rand.NewPCG(*seed+i, 5))
		var g *Guide
		var text string
		for g == nil {
			text = forSystems.Replace(randomGuide(rng))
			if rng.IntN(2) == 0 {
				text += "\n" + `hold(M) :- message(M, _, _, "w", _, R), R < 4.` + "\n" + `release(M, S) :- p(_, 1, R), round(S), S > R, message(M, _, _, _, "two", _).`
			}
			g, _ = Parse("random.mg", text)
		}
		factor := 1 + rng.IntN(4)
		s := &system.System{
			Name: "mixers", Processes: names, Rounds: 4,
			New: func(name string, _ *rand.Rand) system.Process {
				return &Mixer{Names: names, Seed: factor, State: slices.Index(names, name)}
			},
		}
		what := fmt.Sprintf("seed %d, factor %d:\n%s", *seed+i, factor, text)
		steering, err := g.NewSteering(s.Bounds(0), false)
		require.NoError(t, err, what)
		steering.Start(t.Context())
		steered, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{Steer: steering})
		require.NoError(t, err, what)
		defined := byDefinition(t, g, s, what)
		require.Nil(t, execution.FirstDivergence(defined, steered), "%s\nby definition: %s\nsteered: %s", what, defined.Schedule, steered.Schedule)
		faults += len(defined.Schedule.Faults)
		for _, f := range defined.Schedule.Faults {
			if f.Kind == rounds.Delay {
				late++
			}
		}
	}
	require.Positive(t, late)
	require.Positive(t, also)
	require.Greater(t, faults, *long)
}

// also is how much was decided of messages that are sent only because of what is decided in their round.
var also int

// forSystems leaves out what mixers do not know.
var forSystems = strings.NewReplacer("tick(P, N, R) :-", "isolate(P, R) :-", "restart(P, 3) :-", "crash(P, 3) :-",
	"lost(P, _, _, _, R)", "sent(P, _, _, _, R)",
	`lie(M, "x") :-`, "deliver(M) :-", `lie(M, "y") :-`, "drop(M) :-")

// forSearches leaves out less.
var forSearches = strings.NewReplacer("tick(P, N, R) :-", "isolate(P, R) :-", `ask(P, "put", S) :-`, "pause(P, S) :-", "restart(P, 3) :-", "crash(P, 3) :-",
	"lost(P, _, _, _, R)", "sent(P, _, _, _, R)",
	`lie(M, "x") :-`, "drop(M) :-", `lie(M, "y") :-`, "hold(M) :-")

// byDefinition decides round by round, each time in an execution under what was decided for
// the rounds before, with nothing decided from that round on.
func byDefinition(t *testing.T, g *Guide, s *system.System, what string) *recording.Execution {
	t.Helper()
	return ByDefinition(t, g, s, s.Bounds(0), rounds.Schedule{}, what).Execution
}

// Defined is what comes of a guide in an execution by definition.
type Defined struct {
	*recording.Execution
	Moves     []Move
	Reached   int  // waypoints
	Prevented bool // a message that must arrive does not, or what is decided is not what the schedule has
}

// ByDefinition is byDefinition beside the faults of a schedule, by the assumptions of bounds.
func ByDefinition(t *testing.T, g *Guide, s *system.System, assumed rounds.Bounds, given rounds.Schedule, what string) (defined Defined) {
	t.Helper()
	schedule := rounds.Schedule{Settings: given.Settings, Faults: slices.Clone(given.Faults)}
	decided := make([][]string, s.Rounds+1) // by round, with messages by what they say
	released, barred := map[[3]any]bool{}, false
	for round := 1; ; round++ {
		e, err := s.Run(t.Context(), schedule.Normal(), system.RunOptions{})
		require.NoError(t, err, what)
		if round == s.Rounds+1 { // what nobody released gets lost
			for i := range schedule.Faults {
				if f := &schedule.Faults[i]; i >= len(given.Faults) && f.Kind == rounds.Delay && f.Detail == "" && !released[[3]any{f.Round, f.Process + f.To, f.Of}] {
					f.Kind, f.By = rounds.Omit, 0
				}
			}
			continue
		}
		n := &naive{g: g, state: "start", held: map[int64]bool{}, fired: make([]bool, len(g.rules))}
		r := &Run{guide: g, bounds: s.Bounds(0), table: g.tabulator(specs.String)}
		number := 0
		var messages, all []recording.Message
		for ; r.round <= s.Rounds; r.round++ {
			past := Past{}
			if r.round > 0 {
				messages = sentIn(e, r.round)
				first, before := number+1, n.clone()
				number = n.send(r.round, number, messages)
				all = append(all, messages...)
				if r.round == round {
					decide := func(d string, messages []recording.Message) (acted bool) {
						if strings.HasPrefix(d, "release ") {
							d = release(d, round, all, schedule.Faults[len(given.Faults):], released)
							decided[round] = append(decided[round], d)
							return false
						}
						decided[round] = append(decided[round], named(d, first, messages))
						if number := numberOf(d); number > 0 {
							m := messages[number-first]
							if has(given, m, rounds.Delay) || has(given, m, rounds.Duplicate) || strings.Contains(d, " hold ") && has(given, m, rounds.Omit) {
								return false // it is late or lost anyway
							}
						}
						faults := slices.DeleteFunc(faultsOf(d, round, first, messages, s.Rounds), func(f rounds.Fault) bool {
							alone := assumed
							alone.Deliver, alone.Kernel = "", ""
							excluded := schedules.Assumed(rounds.Schedule{Faults: []rounds.Fault{f}}, alone) != nil
							barred = barred || excluded && f.Of == ""
							return excluded
						})
						more := rounds.Schedule{Settings: given.Settings, Faults: append(slices.Clone(schedule.Faults), faults...)}
						if more.Normal().Check(s.Bounds(0)) == nil {
							schedule = more
							return len(faults) > 0 && numberOf(d) == 0
						}
						if p, crashes := strings.CutPrefix(d, "crash "); crashes { // of what crashes already, or will by the schedule
							crashed := func(f rounds.Fault) bool { return f.Kind == rounds.Crash && f.Process == p && f.Round <= round }
							barred = barred || !slices.ContainsFunc(schedule.Faults, crashed)
						}
						return false
					}
					now, acted := n.decide(round, first, number), false
					for _, d := range now {
						if numberOf(d) == 0 {
							acted = decide(d, messages) || acted
						}
					}
					then := messages // what is sent with what happens to processes
					if acted {
						e, err := s.Run(t.Context(), schedule.Normal(), system.RunOptions{})
						require.NoError(t, err, what)
						then = sentIn(e, round)
					}
					sent := func(m recording.Message, in []recording.Message) bool {
						return slices.ContainsFunc(in, func(o recording.Message) bool { return identical(m, o) })
					}
					for _, d := range now {
						if number := numberOf(d); number > 0 && sent(messages[number-first], then) {
							decide(d, messages)
						} else if number > 0 {
							decided[round] = append(decided[round], named(d, first, messages))
						}
					}
					if acted { // messages that are sent only because of that
						for _, d := range before.decide(round, first, before.send(round, first-1, then)) {
							if number := numberOf(d); number > 0 && !sent(then[number-first], messages) {
								decide(d, then)
								also++
							}
						}
					}
					break
				}
				past = PastOf(e, r.round)
				r.sent = nil
				for i, m := range messages {
					from, to, kind, says := r.table.Message(&m)
					r.sent = append(r.sent, specs.Int(int64(first+i)), from, to, kind, says, specs.Int(int64(r.round)))
				}
			}
			rows, err := r.rows(past)
			require.NoError(t, err, what)
			d := decisionsOf(decided[r.round], number-len(messages)+1, messages, all)
			n.hold(d)
			holds := n.after(r.round, cloned(rows), d)
			if next := len(n.reached) + 1; slices.Contains(holds, next) {
				n.reached = append(n.reached, r.round)
				n.happens("waypoint?", r.round, specs.Int(int64(next)), specs.Int(int64(r.round)))
			}
		}
		if round > s.Rounds {
			defined.Execution, defined.Moves, defined.Reached = e, n.moves, len(n.reached)
			defined.Prevented = barred || contradicted(e, assumed, given, decided) || schedules.Granted(whole(e, schedule), assumed) != nil
			return defined
		}
	}
}

// whole returns a schedule with the omission of all that is sent on a link in a round in place of one for each kind.
func whole(e *recording.Execution, s rounds.Schedule) rounds.Schedule {
	all := rounds.Schedule{Settings: s.Settings, Faults: slices.Clone(s.Faults)}
	for _, f := range s.Faults {
		if f.Kind == rounds.Omit && !slices.ContainsFunc(e.Messages, func(m recording.Message) bool {
			return m.Round == f.Round && m.From == f.Process && m.To == f.To && !m.Again &&
				!slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool {
					return g.Kind == rounds.Omit && g.Round == f.Round && g.Process == f.Process && g.To == f.To && (g.Of == "" || g.Of == m.Relation)
				})
		}) {
			f.Of = ""
			all.Faults = append(all.Faults, f)
		}
	}
	return all.Normal()
}

// has tells whether a schedule has a fault of a kind that hits a message.
func has(given rounds.Schedule, m recording.Message, kind rounds.Kind) bool {
	return slices.ContainsFunc(given.Faults, func(f rounds.Fault) bool {
		return f.Kind == kind && f.Process == m.From && f.To == m.To && f.Round == m.Round && (f.Of == "" || f.Of == m.Relation)
	})
}

// contradicted tells whether a message that must arrive is not sent, or does not arrive in its
// round, or whether a schedule makes one late, or come twice, that is to be lost or held, or its link is reliable.
func contradicted(e *recording.Execution, assumed rounds.Bounds, given rounds.Schedule, decided [][]string) bool {
	for round, all := range decided {
		for _, d := range all {
			words := strings.Split(d, " ")
			sent := func(as func(recording.Message) bool) bool {
				return slices.ContainsFunc(e.Messages, func(m recording.Message) bool { return m.Round == round && !m.Again && says(m) == words[0] && as(m) })
			}
			switch {
			case !strings.Contains(words[0], ">"):
			case words[1] == "deliver" && !sent(func(m recording.Message) bool { return !m.Lost && m.Arrival == 0 }):
				return true
			case (words[1] == "drop" || words[1] == "hold") && sent(func(m recording.Message) bool {
				return has(given, m, rounds.Delay) || has(given, m, rounds.Duplicate) || slices.Contains(assumed.Reliable, m.From+">"+m.To)
			}):
				return true
			}
		}
	}
	return false
}

// release lets a message that was held arrive, and returns the decision with the message by
// what it says.
func release(d string, round int, all []recording.Message, faults []rounds.Fault, released map[[3]any]bool) string {
	var number int
	_, _ = fmt.Sscanf(d, "release %d", &number)
	m := all[number-1]
	for i := range faults {
		if f := &faults[i]; f.Kind == rounds.Delay && f.Round == m.Round && f.Process == m.From && f.To == m.To && f.Of == m.Relation {
			f.By = round - m.Round
			released[[3]any{f.Round, f.Process + f.To, f.Of}] = true
		}
	}
	return fmt.Sprintf("release %d %s", m.Round, says(m))
}

// hold takes note of what is held.
func (n *naive) hold(d Decisions) {
	for _, f := range d.Fates {
		if f.Do == "hold" {
			n.held[int64(f.Message)] = true
		}
	}
	for _, m := range d.Releases {
		delete(n.held, int64(m))
	}
}

// clone returns the same, of which nothing changes.
func (n *naive) clone() *naive {
	c := *n
	c.events, c.moves, c.reached = slices.Clone(n.events), slices.Clone(n.moves), slices.Clone(n.reached)
	c.held, c.fired = maps.Clone(n.held), slices.Clone(n.fired)
	return &c
}

// numberOf returns the number of the message that a decision is about, 0 if there is none.
func numberOf(d string) (number int) {
	_, _ = fmt.Sscanf(d, "%d ", &number)
	return number
}

func says(m recording.Message) string {
	return fmt.Sprintf("%s>%s:%s:%s", m.From, m.To, m.Relation, m.Args[1].Text())
}

// named returns a decision with a message by what it says: "a>b:v:one drop ".
func named(d string, first int, messages []recording.Message) string {
	var number int
	if _, err := fmt.Sscanf(d, "%d ", &number); err == nil {
		_, rest, _ := strings.Cut(d, " ")
		return says(messages[number-first]) + " " + rest
	}
	return d
}

// decisionsOf returns decisions about the messages of a round, as far as these are still sent.
func decisionsOf(named []string, first int, messages, all []recording.Message) (d Decisions) {
	for _, text := range named {
		words := strings.Split(text, " ")
		if words[0] == "release" {
			i := slices.IndexFunc(all, func(m recording.Message) bool { return fmt.Sprint(m.Round) == words[1] && says(m) == words[2] })
			if i >= 0 {
				d.Releases = append(d.Releases, i+1)
			}
			continue
		}
		if !strings.Contains(words[0], ">") {
			a := Act{Do: words[0], Process: words[1]}
			switch a.Do {
			case "part":
				a.Other = words[2]
			case "ask":
				a.Payload = words[2]
			}
			d.Acts = append(d.Acts, a)
			continue
		}
		if i := slices.IndexFunc(messages, func(m recording.Message) bool { return says(m) == words[0] }); i >= 0 {
			d.Fates = append(d.Fates, Fate{Message: first + i, Do: words[1], Lie: words[2]})
		}
	}
	slices.SortFunc(d.Fates, func(a, b Fate) int { return a.Message - b.Message })
	return d
}

// faultsOf returns a decision as faults.
func faultsOf(d string, round, first int, messages []recording.Message, last int) (faults []rounds.Fault) {
	words := strings.Split(d, " ")
	var number int
	if _, err := fmt.Sscan(words[0], &number); err == nil {
		m := messages[number-first]
		f := rounds.Fault{Kind: rounds.Omit, Process: m.From, To: m.To, Round: round, Of: m.Relation}
		switch {
		case words[1] == "drop" || words[1] == "hold" && round == last:
			faults = append(faults, f)
		case words[1] == "hold":
			f.Kind, f.By = rounds.Delay, last-round
			faults = append(faults, f)
		}
		return faults
	}
	f := rounds.Fault{Process: words[1], Round: round}
	switch words[0] {
	case "crash":
		f.Kind = rounds.Crash
	case "ask":
		f.Kind, f.Detail = rounds.Ask, words[2]
	case "isolate":
		f.Kind, f.Until = rounds.Isolate, round
	case "pause":
		f.Kind, f.Until = rounds.Pause, round
	case "part":
		f.Kind, f.To, f.Until = rounds.Cut, words[2], round
		back := f
		back.Process, back.To = f.To, f.Process
		return []rounds.Fault{f, back}
	}
	return []rounds.Fault{f}
}
