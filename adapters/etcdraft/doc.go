// Package etcdraft runs go.etcd.io/raft/v3, the Raft library of etcd since 3.6,
// in lock-step rounds. Package etcd of this repository says what its processes
// report and what clients can ask of them.
//
// The module requires v3.7.0, and compiles with v3.6 as well, though all its
// structs have fields of other types there. Another version is tested with
//
//	../versions go.etcd.io/raft/v3@v3.6.0 ./...
//
// The code also is that of the adapters etcd34 and etcd35, with another import path:
// go test ./internal/testing/house -update copies it.
package etcdraft
