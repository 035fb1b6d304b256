// Package ldfitest searches for faults that break a system written in Go, from
// its go test.
//
//	func TestGossip(t *testing.T) {
//		ldfitest.Run(t, gossip.System(), ldfitest.Isolations(2, 4))
//	}
//
// [Run] is the only function to call; the others return options for it. Package
// rounds/system describes how a system is written.
//
// Each property of the system is a subtest. A schedule of faults that violates the
// property is made as small as possible, and written to a file below testdata/ldfi. Put
// that file under version control: from then on its schedule is executed before the
// search, so that the test fails at once until the bug is fixed, and again if the bug
// comes back.
//
// A failure prints the command that repeats it. With go test -artifacts the
// recording of the execution, its diagram, and a report of one HTML page are written, too.
//
// Run does not change the settings of Go's garbage collector. Executions leave little
// memory in use, so that the collector runs often; GOGC=400 go test saves some of that
// time.
package ldfitest
