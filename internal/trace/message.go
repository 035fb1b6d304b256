package trace

// The parts of an ExportTraceServiceRequest that are read and written.
// Identifiers are hexadecimal, and integers of 64 bits are strings.
type (
	document struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
		Result        *document       `json:"result,omitempty"` // around all else, as Jaeger answers /api/v3/traces/ID
	}
	resourceSpans struct {
		Resource   resource     `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	resource struct {
		Attributes []attribute `json:"attributes"`
	}
	scopeSpans struct {
		Scope scope      `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	scope struct {
		Name string `json:"name"`
	}
	otlpSpan struct {
		TraceID           string      `json:"traceId"`
		SpanID            string      `json:"spanId"`
		ParentSpanID      string      `json:"parentSpanId,omitempty"`
		Name              string      `json:"name"`
		Kind              kind        `json:"kind,omitempty"`
		StartTimeUnixNano nanoseconds `json:"startTimeUnixNano"`
		EndTimeUnixNano   nanoseconds `json:"endTimeUnixNano"`
		Attributes        []attribute `json:"attributes,omitempty"`
		Events            []event     `json:"events,omitempty"`
		Links             []link      `json:"links,omitempty"`
		Status            *status     `json:"status,omitempty"`
	}
	event struct {
		TimeUnixNano nanoseconds `json:"timeUnixNano"`
		Name         string      `json:"name"`
		Attributes   []attribute `json:"attributes,omitempty"`
	}
	link struct {
		TraceID string `json:"traceId"`
		SpanID  string `json:"spanId"`
	}
	status struct {
		Code    code   `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
	attribute struct {
		Key   string `json:"key"`
		Value value  `json:"value"`
	}
	value struct {
		StringValue *string     `json:"stringValue,omitempty"`
		IntValue    *otlpNumber `json:"intValue,omitempty"`
	}
)
