package process_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/stretchr/testify/require"
)

// Servers that listen where nobody else reaches them are named, once for all that are alike,
// with who was refused first; so is a port at which nobody listens. Who was refused before a
// server listened, or because it has crashed, says nothing.
func TestWhereServersListen(t *testing.T) {
	load := process.Node{Name: "load", File: built(t, "../../examples/kvd/load"), Args: []string{"{peers:8080}"}}
	for _, c := range []struct {
		args, faults string
		want         []string
	}{
		{"-addr=:8080", "", nil},
		{"-addr={ip}:8080", "", nil},
		{"-addr={name}:8080", "start n1@1; start n2@2; start load@2", nil},
		{"-addr=:8080", "crash n1@4", nil},
		{"-addr=localhost:8080", "", []string{"n1 and n2 listen on port 8080 of localhost only (127.0.0.1 or ::1), which no other node reaches: load was refused at 10.0.0.1:8080 in round 2; let them listen on {ip}:8080 or on :8080"}},
		{"-addr=[::1]:8080", "crash n2@1", []string{"n1 listens on port 8080 of localhost only (127.0.0.1 or ::1), which no other node reaches: load was refused at 10.0.0.1:8080 in round 2; let it listen on {ip}:8080 or on :8080"}},
		{"-addr=:7000", "", []string{"n1 and n2 listen on port 7000 only: load was refused at 10.0.0.1:8080 in round 2; let them listen on :8080, or others dial where they listen"}},
		{"-addr=127.0.0.1:7000", "", []string{"n1 and n2 listen on port 7000 (of localhost) only: load was refused at 10.0.0.1:8080 in round 2; let them listen on :8080, or others dial where they listen"}},
		{"-addr=:7000", "crash n1@1; crash n2@30", nil},
	} {
		two := process.Cluster{Rounds: 40, Apart: -1, Clients: []process.Node{load}}
		for _, name := range []string{"n1", "n2"} {
			two.Nodes = append(two.Nodes, process.Node{Name: name, File: built(t, "../../examples/kvd"), Args: []string{c.args, "-others", "{others:8080}"}})
		}
		require.Equal(t, c.want, executed(t, two, c.faults).Warnings, "%s %s", c.args, c.faults)
	}
}
