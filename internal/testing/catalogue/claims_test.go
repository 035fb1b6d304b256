// Package catalogue tests what docs/catalogue.md says of published bugs, and measures
// what it costs to find them.
package catalogue_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/fle"
	"github.com/lineage-driven/ldfi/examples/gossip"
	"github.com/lineage-driven/ldfi/examples/hints"
	"github.com/lineage-driven/ldfi/examples/mapreduce"
	"github.com/lineage-driven/ldfi/examples/ratis"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/examples/zab"
	"github.com/lineage-driven/ldfi/examples/zookeeper"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Each bug is found with so many faults, and its fix is certified.
func TestBugs(t *testing.T) {
	for _, r := range rows(t).Rows {
		if r.Run == "" {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			require.Equal(t, r.Faults, ask(t, r.Run).size(t), r.Run)
			require.Equal(t, -1, ask(t, r.Fixed).size(t), r.Fixed)
			for _, v := range r.Also {
				require.Equal(t, v.Faults, ask(t, v.Run).size(t), v.Run)
			}
		})
	}
}

// Uniform isolations suffice with so many of such a length, and not with fewer; or they
// do not. Without -long, one row in four is asked.
func TestUniformIsolations(t *testing.T) {
	for i, r := range rows(t).Rows {
		if r.Run == "" || i%4 != 1 && !*long {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			u := r.Uniform
			if u.D == 0 {
				require.Equal(t, 0, r.Faults, "it needs no fault at all")
				return
			}
			fewer := u.D
			if r.suffices() {
				require.Equal(t, u.D, ask(t, u.args(r, u.D, u.K)).size(t), "d=%d k=%d", u.D, u.K)
				fewer--
			}
			require.Equal(t, fewer > 0, len(u.Periods) > 0, "the periods say where %d do not suffice", fewer)
			for _, k := range u.Periods {
				require.Equal(t, -1, ask(t, u.args(r, fewer, k)).size(t), "d=%d k=%d", fewer, k)
			}
		})
	}
}

// args returns the arguments that ask for isolations alone.
func (u uniform) args(r *row, d, k int) string {
	return fmt.Sprintf("%s --isolations %d --period %d %s", program(r.Run), d, k, u.With)
}

// All that the rows run is in the suite.
func TestSuite(t *testing.T) {
	text, err := os.ReadFile(root + filepath.Dir(rowsFile) + "/ldfi.yaml")
	require.NoError(t, err)
	var suite struct{ Cases []struct{ Files string } }
	require.NoError(t, yaml.Unmarshal(text, &suite))
	known := map[string]bool{"": true}
	for _, c := range suite.Cases {
		known[filepath.Join(filepath.Dir(rowsFile), c.Files)] = true
	}
	for _, r := range rows(t).Rows {
		require.True(t, known[program(r.Run)], r.Run)
		require.True(t, known[program(r.Fixed)], r.Fixed)
	}
}

// systems are the processes that rows name.
var bugs = map[string]*system.System{
	"cassandra-6023": cassandra.Buggy(),
	"cassandra-3395": hints.Buggy(),
	"cassandra-3626": gossip.Buggy(),
	"mapreduce-4748": mapreduce.OneSuccess(),
	"mapreduce-5489": mapreduce.Untold(),
	"mapreduce-5505": mapreduce.Early(),
	"replog-buggy":   replog.Buggy(),
	"ratis-grpc":     ratis.Short.GRPC(),
	"ratis-netty":    ratis.Short.Netty(),
	"round-skip":     tendermint.Lagging(),
	"zookeeper-2832": zookeeper.Diverging(),
	"zookeeper-3875": zookeeper.Inconsistent(),
	"zookeeper-790":  fle.Premature(),
	"zookeeper-975":  fle.Usurping(),
	"zookeeper-1419": fle.Circling(),
	"zookeeper-335":  zab.Forgetting(),
	"zookeeper-1653": zab.Unmarked(),
}

// The default strategy, or the one that the row names, finds the bug in each of the systems.
// Those whose hosts are built with a library, and one whose search takes as long as those of
// all others, are asked with -long.
func TestSystems(t *testing.T) {
	for _, r := range rows(t).Rows {
		if r.System == nil || !*long && (r.System.hosted() || r.Name == "zookeeper_1419") {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			if r.System.hosted() {
				r.System.replay(t, r.Faults)
			}
			require.Equal(t, result.Violated, r.System.find(t, r.System.Strategy, cmp.Or(r.System.Seed, 1)).Verdict)
		})
	}
}

// most is how many executions a search makes.
const most = 10_000

// find searches the system with one seed, by the default strategy if none is named.
func (p *process) find(t *testing.T, strategy string, seed uint64) *result.Answer {
	t.Helper()
	if p.hosted() {
		return p.ask(t, strategy, seed)
	}
	require.Contains(t, bugs, p.Name)
	s := bugs[p.Name]
	bounds := s.Faults
	if p.Isolations != 0 {
		bounds.Isolations, bounds.Period = p.Isolations, p.Period
	}
	r, err := search.Run(t.Context(), s, search.Options{Bounds: bounds, Strategy: strategy, Seed: seed, Executions: most})
	require.NoError(t, err)
	return r
}
