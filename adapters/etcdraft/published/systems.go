// Package published has the known bugs of etcd's Raft that Nagendra, "Automated testing of
// distributed protocol implementations", 2024, names in Tables 3.3 and 4.7, as systems of
// the library, each with what mends it. The text describes none of them. The links that
// are lost, and who leads, are those of the artifact of the paper on Netrix
// (github.com/netrixframework/vmcai24-artifact, raft-testing), and the panic is that of
// etcd-io/raft#108.
package published

import "github.com/lineage-driven/ldfi/rounds/system"

// Systems returns all of them.
func Systems() []*system.System {
	return []*system.System{Liveness(), LivenessNoCQ(), Lively(), NoLiveness(), Alive(), NilSnapshot(), Stored(), ConfChange(), ConfChangeLater(), Removals()}
}
