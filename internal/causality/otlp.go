package causality

// The parts of an ExportTraceServiceRequest that are read and written.
// Identifiers are hexadecimal, and integers of 64 bits are strings.
type (
	otlpDocument struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
		Result        *otlpDocument   `json:"result,omitempty"` // around all else, as Jaeger answers /api/v3/traces/ID
	}
	resourceSpans struct {
		Resource   otlpResource `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	otlpResource struct {
		Attributes []otlpAttribute `json:"attributes"`
	}
	scopeSpans struct {
		Scope otlpScope  `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpScope struct {
		Name string `json:"name"`
	}
	otlpSpan struct {
		TraceID           string          `json:"traceId"`
		SpanID            string          `json:"spanId"`
		ParentSpanID      string          `json:"parentSpanId,omitempty"`
		Name              string          `json:"name"`
		Kind              otlpKind        `json:"kind,omitempty"`
		StartTimeUnixNano nanoseconds     `json:"startTimeUnixNano"`
		EndTimeUnixNano   nanoseconds     `json:"endTimeUnixNano"`
		Attributes        []otlpAttribute `json:"attributes,omitempty"`
		Events            []otlpEvent     `json:"events,omitempty"`
		Links             []otlpLink      `json:"links,omitempty"`
		Status            *otlpStatus     `json:"status,omitempty"`
	}
	otlpEvent struct {
		TimeUnixNano nanoseconds     `json:"timeUnixNano"`
		Name         string          `json:"name"`
		Attributes   []otlpAttribute `json:"attributes,omitempty"`
	}
	otlpLink struct {
		TraceID string `json:"traceId"`
		SpanID  string `json:"spanId"`
	}
	otlpStatus struct {
		Code    otlpCode `json:"code,omitempty"`
		Message string   `json:"message,omitempty"`
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		StringValue *string     `json:"stringValue,omitempty"`
		IntValue    *otlpNumber `json:"intValue,omitempty"`
	}
)
