// Package rounds says what can happen to a distributed system that runs in
// lock-step rounds.
package rounds
