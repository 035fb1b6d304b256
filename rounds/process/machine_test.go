package process_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What servers ask of their machine has one answer, which is like a real one: clocks that
// only a system call tells, names of temporary files, interfaces, files of /proc, standard
// output and error by their numbers, sockets of Unix with files, signals to oneself.
func TestTheMachineOfANode(t *testing.T) {
	c := process.Cluster{Rounds: 4, Apart: -1, Clients: []process.Node{{Name: "n1", File: built(t, "./testdata/machine")}}}
	lines := printed(executed(t, c, ""), "n1")
	assert.Equal(t, lines, printed(executed(t, c, ""), "n1"))
	assert.Equal(t, []string{
		"/etc/os-release ID=linux <nil> open /etc/os-release: read-only file system",
		"/proc/1000/stat 1000 <nil> open /proc/1000/stat: read-only file system",
		"/proc/meminfo MemTotal: <nil> open /proc/meminfo: read-only file system",
		"/proc/self/cgroup 0::/ <nil> open /proc/self/cgroup: read-only file system",
		"/proc/self/stat 1000 <nil> open /proc/self/stat: read-only file system",
		"/sys/devices/system/cpu/cpu0/topology/core_id 0 <nil> open /sys/devices/system/cpu/cpu0/topology/core_id: read-only file system",
		"N1 [10.0.0.1] <nil>",
		"by a device <nil>",
		"clocks 946684800000000000 946684800 <nil> 0 {0 0 0 0} <nil> 1000 <nil>",
		`configured /etc/hosts "127.0.0.1\tlocalhost\n::1\tlocalhost\n" <nil>`,
		`configured /etc/localtime "" open /etc/localtime: no such file or directory`,
		`configured /etc/resolv.conf "nameserver 192.0.2.53\n" <nil>`,
		"configured [] lookup example.com: no such host",
		"errors \"one\\ntwo\\n\" <nil>",
		"errors <nil> <nil>",
		"flags errno 0",
		"interface &{1 65536 lo  up|loopback|running} <nil>",
		"interface &{2 1500 eth0 02:00:0a:00:00:01 up|broadcast|running} <nil>",
		"interface <nil> route ip+net: no such network interface",
		"ldfi does not offer this to nodes: a profile of the processor at github.com/lineage-driven/ldfi/rounds/process/testdata/machine/main.go:43",
		"ldfi does not offer this to nodes: an execution trace at github.com/lineage-driven/ldfi/rounds/process/testdata/machine/main.go:44",
		"ldfi does not offer this to nodes: stopping itself by a signal at github.com/lineage-driven/ldfi/rounds/process/testdata/machine/main.go:156",
		"ldfi does not offer this to nodes: the file of a socket at github.com/lineage-driven/ldfi/rounds/process/testdata/machine/main.go:130",
		"profile a node of ldfi has no profile of the processor, which would not repeat",
		"raw output",
		"root &{0 0 root root /home} <nil>",
		"sampled 10000 0",
		"signal <nil> hangup operation not permitted",
		"takes no signals, and goes on 0",
		"temporary /tmp/x1480245076 <nil>",
		"trace a node of ldfi has no execution trace, which would not repeat",
		"unix <nil> <nil> <nil>",
		"unix <nil> Srwxr-xr-x <nil> <nil>",
		"unix again: <nil> operation not supported",
		"unix hello <nil> <nil> listen unix unix.sock: bind: address already in use open unix.sock: no such device or address",
		"unix left: dial unix unix.sock: connect: connection refused listen unix unix.sock: bind: address already in use <nil>",
		"unix nobody: dial unix unix.sock: connect: no such file or directory",
		"unixgram dial unixgram /dev/log: connect: no such file or directory <nil> <nil> <nil> hello",
		"unixpacket <nil> <nil> <nil>",
		"unixpacket <nil> Srwxr-xr-x <nil> <nil>",
		"unixpacket again: <nil> operation not supported",
		"unixpacket hello <nil> <nil> listen unixpacket unixpacket.sock: bind: address already in use open unixpacket.sock: no such device or address",
		"unixpacket left: dial unixpacket unixpacket.sock: connect: connection refused listen unixpacket unixpacket.sock: bind: address already in use <nil>",
		"unixpacket nobody: dial unixpacket unixpacket.sock: connect: no such file or directory",
		"written 4 <nil>",
	}, lines)
}

// A main that leaves by runtime.Goexit does not end its program, and a signal that this
// sends to itself does, unless it is one that is ignored.
func TestAProgramThatLeavesMain(t *testing.T) {
	c := process.Cluster{Rounds: 9, Apart: -1, Nodes: []process.Node{{Name: "n1", File: built(t, "./testdata/machine"), Args: []string{"leave"}}}}
	s, err := c.System()
	require.NoError(t, err)
	_, err = s.Run(t.Context(), parse(t, ""), system.RunOptions{})
	require.ErrorContains(t, err, "process n1, round 4, in Receive: exit: exit status 143: ends itself")
}

// A port can be had by IPv4 and by IPv6 at once, as on Linux, and one that was not had
// is not lost by who has it.
func TestListensByBothFamilies(t *testing.T) {
	file := built(t, "./testdata/machine")
	c := process.Cluster{
		Rounds: 30, Apart: -1,
		Nodes:   []process.Node{{Name: "n1", File: file, Args: []string{"listens"}}},
		Clients: []process.Node{{Name: "client", File: file, Args: []string{"dials", "n1:7001", "n1:7002", "n1:7003"}}},
	}
	e := executed(t, c, "")
	require.Equal(t, []string{
		"dials 127.0.0.1:7001 tcp4 <nil>", "dials 127.0.0.1:7002 tcp4 <nil>", "dials 127.0.0.1:7003 tcp <nil>",
		"dials [::1]:7001 tcp6 <nil>", "dials [::1]:7002 tcp6 <nil>", "dials [::1]:7003 tcp <nil>",
		"listens :7001 tcp4 <nil>", "listens :7001 tcp6 <nil>", "listens :7001 tcp6 listen tcp6 :7001: bind: address already in use",
		"listens :7002 tcp4 <nil>", "listens :7002 tcp4 listen tcp4 :7002: bind: address already in use", "listens :7002 tcp6 <nil>",
		"listens :7003 tcp <nil>", "listens :7003 tcp listen tcp :7003: bind: address already in use", "listens :7003 tcp4 listen tcp4 :7003: bind: address already in use",
	}, printed(e, "n1"))
	require.Equal(t, []string{"dials n1:7001 tcp4 <nil>", "dials n1:7002 tcp4 <nil>", "dials n1:7003 tcp <nil>"}, printed(e, "client"))
}
