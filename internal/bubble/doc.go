// Package bubble runs the goroutines of one process in a bubble of testing/synctest:
// they share a clock that the caller advances, and the caller knows when all of them
// are at rest.
//
// The main goroutine of a bubble waits for calls on a channel that was made outside
// of it. The bubble does not count that as rest, so its clock stands still between
// calls:
//
//	b := bubble.Start(bubble.Options{Seed: 7})
//	b.Do(func() { go serve() })
//	b.Do(func() { time.Sleep(tick); synctest.Wait() })
//	left := b.End()
//
// Randomness in a bubble (the order of maps, select, goroutines, …) follows from its
// seed if the program is built with the overlay of the standard library ([Exact]). A
// bubble needs no running test: synctest.Test gets a zero testing.T.
package bubble
