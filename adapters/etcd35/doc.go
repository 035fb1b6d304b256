// Package etcd35 runs go.etcd.io/etcd/raft/v3, the Raft library of etcd 3.5, in
// lock-step rounds. Package etcd of this repository says what its processes report
// and what clients can ask of them.
//
// The module requires v3.5.17. Another version is tested with
//
//	../versions go.etcd.io/etcd/raft/v3@v3.5.0 ./...
//
// The code is a copy of adapters/etcdraft with another import path.
package etcd35
