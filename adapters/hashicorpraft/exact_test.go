package hashicorpraft_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/adapters/hashicorpraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

var (
	equal     = flag.Int("equal", 3, "so many executions of a schedule have to give the same recording")
	processes = flag.Int("processes", 1, "so many processes at the same time execute it as well")
	print     = flag.Bool("print", false, "print the sums of the recordings only")
)

// scheduled is what is executed again and again: with elections, a crash, a restart,
// and an isolation.
const scheduled = "seed 7; isolate a@100..160; crash b@200; restart b@240"

// exact is a cluster with everything that clients can ask.
func exact(with ...hashicorpraft.Option) *system.System {
	all := []string{"a", "b", "c", "d"}
	s := hashicorpraft.System(all, append(with, hashicorpraft.Voters(abc...), hashicorpraft.Nonvoters("d"))...)
	s.Requests = slices.Concat(
		hashicorpraft.Every(all, 60, 460, 10, hashicorpraft.Value),
		hashicorpraft.Every(all, 65, 460, 10, func(int) any { return hashicorpraft.Read{} }),
		hashicorpraft.Every(all, 300, 300, 1, func(int) any { return hashicorpraft.Transfer{} }),
		hashicorpraft.Every(all, 350, 350, 1, func(int) any { return hashicorpraft.AddVoter{Server: "d"} }),
		hashicorpraft.Every(all, 380, 380, 1, func(int) any { return hashicorpraft.Snapshot{} }))
	return s
}

// sums executes the schedule, and another one after each, and returns what its
// recordings are, byte for byte.
func sums(t *testing.T, s *system.System, times int) (all []string) {
	for n := range times {
		all = append(all, sum(t, s, scheduled))
		if n%10 == 0 {
			sum(t, s, fmt.Sprintf("seed %d; crash c@150", n))
		}
	}
	return all
}

func sum(t *testing.T, s *system.System, text string) string {
	schedule, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	e, err := s.Run(context.Background(), schedule, system.RunOptions{})
	require.NoError(t, err)
	if e.Inexact != "" {
		t.Skipf("executions of one schedule may differ: %s", e.Inexact)
	}
	b, err := json.Marshal(e)
	require.NoError(t, err)
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// With the overlay the same schedule gives the same recording: in one process, after
// other executions, and in other processes at the same time. The long form is
//
//	go test . -run TestExact -v -args -equal 1000 -processes 4
func TestExact(t *testing.T) {
	all := sums(t, exact(), *equal)
	if *print {
		fmt.Println(all)
		return
	}
	var others []*exec.Cmd
	for range *processes {
		c := exec.Command(os.Args[0], "-test.run=^TestExact$", "-test.count=1", "-equal", fmt.Sprint(*equal/max(1, *processes)), "-print")
		c.Stdout = new(bytes.Buffer)
		require.NoError(t, c.Start())
		others = append(others, c)
	}
	for _, sum := range all {
		require.Equal(t, all[0], sum)
	}
	t.Logf("%d of %d recordings are equal", len(all), len(all))
	for _, c := range others {
		require.NoError(t, c.Wait())
		require.Equal(t, (*equal)/max(1, *processes), strings.Count(fmt.Sprint(c.Stdout), all[0]))
	}
}
