// Package coreosraft runs the Raft library of etcd 2.3 to 3.3,
// github.com/coreos/etcd/raft, in lock-step rounds. Package etcd of this
// repository says what its processes report and what clients can ask of them.
//
// The module requires v3.3.0. The tests run with another version so:
//
//	../versions github.com/coreos/etcd@v3.1.1+incompatible ./harness -run TestReadIndex -args -buggy -long 1000
package coreosraft
