// Package wire is for those who write a host: a program that has systems (package
// rounds/system) for ldfi to execute.
//
//	func main() {
//		if err := wire.Serve(election.System()); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// With such a main in the folder host, start with
//
//	ldfi run --system "go run ./host"
//
// ldfi starts the host, and the two talk over its standard input and output in lines
// of JSON: ldfi sends schedules, the host executes them, and answers with what they
// violate. One host serves any number of executions, and several at once. The
// protocol is described in docs/wire.md, for hosts in other languages.
package wire
