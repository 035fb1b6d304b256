// Package memberlist runs members of clusters of github.com/hashicorp/memberlist, the
// library for membership by gossip of Consul, Nomad and many others, on the machines of
// package virtual. The library is unchanged: it gets a [Transport] over the network of
// its machine, and everything else is its own.
//
// A member knows the names of all others. It joins one of them when it starts, trying
// until that succeeds, and joins members that it has lost again from time to time: the
// library itself never speaks again to who was dead for a while, and leaves that to
// its users. Without that ([Once]) no partition that lasts long enough heals.
//
// In every round each member reports member(p, q, state) for all that it knows of, where
// the state is alive, suspect, dead or left, and joined(p) once it has
// joined another, or another has joined it.
//
// The module requires v0.6.0. Other versions are tested with
//
//	../versions github.com/hashicorp/memberlist@v0.5.0 ./...
package memberlist
