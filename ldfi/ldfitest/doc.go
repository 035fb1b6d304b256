// Package ldfitest searches for faults that break a system written in Go, from
// its go test.
//
//	func TestGossip(t *testing.T) {
//		ldfitest.Run(t, gossip.System(), ldfitest.Isolations(2, 4))
//	}
//
// Each property of the system is a subtest. A schedule of faults that violates
// it is made as small as it can be and kept in a file below testdata/ldfi, which
// is small enough to review, and belongs under version control. From then on
// the kept schedules are executed first: the test fails in no time until the bug
// is fixed, and fails again if it comes back.
//
// The failure has the command that repeats it. With go test -artifacts the
// recording of the execution and its diagram are kept as well.
package ldfitest
