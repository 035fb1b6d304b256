package causality_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

func checkout(t *testing.T) []causality.Span {
	t.Helper()
	data, err := os.ReadFile("testdata/checkout.otlp.json")
	require.NoError(t, err)
	all, err := causality.ReadOTLP(data)
	require.NoError(t, err)
	return all
}

func recorded(t *testing.T, all []causality.Span) *recording.Execution {
	t.Helper()
	trace, err := causality.NewTrace(all, "")
	require.NoError(t, err)
	e, err := trace.Recording()
	require.NoError(t, err)
	return e
}

func cut(t *testing.T, e *recording.Execution, outcome string) *causality.Cuts {
	t.Helper()
	var query *syntax.Query
	if outcome != "" {
		q, err := dedalus.ParseQuery(outcome)
		require.NoError(t, err)
		query = &q
	}
	cuts, err := causality.Cut(e, query, 100)
	require.NoError(t, err)
	return cuts
}

// A frontend asks for a cart (the first call is not answered, the second is), has the
// payment charged, which asks a database, puts an order into a queue, and asks twice for
// rates at the same time.
func TestCheckout(t *testing.T) {
	e := recorded(t, checkout(t))
	var b bytes.Buffer
	require.NoError(t, diagram.Write(&b, e, diagram.Options{}))
	for _, f := range e.Facts {
		fmt.Fprintln(&b, f)
	}
	for _, outcome := range []string{"", `ended(payment, "Charge", _)`} {
		cuts := cut(t, e, outcome)
		fmt.Fprintf(&b, "\n%s would not have ended well without one of\n", cuts.Outcome)
		for _, set := range cuts.Sets {
			fmt.Fprintf(&b, "  %d  %v\n", len(set), set)
		}
		for _, either := range cuts.Either {
			fmt.Fprintf(&b, "  enough was %s\n", either)
		}
	}
	golden.Equal(t, "checkout.txt", b.Bytes())
}

// Jaeger answers /api/v3/traces/ID with a trace of OTLP in a field.
func TestAnswerOfJaeger(t *testing.T) {
	data, err := os.ReadFile("testdata/checkout.otlp.json")
	require.NoError(t, err)
	want, err := causality.ReadOTLP(data)
	require.NoError(t, err)
	got, err := causality.ReadOTLP([]byte(`{"result": ` + string(data) + `}`))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// The end of each span can be asked about in the round in which it is recorded, also where
// who called heard of it later.
func TestEachEnd(t *testing.T) {
	data, err := os.ReadFile("testdata/checkout.otlp.json")
	require.NoError(t, err)
	all, err := causality.ReadOTLP(data)
	require.NoError(t, err)
	e := recorded(t, all)
	ends := 0
	for _, f := range e.Facts {
		if f.Relation == causality.EndedFact {
			ends++
			require.Equal(t, recording.Display(f, e.Bounds.Processes), cut(t, e, f.String()).Outcome)
		}
	}
	require.Equal(t, 10, ends)
}

// A call that failed, and that a service did not record which records others, was lost;
// so was the answer of which who called did not come to know. Of who records nothing it
// is not known whether a call came there.
func TestWhatWasLost(t *testing.T) {
	client := func(id, name, peer string, failed bool, start uint64) causality.Span {
		return causality.Span{Trace: "1", ID: id, Parent: "root", Service: "shop", Name: name, Kind: causality.Client, Peer: peer, Failed: failed, Start: start, End: start + 5}
	}
	e := recorded(t, []causality.Span{
		{Trace: "1", ID: "root", Service: "shop", Name: "buy", Kind: causality.Server, Start: 0, End: 100},
		client("a", "Get", "cart", true, 10),
		client("b", "Get", "cart", true, 20),
		{Trace: "1", ID: "b'", Parent: "b", Service: "cart", Name: "Get", Kind: causality.Server, Start: 1, End: 2},
		client("c", "Get", "cart", true, 30),
		{Trace: "1", ID: "c'", Parent: "c", Service: "cart", Name: "Get", Kind: causality.Server, Start: 3, End: 4, Failed: true, Error: "empty"},
		client("d", "SELECT", "database", true, 40),
		client("e", "SELECT", "database", false, 50),
	})
	var lost, arrived []string
	for _, m := range e.Messages {
		text := fmt.Sprintf("%s>%s %s", m.From, m.To, m.Relation)
		if m.Lost {
			require.Equal(t, fmt.Sprintf("omit %s>%s@%d", m.From, m.To, m.Round), m.Cause.String())
			lost = append(lost, text)
		} else {
			arrived = append(arrived, text)
		}
	}
	require.Equal(t, []string{"shop>cart Get", "cart>shop answer"}, lost)
	require.ElementsMatch(t, []string{"shop>cart Get", "shop>cart Get", "cart>shop error", "shop>database SELECT", "shop>database SELECT", "database>shop answer"}, arrived)
}

// The clocks of machines are not compared: those of other services may be years away, and
// the execution is the same.
func TestClocksAreNotCompared(t *testing.T) {
	want := recorded(t, checkout(t))
	for _, service := range []string{"cart", "payment", "mailer"} {
		shifted := checkout(t)
		for i := range shifted {
			if shifted[i].Service == service {
				shifted[i].Start, shifted[i].End = shifted[i].Start+1e18, shifted[i].End+1e18
			}
		}
		got := recorded(t, shifted)
		require.ElementsMatch(t, messages(want), messages(got), service)
	}
}

// messages are those of an execution without the numbers of their spans, which follow the
// order in which roots began.
func messages(e *recording.Execution) []string {
	var all []string
	for _, m := range e.Messages {
		all = append(all, fmt.Sprintf("%s>%s@%d %s", m.From, m.To, m.Round, m.Relation))
	}
	return all
}

// Each message is sent when what led to it has happened: the round of a span is later than
// that of the call, and the answer is later than that.
func TestCausesComeFirst(t *testing.T) {
	e := recorded(t, checkout(t))
	began := map[int64]int{}
	for _, f := range e.Facts {
		if f.Relation == "span" {
			began[f.Args[1].Int()] = f.Round
			require.GreaterOrEqual(t, f.Round, began[f.Args[2].Int()], "%s begins before its parent", f)
		}
	}
	for _, f := range e.Facts {
		if f.Relation == "asked" {
			began[f.Args[1].Int()] = f.Round + 1
			require.GreaterOrEqual(t, f.Round, began[f.Args[2].Int()], "%s is asked before its parent begins", f)
		}
	}
	for _, m := range e.Messages {
		if m.Relation == "answer" || m.Relation == "error" {
			require.GreaterOrEqual(t, m.Round, began[m.Args[1].Int()])
		} else {
			require.Equal(t, m.Round+1, began[m.Args[1].Int()], "%s", m)
		}
	}
}

// What a service did is counted by its own spans: a call that it did not record is only
// what somebody asked of it.
func TestAskedOnly(t *testing.T) {
	e := recorded(t, []causality.Span{
		{Trace: "1", ID: "a", Service: "web", Name: "GET /buy", Kind: causality.Server, Start: 0, End: 90},
		{Trace: "1", ID: "b", Parent: "a", Service: "web", Name: "Charge", Kind: causality.Client, Peer: "pay", Start: 10, End: 20, Failed: true, Error: "timeout"},
		{Trace: "1", ID: "c", Parent: "a", Service: "web", Name: "Charge", Kind: causality.Client, Peer: "pay", Start: 30, End: 80},
		{Trace: "1", ID: "d", Parent: "c", Service: "pay", Name: "Charge", Kind: causality.Server, Start: 40, End: 70},
	})
	facts := map[string][]string{}
	for _, f := range e.Facts {
		facts[f.Relation+" "+f.Args[0].Text()] = append(facts[f.Relation+" "+f.Args[0].Text()], f.String())
	}
	require.Equal(t, []string{`span("pay", 4, 3, "Charge", "d")@3`}, facts["span pay"], "it charged once")
	require.Equal(t, []string{`asked("web", 5, 2, "pay", "Charge")@1`}, facts["asked web"])
	require.Empty(t, facts["asked pay"])
}

func TestWhatIsNoTrace(t *testing.T) {
	for _, c := range []struct {
		spans []causality.Span
		id    string
		want  string
	}{
		{nil, "", "there are no spans"},
		{[]causality.Span{{Trace: "1", ID: "a"}, {Trace: "2", ID: "a"}}, "", "there are 2 traces (1, 2): choose one by --trace"},
		{[]causality.Span{{Trace: "abcd", ID: "a"}}, "abce", `there is no trace "abce" (did you mean "abcd"?)`},
		{[]causality.Span{{Trace: "1", ID: "a", Parent: "b"}, {Trace: "1", ID: "b", Parent: "a"}}, "", "some spans are their own ancestors"},
		{[]causality.Span{{Trace: "1", ID: "a"}, {Trace: "1", ID: "a"}}, "", "there are two spans a"},
		{[]causality.Span{{Trace: "1", Name: "x"}}, "", `the span "x" has no identifier`},
	} {
		_, err := causality.NewTrace(c.spans, c.id)
		require.ErrorContains(t, err, c.want)
	}
	read, err := causality.NewTrace([]causality.Span{{Trace: "1", ID: "a", Links: []string{"b"}}, {Trace: "1", ID: "b", Links: []string{"a"}}}, "")
	require.NoError(t, err)
	_, err = read.Recording()
	require.ErrorContains(t, err, "the spans contradict each other")
	_, err = causality.Cut(&recording.Execution{System: "election"}, nil, 10)
	require.ErrorContains(t, err, "the recording is of no trace")
}

// A thousand spans below each other, and a hundred thousand beside each other.
func TestLargeTraces(t *testing.T) {
	for name, parent := range map[string]func(i int) int{"deep": func(i int) int { return i - 1 }, "wide": func(int) int { return 0 }} {
		n := map[string]int{"deep": 1000, "wide": 100_000}[name]
		all := make([]causality.Span, n)
		for i := range all {
			all[i] = causality.Span{Trace: "t", ID: fmt.Sprint(i), Service: []string{"a", "b"}[i%2], Name: fmt.Sprint("x", i), Start: uint64(i), End: uint64(2*n - i)}
			if i > 0 {
				all[i].Parent = fmt.Sprint(parent(i))
			}
		}
		e := recorded(t, all)
		require.Len(t, cut(t, e, "").Sets, 100, name)
	}
}

// Whatever is read, nothing panics; what becomes an execution is a valid one.
func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("testdata/checkout.otlp.json")
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","spanId":"1","kind":3}]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := causality.ReadOTLP(data)
		if err != nil {
			return
		}
		read, err := causality.NewTrace(all, "")
		if err != nil {
			return
		}
		if e, err := read.Recording(); err == nil {
			require.NoError(t, e.Validate())
			_, _ = causality.Cut(e, nil, 10)
		}
	})
}

// What the trace does not say is a warning.
func TestCallsOfNobody(t *testing.T) {
	of := func(id, parent string) causality.Span {
		return causality.Span{Trace: "1", ID: id, Parent: parent, Service: "shop", Name: "Get", Kind: causality.Client, End: 1}
	}
	for n, want := range []string{"1 span of calls: ", "2 spans of calls: "} {
		trace, err := causality.NewTrace([]causality.Span{of("a", ""), of("b", "a")}[:n+1], "")
		require.NoError(t, err)
		require.Contains(t, fmt.Sprint(trace.Notes), want+"they do not say whom, so there is no message")
	}
}
