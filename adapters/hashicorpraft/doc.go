// Package hashicorpraft runs servers of github.com/hashicorp/raft, the Raft library of
// Consul, Nomad and Vault, as they are: with their goroutines, timers and locks, each on
// a machine of package virtual.
//
// What is its own are the transport (or the library's own, over connections: [TCP]) and
// the stores of log, term and snapshots, on the disk of the machine. The stores that
// products use, raft-boltdb and raft-wal, want files of the operating system and are not
// run.
//
// In each round a server reports
//
//	role(p, role, term), leader(p, term), vote(p, term, candidate)
//
// and, when there is something new,
//
//	commit(p, index)
//	configuration(p, index, voters, others)
//	applied(p, index, term, value, sum), restored(p, index, sum)
//	wrote(p, request, index), read(p, request, index)
//
// The module requires v1.7.3, and compiles with v1.1.0 to v1.8.0. Another version is
// tested with
//
//	../versions github.com/hashicorp/raft@v1.1.0 ./...
package hashicorpraft
