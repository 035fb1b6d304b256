// Package otlp reads and writes traces in the JSON of the OpenTelemetry protocol
// (OTLP, version 1 of its protobuf messages as JSON), which Jaeger and Tempo open.
package otlp
