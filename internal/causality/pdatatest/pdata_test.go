package pdatatest

import (
	"bytes"
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// read reads a trace as the collector does, and returns its spans with their services.
func read(t *testing.T, e *recording.Execution) map[pcommon.SpanID]ptrace.Span {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, causality.WriteOTLP(&b, e))
	traces, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces(b.Bytes())
	require.NoError(t, err)
	all := map[pcommon.SpanID]ptrace.Span{}
	services := map[string]bool{}
	for _, r := range traces.ResourceSpans().All() {
		service, ok := r.Resource().Attributes().Get("service.name")
		require.True(t, ok)
		require.False(t, services[service.Str()], "one resource for each service")
		services[service.Str()] = true
		for _, s := range r.ScopeSpans().All() {
			for _, span := range s.Spans().All() {
				require.NotContains(t, all, span.SpanID())
				all[span.SpanID()] = span
			}
		}
	}
	require.Equal(t, traces.SpanCount(), len(all))
	return all
}

// requireTrace checks that the spans are one tree in which time runs forward, with a span
// for each message and for each arrival.
func requireTrace(t *testing.T, e *recording.Execution) (sent, lost int) {
	t.Helper()
	all := read(t, e)
	roots, arrived := 0, 0
	for _, s := range all {
		require.False(t, s.TraceID().IsEmpty())
		require.LessOrEqual(t, s.StartTimestamp(), s.EndTimestamp())
		if s.ParentSpanID().IsEmpty() {
			roots++
			continue
		}
		parent, ok := all[s.ParentSpanID()]
		require.True(t, ok, "the parent of %s is in the trace", s.Name())
		require.Equal(t, parent.TraceID(), s.TraceID())
		require.LessOrEqual(t, parent.StartTimestamp(), s.StartTimestamp())
		switch s.Kind() {
		case ptrace.SpanKindProducer:
			sent++
			if s.Status().Code() == ptrace.StatusCodeError {
				require.Contains(t, s.Status().Message(), "lost: ")
				lost++
			}
		case ptrace.SpanKindConsumer:
			arrived++
		}
	}
	require.Equal(t, 1, roots)
	wantSent, wantLost, wantArrived := counted(e)
	require.Equal(t, [3]int{wantSent, wantLost, wantArrived}, [3]int{sent, lost, arrived})
	return sent, lost
}

// counted counts what becomes of the messages that somebody sees.
func counted(e *recording.Execution) (sent, lost, arrived int) {
	for _, m := range e.Messages {
		switch {
		case m.From == m.To || e.System == "" && m.Round == e.Bounds.EOT:
			continue
		case m.Lost:
			lost++
		case m.Arrival <= e.Bounds.EOT:
			arrived++
		}
		if m.From != "" && !m.Again {
			sent++
		}
	}
	return sent, lost, arrived
}

func TestProtocolsAsTraces(t *testing.T) {
	sent, lost := 0, 0
	t.Chdir("../../..") // the module with the protocols
	for _, c := range oracle.Protocols(t) {
		machine, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
		require.NoError(t, err)
		for _, text := range []string{"", "crash " + c.Bounds.Processes[0] + "@2"} {
			s, err := rounds.ParseSchedule(text)
			require.NoError(t, err)
			if s.Check(c.Bounds) != nil {
				continue
			}
			e, err := machine.Execute(context.Background(), s)
			if err != nil || len(e.Messages) > 2000 {
				continue
			}
			n, l := requireTrace(t, e)
			sent, lost = sent+n, lost+l
		}
	}
	require.Greater(t, sent, 1000)
	require.Greater(t, lost, 50)
}

// One execution is always one trace, and another one another.
func TestIdentifiersFollowFromTheExecution(t *testing.T) {
	play := func(schedule string) *recording.Execution {
		return oracle.Play(t, rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3}, schedule, []string{"a", "b", "log"})
	}
	ids := func(e *recording.Execution) (id pcommon.TraceID) {
		for _, s := range read(t, e) {
			id = s.TraceID()
		}
		return id
	}
	require.Equal(t, ids(play("omit a>b@1")), ids(play("omit a>b@1")))
	require.NotEqual(t, ids(play("omit a>b@1")), ids(play("omit a>b@2")))
}
