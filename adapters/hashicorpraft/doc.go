// Package hashicorpraft runs servers of github.com/hashicorp/raft, the Raft library of
// Consul, Nomad and Vault, as they are: with their goroutines, timers and locks, each on
// a machine of package virtual.
//
// What is its own are the transport (or the library's own, over connections: [TCP]) and
// the stores of log, term and snapshots, on the disk of the machine. The stores that
// products use, raft-boltdb and raft-wal, want files of the operating system and are not
// run.
//
// The module requires v1.7.3, and compiles with v1.1.0 to v1.8.0. Another version is
// tested with
//
//	../versions github.com/hashicorp/raft@v1.1.0 ./...
package hashicorpraft
