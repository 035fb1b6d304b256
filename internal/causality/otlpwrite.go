package causality

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// WriteOTLP writes an execution as a trace: a span for the whole of it, below it one for
// each process and round in which something happens, with faults and facts as its
// events, and below these one for each message that is sent, and one for its arrival as
// a child of that. A message that is lost has a failed span and no arrival.
//
// Rounds have no times. In the trace each is a second, from the beginning of 2000 on,
// and what happens in one is some microseconds apart in the order of its causes.
// Identifiers follow from the execution, so that one execution is always one trace.
func WriteOTLP(w io.Writer, e *recording.Execution) error {
	seed, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("writing a trace: %w", err)
	}
	t := &tracer{execution: e, seed: sha256.Sum256(seed), process: make([][]otlpSpan, len(e.Bounds.Processes)), current: map[[2]int]int{}}
	t.whole()
	for _, event := range Events(e) {
		t.add(event)
	}
	return text.WriteJSON(w, t.document())
}

const (
	epoch  = nanoseconds(946_684_800_000_000_000) // 2000-01-01
	second = nanoseconds(1_000_000_000)
	apart  = nanoseconds(1_000) // what happens in one round
)

// tracer collects the spans of an execution, by process.
type tracer struct {
	execution *recording.Execution
	seed      [sha256.Size]byte
	root      otlpSpan
	process   [][]otlpSpan
	current   map[[2]int]int // the span of a process and a round, by its place
	sent      []string       // the span of each event that sends
	spans     int            // how many there are
	events    nanoseconds    // how many there were in the round
	round     int
}

// identifier returns the first bytes of a hash of the execution and a number.
func (t *tracer) identifier(n, bytes int) string {
	sum := sha256.Sum256(fmt.Appendf(t.seed[:], "%d", n))
	return hex.EncodeToString(sum[:bytes])
}

func (t *tracer) span(parent, name string, kind otlpKind, from, to nanoseconds) otlpSpan {
	t.spans++
	return otlpSpan{TraceID: t.identifier(0, 16), SpanID: t.identifier(t.spans, 8), ParentSpanID: parent, Name: name, Kind: kind, StartTimeUnixNano: from, EndTimeUnixNano: to}
}

// whole makes the span of the execution.
func (t *tracer) whole() {
	name := t.execution.System
	if name == "" {
		name = "execution"
	}
	t.root = t.span("", name, kindInternal, roundBegins(1), roundBegins(t.execution.Bounds.EOT+1))
	t.root.Attributes = []otlpAttribute{stringValue("ldfi.schedule", t.execution.Schedule.String()), integer("ldfi.rounds", t.execution.Bounds.EOT)}
	if t.execution.Inexact != "" {
		t.root.Attributes = append(t.root.Attributes, stringValue("ldfi.inexact", t.execution.Inexact))
	}
}

// roundBegins is when a round begins.
func roundBegins(round int) nanoseconds { return epoch + nanoseconds(round-1)*second }

// add adds an event.
func (t *tracer) add(h Event) {
	if h.Round != t.round {
		t.round, t.events = h.Round, 0
	}
	t.events++
	now := roundBegins(h.Round) + min(t.events*apart, second-2*apart)
	id := ""
	switch own := t.during(h.Process, h.Round); h.What {
	case faultBegins, factHolds:
		own.Events = append(own.Events, otlpEvent{TimeUnixNano: now, Name: h.Text})
	case messageSent:
		s := t.span(own.SpanID, h.Message.Relation+" to "+h.Message.To, kindProducer, now, now+apart)
		s.Attributes = t.message(h)
		if h.Lost() {
			s.Status = &otlpStatus{codeError, "lost: " + h.Message.Cause.String()}
		}
		id = s.SpanID
		t.process[h.Process] = append(t.process[h.Process], s)
	case messageArrives:
		parent := own.SpanID
		if h.From >= 0 {
			parent = t.sent[h.From]
		}
		s := t.span(parent, h.Message.Relation+" from "+sender(h.Message), kindConsumer, now, now+apart)
		s.Attributes = t.message(h)
		t.process[h.Process] = append(t.process[h.Process], s)
	}
	t.sent = append(t.sent, id)
}

func sender(m *recording.Message) string {
	if m.From == "" {
		return "nobody"
	}
	return m.From
}

// during returns the span of a process in a round.
func (t *tracer) during(process, round int) *otlpSpan {
	at := [2]int{process, round}
	i, ok := t.current[at]
	if !ok {
		i = len(t.process[process])
		t.current[at] = i
		s := t.span(t.root.SpanID, fmt.Sprintf("round %d", round), kindInternal, roundBegins(round), roundBegins(round+1)-apart)
		s.Attributes = []otlpAttribute{integer("ldfi.round", round)}
		t.process[process] = append(t.process[process], s)
	}
	return &t.process[process][i]
}

func (t *tracer) message(h Event) []otlpAttribute {
	m := h.Message
	content := recording.Display(recording.Fact{Relation: m.Relation, Args: m.Args}, t.execution.Bounds.Processes)
	return []otlpAttribute{stringValue("ldfi.message", content), integer("ldfi.round", h.Round)}
}

// document puts the spans below their services.
func (t *tracer) document() *otlpDocument {
	d := &otlpDocument{ResourceSpans: []resourceSpans{otlpService("ldfi", []otlpSpan{t.root})}}
	for i, name := range t.execution.Bounds.Processes {
		if len(t.process[i]) > 0 {
			d.ResourceSpans = append(d.ResourceSpans, otlpService(name, t.process[i]))
		}
	}
	return d
}

func otlpService(name string, own []otlpSpan) resourceSpans {
	return resourceSpans{
		Resource:   otlpResource{Attributes: []otlpAttribute{stringValue("service.name", name)}},
		ScopeSpans: []scopeSpans{{Scope: otlpScope{Name: "ldfi"}, Spans: own}},
	}
}

func stringValue(key, s string) otlpAttribute { return otlpAttribute{key, otlpValue{StringValue: &s}} }

func integer(key string, n int) otlpAttribute {
	v := otlpNumber(n)
	return otlpAttribute{key, otlpValue{IntValue: &v}}
}
