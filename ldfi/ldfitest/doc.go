// Package ldfitest searches for faults that break a system written in Go, from
// its go test.
//
//	func TestGossip(t *testing.T) {
//		ldfitest.Run(t, gossip.System(), ldfitest.Isolations(2, 4))
//	}
//
// [Run] is all there is to call; the other functions are its options. Package
// rounds/system says how a system is written.
//
// Each property of the system is a subtest. A schedule of faults that violates
// it is made as small as it can be, and written to a file below testdata/ldfi. Put
// that file under version control: from then on its schedule is executed before
// the search, so that the test fails at once until the bug is fixed, and again if
// the bug comes back.
//
// A failure prints the command that repeats it. With go test -artifacts the
// recording of the execution, its diagram, and a report of one HTML page are written, too.
//
// Go's garbage collector is left as it is. Executions leave little behind, so that it
// runs often; where that matters, GOGC=400 go test saves some of the time.
package ldfitest
