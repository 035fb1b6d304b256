// Package pdatatest reads what package trace writes with the library of the OpenTelemetry
// collector. It is a module of its own, so that nobody else downloads that.
package pdatatest
