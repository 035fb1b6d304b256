// Package property says what a recorded execution has to satisfy.
package property
