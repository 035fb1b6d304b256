// Package pdatatest reads what package otlp writes with the library of the OpenTelemetry
// collector. It is a module of its own, so that nobody else downloads that.
package pdatatest
