package process_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// asks executes the program that asks for what the argument says, under a schedule.
func asks(t *testing.T, schedule string, args ...string) (said []string, err error) {
	c := process.Cluster{Rounds: 30, Nodes: []process.Node{{Name: "n1", File: built(t, "./testdata/asks"), Args: args}}}
	s, err := c.System()
	require.NoError(t, err)
	r := s.NewRunner()
	r.Options.Record = true
	err = r.Run(t.Context(), parse(t, schedule))
	for _, f := range r.Execution().Facts {
		if f.Relation == "log" {
			said = append(said, f.Args[2].Text())
		}
	}
	return said, err
}

// A program that asks Linux itself has the clock and the name of the node, sets options of
// sockets by their descriptors, reads datagrams and connections by them, dials a port without an address,
// waits until a time is over, and watches files, of whose changes it is not told, which is
// said once.
func TestAsks(t *testing.T) {
	said, err := asks(t, "")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{
		"true n1 true <nil>", "options <nil>", "127.0.0.1:7001 <nil>", "file already closed <nil>", "datagram <nil>", connection, "@asks <nil>", "over <nil>",
	}, without(said, "ldfi: "))
	require.Contains(t, strings.Join(said, "\n"), "ldfi: a node is told of no changes of the files that it watches: inotify at ")
}

// What is read of a connection by its descriptor: two bytes each time, up to its end; past a
// deadline and after a close there are the errors of package net.
const connection = "on|e|fo|ur|| true true <nil>"

// A connection from another node can be read by its descriptor, as gRPC does.
func TestAsksOfAnother(t *testing.T) {
	file := built(t, "./testdata/asks")
	c := process.Cluster{Rounds: 30, Apart: -1, Nodes: []process.Node{{Name: "n1", File: file, Args: []string{"reads"}}, {Name: "n2", File: file, Args: []string{"writes"}}}}
	s, err := c.System()
	require.NoError(t, err)
	e, err := s.Run(t.Context(), parse(t, ""), system.RunOptions{})
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(e.Facts), connection)
}

// A program that ends because it did not get what no node has is no finding: the answer is
// that ldfi does not offer it, with the place in the program.
func TestAsksInVain(t *testing.T) {
	for what, want := range map[string]string{
		"exec":    `starting the program /bin/true at .*/testdata/asks/main\.go:\d+$`,
		"raw":     `a raw socket at .*/asks/main\.go:\d+$`,
		"netlink": `a netlink socket at .*/asks/main\.go:\d+$`,
		"socket":  `a socket that is not of package net at .*/asks/main\.go:\d+$`,
		"large":   `a file of more than 1 GiB at .*/asks/main\.go:\d+$`,
		"file":    `the file of a socket at .*/asks/main\.go:\d+$`,
		"late":    `\(exit status 1: .*address family not supported by protocol\) .*: a netlink socket at .*/asks/main\.go:\d+$`,
		"cgo":     `cgo, as it says: Binary was compiled with 'CGO_ENABLED=0', and needs it$`,
	} {
		_, err := asks(t, "", what)
		require.ErrorContains(t, err, "node n1 ends (exit status 1: ", what)
		require.ErrorContains(t, err, ") after it asked for what ldfi does not offer to nodes: ", what)
		require.Regexp(t, want, err.Error())
	}
}

// A program that has gone on without what no node has, and ends later with an error of its
// own, is a finding: also if it has just asked once more, or was started again.
func TestAsksAndGoesOn(t *testing.T) {
	for what, want := range map[string]string{
		"without": "no majority",
		"always":  "exit status 1: no majority",
		"again":   "it is broken",
	} {
		schedule := ""
		if what == "again" {
			schedule = "crash n1@14/kept; restart n1@15"
		}
		_, err := asks(t, schedule, what)
		var finding *system.PanicError
		require.ErrorAs(t, err, &finding, what)
		require.Equal(t, want, finding.Text)
	}
}

func without(all []string, prefix string) (rest []string) {
	for _, s := range all {
		if !strings.HasPrefix(s, prefix) {
			rest = append(rest, s)
		}
	}
	return rest
}
