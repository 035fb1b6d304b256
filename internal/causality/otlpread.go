package causality

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ReadOTLP reads the spans of a file: one document, or several, one behind the other, as the
// collector's file exporter writes them on a line each.
func ReadOTLP(data []byte) ([]Span, error) {
	var all []Span
	decoder := json.NewDecoder(bytes.NewReader(data))
	for n := 1; ; n++ {
		var d otlpDocument
		err := decoder.Decode(&d)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("document %d, near byte %d: %w", n, decoder.InputOffset(), err)
		}
		all = append(all, d.spans()...)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no resourceSpans with spans in it: is it OTLP in JSON?")
	}
	return all, nil
}

func (d *otlpDocument) spans() []Span {
	var all []Span
	if d.Result != nil {
		all = d.Result.spans()
	}
	for _, r := range d.ResourceSpans {
		for _, s := range r.ScopeSpans {
			for i := range s.Spans {
				all = append(all, s.Spans[i].span(r.Resource.service()))
			}
		}
	}
	return all
}

// service names the service of a resource.
func (r *otlpResource) service() string {
	return firstAttribute(r.Attributes, "service.name")
}

// peers are the attributes that say who is called, the best first.
var peers = []string{"peer.service", "messaging.destination.name", "db.system.name", "db.system", "rpc.service", "server.address", "net.peer.name"}

func (s *otlpSpan) span(service string) Span {
	read := Span{
		Trace: s.TraceID, ID: s.SpanID, Parent: s.ParentSpanID, Service: service, Name: s.Name, Kind: s.Kind.kind(),
		Start: uint64(s.StartTimeUnixNano), End: uint64(s.EndTimeUnixNano), Peer: firstAttribute(s.Attributes, peers...),
	}
	for _, l := range s.Links {
		if l.TraceID == s.TraceID {
			read.Links = append(read.Links, l.SpanID)
		}
	}
	if s.Status != nil && s.Status.Code == codeError {
		read.Failed, read.Error = true, s.Status.Message
	}
	if read.Failed && read.Error == "" {
		read.Error = s.exception()
	}
	return read
}

// exception is what an event of the span says that went wrong.
func (s *otlpSpan) exception() string {
	for _, e := range s.Events {
		if text := firstAttribute(e.Attributes, "exception.message", "exception.type"); text != "" {
			return text
		}
	}
	return firstAttribute(s.Attributes, "error.type")
}

func (k otlpKind) kind() SpanKind {
	kinds := []otlpKind{kindInternal, kindClient, kindServer, kindProducer, kindConsumer} // as spans numbers them
	return SpanKind(max(0, slices.Index(kinds, k)))
}

// firstAttribute returns the text of the first of some attributes that is there.
func firstAttribute(attributes []otlpAttribute, keys ...string) string {
	for _, key := range keys {
		for _, a := range attributes {
			if a.Key == key && a.Value.StringValue != nil && *a.Value.StringValue != "" {
				return *a.Value.StringValue
			}
		}
	}
	return ""
}

// SpanKind is the role of a span in a call.
type SpanKind int

// The kinds of spans.
const (
	Internal SpanKind = iota // something within a service
	Client                   // a call, seen by who calls
	Server                   // a call, seen by who is called
	Producer                 // something is put into a queue
	Consumer                 // and taken out of it
)

// Span is one thing that a service did.
type Span struct {
	Trace, ID, Parent string
	Links             []string // spans that led to it, in place of a parent
	Service           string
	Name              string
	Kind              SpanKind
	Start, End        uint64 // in nanoseconds, by the clock of its machine
	Failed            bool
	Error             string // what it says of the failure, if anything
	Peer              string // of a client or producer: whom it calls, as far as it says
}
