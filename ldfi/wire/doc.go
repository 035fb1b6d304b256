// Package wire is for those who write a host: a program that has systems (package
// rounds/system) for ldfi to execute.
//
//	func main() {
//		if err := wire.Serve(election.System()); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// That is all of it. ldfi run --system "go run ./host" starts the host, and the two
// talk over its standard input and output in lines of JSON: ldfi sends schedules,
// the host executes them, and answers with what they violate. One host serves any
// number of executions, and several at once. The protocol is described in
// docs/wire.md, so that a host can be written in any language.
package wire
