// Package pdatatest reads what package causality writes with the library of the OpenTelemetry
// collector. It is a module of its own, so that nobody else downloads that.
package pdatatest
