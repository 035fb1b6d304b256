// Package jaeger reads traces in the JSON that Jaeger's page and its HTTP interface
// hand out.
package jaeger

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/spans"
)

type (
	document struct {
		Data []trace `json:"data"`
	}
	trace struct {
		TraceID   string             `json:"traceID"`
		Spans     []span             `json:"spans"`
		Processes map[string]process `json:"processes"`
	}
	process struct {
		ServiceName string `json:"serviceName"`
	}
	span struct {
		TraceID       string      `json:"traceID"`
		SpanID        string      `json:"spanID"`
		OperationName string      `json:"operationName"`
		References    []reference `json:"references"`
		StartTime     uint64      `json:"startTime"` // microseconds
		Duration      uint64      `json:"duration"`
		Tags          []tag       `json:"tags"`
		Logs          []log       `json:"logs"`
		ProcessID     string      `json:"processID"`
	}
	reference struct {
		RefType string `json:"refType"`
		TraceID string `json:"traceID"`
		SpanID  string `json:"spanID"`
	}
	tag struct {
		Key   string          `json:"key"`
		Value json.RawMessage `json:"value"`
	}
	log struct {
		Fields []tag `json:"fields"`
	}
)

// Read reads the spans of a file.
func Read(data []byte) ([]spans.Span, error) {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("it is no JSON of Jaeger: %w", err)
	}
	var all []spans.Span
	for _, t := range d.Data {
		for i := range t.Spans {
			all = append(all, t.span(&t.Spans[i]))
		}
	}
	if len(all) == 0 {
		return nil, errors.New("there is no data with spans in it: is it the JSON of Jaeger?")
	}
	return all, nil
}

// kindOf returns the kind of a span by the tag that says it.
func kindOf(tag string) (none spans.Kind) {
	switch tag {
	case "client":
		return spans.Client
	case "server":
		return spans.Server
	case "producer":
		return spans.Producer
	case "consumer":
		return spans.Consumer
	}
	return none
}

// peers are the tags that say who is called, the best first.
var peers = []string{"peer.service", "messaging.destination.name", "db.system.name", "db.system", "db.type", "server.address", "net.peer.name", "peer.hostname"}

func (t *trace) span(s *span) spans.Span {
	read := spans.Span{
		Trace: t.TraceID, ID: s.SpanID, Service: t.Processes[s.ProcessID].ServiceName, Name: s.OperationName,
		Kind: kindOf(first(s.Tags, "span.kind")), Start: s.StartTime * 1000, End: (s.StartTime + s.Duration) * 1000, Peer: first(s.Tags, peers...),
		Failed: first(s.Tags, "error") == "true" || first(s.Tags, "otel.status_code") == "ERROR",
	}
	for _, r := range s.References {
		switch {
		case r.TraceID != "" && r.TraceID != t.TraceID:
		case r.RefType == "CHILD_OF" && read.Parent == "":
			read.Parent = r.SpanID
		default:
			read.Links = append(read.Links, r.SpanID)
		}
	}
	if read.Failed {
		read.Error = s.error()
	}
	return read
}

// error is what a span says that went wrong.
func (s *span) error() string {
	if text := first(s.Tags, "otel.status_description", "error.message"); text != "" {
		return text
	}
	for _, l := range s.Logs {
		if text := first(l.Fields, "exception.message", "message", "error.object"); text != "" {
			return text
		}
	}
	return ""
}

// first returns the text of the first of some tags that is there.
func first(tags []tag, keys ...string) string {
	for _, key := range keys {
		for _, t := range tags {
			if t.Key != key {
				continue
			}
			var text string
			if json.Unmarshal(t.Value, &text) != nil {
				text = string(t.Value)
			}
			if text != "" {
				return text
			}
		}
	}
	return ""
}
