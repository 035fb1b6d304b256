// Package etcdtest has the tests and benchmarks that every adapter for etcd's
// Raft has to pass. It is for the adapters of this repository, and changes with
// them.
package etcdtest
