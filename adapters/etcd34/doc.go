// Package etcd34 runs go.etcd.io/etcd/raft, the Raft library of etcd 3.4, in
// lock-step rounds. Package etcd of this repository says what its processes report
// and what clients can ask of them.
//
// The module of the library is all of etcd, and its release tags are no versions
// of it: v3.4.16, which is required, is the pseudo-version that ends with its
// commit, d19fbe541bf9. Another one is tested with
//
//	../versions go.etcd.io/etcd@v0.0.0-20190830150955-898bd1351fcf ./...
//
// The code is a copy of adapters/etcdraft with another import path.
package etcd34
