package guide

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

var (
	long = flag.Int("long", 25, "how many random guides to try")
	seed = flag.Uint64("seed", 1, "the first seed of them")
)

var names = []string{"a", "b", "c"}

// TestRandomGuidesMeanWhatTheNaiveInterpreterSays evaluates random guides over random
// executions, by the product and naively.
func TestRandomGuidesMeanWhatTheNaiveInterpreterSays(t *testing.T) {
	total, moved, reached := 0, 0, 0
	for i := range uint64(*long) {
		rng := rand.New(rand.NewPCG(*seed+i, 3))
		g, text := accepted(t, rng)
		d, o := compare(t, rng, g, fmt.Sprintf("seed %d:\n%s", *seed+i, text))
		total += d
		moved += len(o.Moves)
		reached += len(o.Reached)
	}
	t.Logf("%d guides decided %d times, moved %d times, reached %d waypoints", *long, total, moved, reached)
	require.Greater(t, total, 2**long)
	require.Greater(t, moved, *long/4)
	require.Greater(t, reached, *long/8)
}

// accepted returns a random guide without mistakes.
func accepted(t *testing.T, rng *rand.Rand) (*Guide, string) {
	t.Helper()
	for {
		text := randomGuide(rng)
		g, err := Parse("random.mg", text)
		if err == nil {
			return g, text
		}
		var errs specs.Errors // such as recursion through negation
		require.ErrorAs(t, err, &errs)
	}
}

// A rule that is refused since it reads the future would never have fired, and a negated
// atom that is refused for that would never have kept it from firing.
func TestWhatIsRefusedAsTheFutureIsNeverThere(t *testing.T) {
	refused := 0
	for i := range uint64(3 * *long) {
		rng := rand.New(rand.NewPCG(*seed+i, 4))
		text := randomGuide(rng)
		g, errs, err := read("random.mg", text)
		if err != nil || len(errs) == 0 || slices.ContainsFunc(errs, func(e *specs.Error) bool { return !strings.Contains(e.Message, "the future") }) {
			continue
		}
		n := evaluateNaively(t, rng, g)
		for _, e := range errs {
			of := slices.IndexFunc(g.rules, func(r *rule) bool { return r.source.Position.Line == e.Line })
			if negated := strings.HasPrefix(g.lines[e.Line-1][e.Column-1:], "!"); !negated {
				refused++
				require.False(t, n.fired[of], "seed %d: %s\n%s", *seed+i, e, text)
			}
		}
	}
	require.Greater(t, refused, *long/20)
}

// evaluateNaively evaluates a guide over a random execution.
func evaluateNaively(t *testing.T, rng *rand.Rand, g *Guide) *naive {
	t.Helper()
	n := &naive{g: g, state: "start", held: map[int64]bool{}, fired: make([]bool, len(g.rules))}
	r := &Run{guide: g, bounds: boundsOf(4), table: g.tabulator(specs.String)}
	var past Past
	for number := 0; r.round <= r.bounds.EOT; r.round++ {
		round := r.round
		if round > 0 {
			first := number + 1
			sent := randomMessages(rng, round)
			number = n.send(round, number, sent)
			n.decide(round, first, number)
			past = randomPast(rng, round, sent)
		}
		rows, err := r.rows(past)
		require.NoError(t, err)
		n.after(round, cloned(rows), Decisions{})
	}
	return n
}

func (n *naive) send(round, number int, sent []recording.Message) int {
	now := specs.Int(int64(round))
	n.happens("round", round, now)
	for _, m := range sent {
		number++
		n.happens("message", round, specs.Int(int64(number)), specs.String(m.From), specs.String(m.To), specs.String(m.Relation), m.Args[1], now)
	}
	return number
}

// cloned returns rows that stay.
func cloned(rows []recording.Fact) []recording.Fact {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Args = slices.Clone(rows[i].Args)
	}
	return rows
}

// compare evaluates a guide in both ways, and returns how much was decided.
func compare(t *testing.T, rng *rand.Rand, g *Guide, what string) (total int, o Outcome) {
	t.Helper()
	b := boundsOf(4)
	r, err := g.NewRun(b, nil)
	require.NoError(t, err, what)
	n := &naive{g: g, state: "start", held: map[int64]bool{}, fired: make([]bool, len(g.rules))}
	var past Past
	var d Decisions
	var reached []int
	recorded := func(round int) []recording.Fact { // by way of the table of properties
		rows, err := r.rows(past)
		require.NoError(t, err)
		require.Equal(t, round, r.round)
		return cloned(rows)
	}
	after := func(round int, rows []recording.Fact) {
		holds := n.after(round, rows, d)
		if next := len(reached) + 1; slices.Contains(holds, next) {
			reached = append(reached, round)
			n.happens("waypoint?", round, specs.Int(int64(next)), specs.Int(int64(round)))
		}
	}
	number := 0
	for round := 1; round <= b.EOT; round++ {
		after(round-1, recorded(round-1))
		sent := randomMessages(rng, round)
		first := number + 1
		number = n.send(round, number, sent)
		want := n.decide(round, first, number)
		d, err = r.Decide(t.Context(), past, sent)
		require.NoError(t, err, what)
		require.Equal(t, want, decided(d), "round %d, %s", round, what)
		total += len(want)
		past = randomPast(rng, round, sent)
	}
	after(b.EOT, recorded(b.EOT))
	o, err = r.End(t.Context(), past)
	require.NoError(t, err, what)
	require.Equal(t, n.moves, o.Moves, what)
	require.Equal(t, reached, o.Reached, what)
	for i, fired := range n.fired {
		if _, only := g.decisions.momentary[g.rules[i].relation]; only && fired && !g.rules[i].decides {
			continue // for messages of other rounds, of which nothing is decided any more
		}
		require.Equal(t, fired, o.Fired[i] > 0, "rule %d fires; %s", i+1, what)
	}
	return total, o
}

func randomMessages(rng *rand.Rand, round int) (all []recording.Message) {
	for range rng.IntN(4) {
		m := sent(round, names[rng.IntN(3)], names[rng.IntN(3)], []string{"v", "w"}[rng.IntN(2)], []string{"one", "two"}[rng.IntN(2)])
		all = append(all, m)
	}
	return all
}

func randomPast(rng *rand.Rand, round int, sent []recording.Message) (p Past) {
	for range rng.IntN(3) {
		p.Facts = append(p.Facts, fact([]string{"p", "q"}[rng.IntN(2)], names[rng.IntN(3)], rng.IntN(3), round))
	}
	for i, m := range sent {
		switch rng.IntN(4) {
		case 0:
			p.Lost = append(p.Lost, sent[i])
		case 1: // it is on its way
		default:
			p.Delivered = append(p.Delivered, m)
		}
	}
	if rng.IntN(3) == 0 {
		p.Faults = append(p.Faults, rounds.Fault{Kind: []rounds.Kind{rounds.Crash, rounds.Isolate}[rng.IntN(2)], Process: names[rng.IntN(3)], Round: round})
	}
	return p
}

// randomGuide returns rules of all kinds, with relations h(P, R), g(M), n(P, N) and u(R) of
// their own.
func randomGuide(rng *rand.Rand) string {
	w := &writer{rng: rng}
	for _, helper := range []string{"h", "g", "n", "u"} {
		if rng.IntN(3) > 0 {
			w.helpers = append(w.helpers, helper)
		}
	}
	for _, helper := range w.helpers {
		for range 1 + rng.IntN(2) {
			w.helper(helper)
		}
	}
	for range 1 + rng.IntN(4) {
		w.decision()
	}
	for i := range rng.IntN(4) {
		from := w.pick("start", "x", "y")
		if i == 0 {
			from = "start"
		}
		w.rule(fmt.Sprintf("goto(%q, %q)", from, w.pick("x", "y", "start")))
	}
	for i := range rng.IntN(3) {
		w.rule(fmt.Sprintf("waypoint(%d, R)", i+1))
	}
	for _, helper := range w.helpers { // all are read
		switch helper {
		case "g":
			w.lines = append(w.lines, w.pick("deliver(M) :- g(M).", "drop(M) :- message(M, _, _, _, _, _), !g(M).", "hold(M) :- f(M). f(M) :- message(M, P, _, _, _, R), !g(M).", "drop(M) :- g(M), !f(M). f(M) :- message(M, _, _, \"v\", _, _), !g(M)."))
		case "u":
			w.lines = append(w.lines, `pause("a", S) :- u(R), S = fn:plus(R, 1).`)
		case "h":
			w.lines = append(w.lines, `pause(P, S) :- h(P, R), S = fn:plus(R, 2).`)
		case "n":
			w.lines = append(w.lines, `tick(P, N, R) :- n(P, N), round(R), N > 0.`)
		}
	}
	if all := strings.Join(w.lines, ""); strings.Contains(all, `"x"`) || strings.Contains(all, `"y"`) {
		w.rule(`goto("start", "x")`)
		w.rule(`goto("x", "y")`)
	}
	return strings.Join(w.lines, "\n")
}

type writer struct {
	rng     *rand.Rand
	helpers []string
	lines   []string
}

func (w *writer) pick(words ...string) string { return words[w.rng.IntN(len(words))] }

// rule writes a rule with as much of a body as its head needs, and some more.
func (w *writer) rule(head string) {
	var body []string
	has := func(v string) bool {
		return slices.ContainsFunc(body, func(a string) bool {
			return !strings.HasPrefix(a, "!") && slices.Contains(strings.FieldsFunc(a, func(r rune) bool { return strings.ContainsRune("(), ", r) }), v)
		})
	}
	for range w.rng.IntN(3) {
		body = append(body, w.atom())
	}
	needs := strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune("(), ", r) })
	for _, v := range needs[1:] {
		switch {
		case has(v):
		case v == "M":
			body = append(body, w.pick("message(M, P, _, _, _, R)", `message(M, _, P, "v", _, R)`, "message(M, _, _, _, _, R)", "message(M, _, _, _, _, _)"))
		case v == "R":
			body = append(body, w.pick("round(R)", "p(P, _, R)", "crashed(P, R)", "delivered(_, P, _, _, R)", "q(P, N, R)"))
		case v == "P" || v == "Q":
			body = append(body, w.pick("process("+v+")", "before("+v+", _)"))
		case v == "S":
			body = append(body, w.pick("p(P, _, R), S = fn:plus(R, 1)", "q(P, _, R), S = fn:plus(R, 2)", "message(_, P, _, _, _, R), S = fn:plus(R, 1)", "round(S)"))
		case v == "N":
			body = append(body, w.pick("p(P, N, _)", "q(_, N, R)"))
		}
	}
	if len(body) == 0 {
		body = append(body, w.atom())
	}
	if has("R") && w.rng.IntN(3) == 0 {
		body = append(body, w.pick("R > 1", "R <= 2", "R != 3"))
	}
	if w.rng.IntN(3) == 0 {
		body = append(body, w.negation(has))
	}
	w.lines = append(w.lines, fmt.Sprintf("%s :- %s.", head, strings.Join(body, ", ")))
}

func (w *writer) atom() string {
	atoms := []string{
		"p(P, N, R)", "p(P, _, _)", "q(P, 1, R)", "q(Q, N, R)", "message(M, P, Q, _, _, R)", `message(M, P, _, "v", _, _)`, `message(_, _, P, "w", "two", R)`,
		"delivered(P, Q, _, _, R)", "lost(P, _, _, _, R)", "sent(P, Q, \"v\", _, R)", "crashed(P, R)", "isolated(P, _)", "round(R)", "process(P)", "in(\"x\", R)", "in(\"start\", _)",
		"crash(P, R)", "drop(M)", "hold(M)", "waypoint(1, R)", "tick(P, N, R)", `:string:contains("one", "o")`,
	}
	for _, h := range w.helpers {
		atoms = append(atoms, map[string]string{"h": "h(P, R)", "g": "g(M)", "n": "n(P, N)", "u": "u(R)"}[h])
	}
	return w.pick(atoms...)
}

func (w *writer) negation(has func(string) bool) string {
	arg := func(v string) string {
		if has(v) && w.rng.IntN(3) > 0 {
			return v
		}
		return "_"
	}
	p, r, m := arg("P"), arg("R"), arg("M")
	atoms := []string{
		"!p(" + p + ", _, " + r + ")", "!crashed(" + p + ", _)", "!message(" + m + ", " + p + ", _, \"w\", _, " + r + ")", "!delivered(_, " + p + ", _, _, _)",
		"!in(\"x\", " + r + ")", "!drop(" + m + ")", "!crash(" + p + ", _)", "!waypoint(1, _)",
	}
	for _, h := range w.helpers {
		atoms = append(atoms, map[string]string{"h": "!h(" + p + ", " + r + ")", "g": "!g(" + m + ")", "n": "!n(" + p + ", _)", "u": "!u(" + r + ")"}[h])
	}
	return w.pick(atoms...)
}

func (w *writer) helper(name string) {
	switch name {
	case "h":
		w.rule("h(P, R)")
	case "g":
		if w.rng.IntN(3) == 0 {
			w.lines = append(w.lines, "g(M) :- message(L, P, _, _, _, _) |> do fn:group_by(P), let M = fn:min(L).")
			return
		}
		w.rule("g(M)")
	case "n":
		if w.rng.IntN(2) == 0 {
			w.lines = append(w.lines, w.pick(
				"n(P, N) :- message(M, P, _, _, _, _) |> do fn:group_by(P), let N = fn:count().",
				"n(P, N) :- p(P, X, R), round(R) |> do fn:group_by(P), let N = fn:max(X).",
				"n(P, N) :- h(P, R) |> do fn:group_by(P), let N = fn:count().",
				"n(P, N) :- q(P, X, R), R < 3 |> do fn:group_by(P), let N = fn:sum(X).",
			))
			return
		}
		w.rule("n(P, N)")
	case "u":
		if w.rng.IntN(3) == 0 {
			w.lines = append(w.lines, "u(S) :- u(R), S = fn:plus(R, 1), S <= 4.", "u(R) :- p(_, 1, R).")
			return
		}
		w.rule("u(R)")
	}
}

func (w *writer) decision() {
	w.rule(w.pick("drop(M)", "drop(M)", "deliver(M)", "hold(M)", "hold(M)", "release(M, R)", `lie(M, "x")`, `lie(M, "y")`, "crash(P, S)", "crash(P, R)", "isolate(P, R)",
		"part(P, Q, R)", "tick(P, N, R)", `ask(P, "put", S)`, "restart(P, 3)", "pause(P, R)"))
}
