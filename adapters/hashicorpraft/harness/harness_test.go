package harness_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/raft"
	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/adapters/hashicorpraft"
	"github.com/lineage-driven/ldfi/adapters/hashicorpraft/harness"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds/system"
)

var (
	long     = flag.Int("long", 0, "search with at most so many executions of each cluster")
	calm     = flag.Int("calm", 0, "execute each cluster so many times without faults")
	only     = flag.String("only", "", "the cluster of this name only")
	strategy = flag.String("strategy", "spread", "of the search")
	seed     = flag.Uint64("seed", 1, "of the search")
	tcp      = flag.Bool("tcp", false, "servers call each other over TCP")
	found    = flag.Bool("found", false, "what is found is no failure of the test")
)

func clusters() (all []*system.System) {
	var with []hashicorpraft.Option
	if *tcp {
		with = append(with, hashicorpraft.TCP())
	}
	for _, s := range harness.All(with...) {
		if *only == "" || *only == s.Name {
			all = append(all, s)
		}
	}
	return all
}

// version returns the version of the library that the test is built with: its directory
// says so.
func version() string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(raft.NewRaft).Pointer()).FileLine(0)
	_, version, _ := strings.Cut(filepath.Base(filepath.Dir(file)), "@")
	return version
}

// Nothing is wrong with the version that the module requires, in a few executions; with
// -long in many.
func TestSearch(t *testing.T) {
	executions := 3
	if *long > 0 {
		executions = *long
	}
	for _, s := range clusters() {
		begin := time.Now()
		a, err := search.Run(t.Context(), s, search.Options{Seed: *seed, Executions: executions, Strategy: *strategy})
		require.NoError(t, err)
		t.Logf("%s %-9s %s in %.1f s: %s", version(), s.Name, a.Verdict, time.Since(begin).Seconds(), a.Summary())
		if c := a.First(); c != nil {
			t.Logf("%s %-9s %s", version(), s.Name, c.Schedule)
			for _, v := range c.Violations {
				t.Logf("%s %-9s %s: %s", version(), s.Name, v.Property, v.Text)
			}
		}
		if !*found {
			require.NotEqual(t, result.Violated, a.Verdict)
		}
	}
}

// Without faults no property is violated.
func TestCalm(t *testing.T) {
	for _, s := range clusters() {
		broken := 0
		for n := range max(1, *calm) {
			schedule := parse(t, fmt.Sprintf("seed %d", *seed+uint64(n)))
			e, err := s.Run(context.Background(), schedule, system.RunOptions{})
			require.NoError(t, err)
			bad := false
			for _, p := range s.Properties {
				violations, err := p.Check(e)
				require.NoError(t, err)
				for _, v := range violations {
					t.Logf("%s %-9s %s: %s: %s", version(), s.Name, schedule, v.Property, v.Text)
					bad = true
				}
			}
			if bad {
				broken++
			}
		}
		t.Logf("%s %-9s %d of %d executions without faults violate a property", version(), s.Name, broken, max(1, *calm))
		if !*found {
			require.Zero(t, broken)
		}
	}
}
