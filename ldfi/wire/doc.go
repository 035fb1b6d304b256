// Package wire makes a program a host: it serves systems (package rounds/system) to
// ldfi, which executes them.
//
//	func main() {
//		if err := wire.Serve(election.System()); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// With this main in the folder host, start ldfi with
//
//	ldfi run --system "go run ./host"
//
// ldfi starts the host, and the two exchange lines of JSON over the standard input and
// output of the host: ldfi sends schedules, and the host executes them and answers with
// the violations. One host serves any number of executions, and several at once. For
// hosts in other languages, docs/wire.md describes the protocol.
package wire
