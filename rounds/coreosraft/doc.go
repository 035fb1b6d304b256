// Package coreosraft runs the Raft library of etcd 3.1 to 3.3,
// github.com/coreos/etcd/raft, in lock-step rounds. Package etcd of this
// repository says what its processes report and what clients can ask of them.
//
// The module requires one version of the library. Another is tested with
//
//	./versions v3.1.1 -run ReadIndex -versions
package coreosraft
