package everyway_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/counter"
	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/fle"
	"github.com/lineage-driven/ldfi/examples/gossip"
	"github.com/lineage-driven/ldfi/examples/hints"
	"github.com/lineage-driven/ldfi/examples/mapreduce"
	"github.com/lineage-driven/ldfi/examples/mirror"
	"github.com/lineage-driven/ldfi/examples/notes"
	"github.com/lineage-driven/ldfi/examples/ratis"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/examples/tickets"
	"github.com/lineage-driven/ldfi/examples/zab"
	"github.com/lineage-driven/ldfi/examples/zookeeper"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/testing/everyway"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// examples are what the hosts of this module serve, by the words with which they do.
var examples = map[string]*system.System{
	"cassandra.Buggy()": cassandra.Buggy(), "cassandra.Fixed()": cassandra.Fixed(),
	"counter.Hasty()": counter.Hasty(), "counter.Strict()": counter.Strict(),
	"election.Buggy()": election.Buggy(), "election.Fixed()": election.Fixed(),
	"fle.Premature()": fle.Premature(), "fle.Established()": fle.Established(), "fle.Usurping()": fle.Usurping(), "fle.Joining()": fle.Joining(), "fle.Circling()": fle.Circling(), "fle.Settling()": fle.Settling(),
	"gossip.Buggy()": gossip.Buggy(), "gossip.Fixed()": gossip.Fixed(),
	"hints.Buggy()": hints.Buggy(), "hints.Fixed()": hints.Fixed(),
	"mapreduce.OneSuccess()": mapreduce.OneSuccess(), "mapreduce.TwoSuccesses()": mapreduce.TwoSuccesses(), "mapreduce.Untold()": mapreduce.Untold(), "mapreduce.Told()": mapreduce.Told(),
	"mapreduce.Early()": mapreduce.Early(), "mapreduce.EarlyClient()": mapreduce.EarlyClient(), "mapreduce.EarlyAnswer()": mapreduce.EarlyAnswer(), "mapreduce.Unregistered()": mapreduce.Unregistered(),
	"mirror.Hasty()": mirror.Hasty(), "mirror.Patient()": mirror.Patient(),
	`notes.System("notes", false)`: notes.System("notes", false), `notes.System("notes-careless", true)`: notes.System("notes-careless", true),
	"ratis.Short.GRPC()": ratis.Short.GRPC(), "ratis.Short.Netty()": ratis.Short.Netty(), "ratis.Short.Fixed()": ratis.Short.Fixed(), "ratis.Long.GRPC()": ratis.Long.GRPC(), "ratis.Long.Netty()": ratis.Long.Netty(), "ratis.Long.Fixed()": ratis.Long.Fixed(),
	"replog.Buggy()": replog.Buggy(), "replog.Fixed()": replog.Fixed(),
	"tendermint.Lagging()": tendermint.Lagging(), "tendermint.Skipping()": tendermint.Skipping(),
	"tendermint.Height(tendermint.NoBug)": tendermint.Height(tendermint.NoBug), "tendermint.Height(tendermint.ExpectUnlock)": tendermint.Height(tendermint.ExpectUnlock), "tendermint.Height(tendermint.Relocked)": tendermint.Height(tendermint.Relocked),
	"tendermint.Height(tendermint.LockedCommit)": tendermint.Height(tendermint.LockedCommit), "tendermint.Height(tendermint.LaggingReplica)": tendermint.Height(tendermint.LaggingReplica), "tendermint.Height(tendermint.ForeverLaggingReplica)": tendermint.Height(tendermint.ForeverLaggingReplica),
	"tickets.Hasty()": tickets.Hasty(), "tickets.Careful()": tickets.Careful(),
	"zab.Forgetting()": zab.Forgetting(), "zab.Accepting()": zab.Accepting(), "zab.Unmarked()": zab.Unmarked(), "zab.Marked()": zab.Marked(),
	"zookeeper.Diverging()": zookeeper.Diverging(), "zookeeper.Converging()": zookeeper.Converging(), "zookeeper.Inconsistent()": zookeeper.Inconsistent(), "zookeeper.Consistent()": zookeeper.Consistent(), "zookeeper.Both()": zookeeper.Both(),
}

var (
	all  = flag.Bool("all", false, "ask all examples, and not one of each package")
	long = flag.Bool("long", false, "ask the examples as well whose search goes through very many global states")
)

// large tells whether the search of an example goes through very many states.
func large(words string) bool {
	if words == "zookeeper.Both()" || strings.HasPrefix(words, "notes.System(\"notes-careless") {
		return true
	}
	for _, prefix := range []string{"ratis.", "zab.", "gossip.", "fle.Circling", "fle.Settling", "zookeeper.Inconsistent", "zookeeper.Consistent"} {
		if strings.HasPrefix(words, prefix) {
			return true
		}
	}
	return false
}

// Each example answers the same, however it is asked.
func TestExamples(t *testing.T) {
	for variable, flag := range map[string]*bool{"LDFI_EVERY_WAY_ALL": all, "LDFI_EVERY_WAY_LONG": long} {
		if *flag = *flag || os.Getenv(variable) != ""; *flag {
			t.Setenv(variable, "yes") // for the programs that this one starts
		}
	}
	var systems []*system.System
	asked := map[string]bool{}
	for _, words := range slices.Sorted(maps.Keys(examples)) {
		of, _, _ := strings.Cut(words, ".")
		if *long || !large(words) && (*all || !asked[of]) {
			systems, asked[of] = append(systems, examples[words]), true
		}
	}
	everyway.Test(t, 20, systems)
}

// No host serves a system that is not asked here.
func TestAllHosts(t *testing.T) {
	served := map[string]bool{}
	hosts, err := filepath.Glob("../../../examples/*/host/main.go")
	require.NoError(t, err)
	for _, file := range hosts {
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Serve" {
				return true
			}
			for _, argument := range call.Args {
				var words bytes.Buffer
				require.NoError(t, format.Node(&words, files, argument))
				served[words.String()] = true
			}
			return false
		})
	}
	delete(served, "quorum.Hasty()") // a module of its own
	delete(served, "quorum.Careful()")
	require.Equal(t, slices.Sorted(maps.Keys(served)), slices.Sorted(maps.Keys(examples)))
}

// What a system says of its own faults holds for those who ask a test about it, also where
// it has no budgets, and where the test says a part of them.
func TestWhatASystemSays(t *testing.T) {
	everyway.Test(t, 20, saying())
}

func TestWhatATestSays(t *testing.T) {
	everyway.Test(t, 20, saying(), ldfitest.Isolations(1, 0))
}

func TestWhatATestSaysOfAssumptions(t *testing.T) {
	everyway.Test(t, 20, saying(), ldfitest.Bounds(rounds.Bounds{Crashes: 1, NeverCrash: []string{}, Reliable: []string{"b>*"}}), ldfitest.Rounds(7))
}

// Nor does it matter who is asked when a test says how it is to be searched.
func TestHowATestSearches(t *testing.T) {
	everyway.Test(t, 20, saying(), ldfitest.Strategy("uniform"), ldfitest.Seed(7), ldfitest.Settings(rounds.Settings{Seed: rounds.Set(3)}))
}

// A test and a suite keep what they find in one place, and each executes what the other
// has kept; a case may name another place.
func TestOneStore(t *testing.T) {
	const inside = "LDFI_ONE_STORE"
	if os.Getenv(inside) != "" {
		ldfitest.Run(t, election.Buggy(), ldfitest.Isolations(1, 2))
		return
	}
	t.Setenv(inside, "yes")
	program, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	check := func(more string) suite.CaseResult {
		text := fmt.Sprintf("cases:\n  - name: buggy\n    system: %q\n%s", text.ShellJoin(program, "-test.run", "^TestOneStore$"), more)
		require.NoError(t, os.WriteFile(filepath.Join(dir, suite.FileName), []byte(text), 0o600))
		s, err := suite.Read(filepath.Join(dir, suite.FileName))
		require.NoError(t, err)
		c := s.Run(t.Context(), suite.Options{}).Cases[0]
		require.Empty(t, c.Error)
		require.Equal(t, result.Violated, c.Answer.Verdict)
		return c
	}
	at := func(file string) string { return filepath.ToSlash(filepath.Join(dir, file)) }
	const file = "testdata/ldfi/TestOneStore/one_leader_per_term.txt"

	require.Equal(t, at(file), check("").NewKept)
	cmd := exec.CommandContext(t.Context(), program, "-test.v", "-test.run", "^TestOneStore$")
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(text), "found   by the schedule that is kept")
	require.Contains(t, string(text), "kept    "+file)

	c := check("")
	require.Empty(t, c.NewKept)
	require.Len(t, c.Kept, 1)
	require.Equal(t, at(file), c.Kept[0].File)

	c = check("    kept: other/place\n")
	require.Empty(t, c.Kept)
	require.Equal(t, at("other/place/one_leader_per_term.txt"), c.NewKept)
}

func saying() []*system.System {
	var all []*system.System
	for name, faults := range map[string]rounds.Bounds{
		"nothing":     {},
		"everything":  {Isolations: 1, Crashes: 1, Period: 3, EFF: 5, NeverCrash: []string{"a"}, Reliable: []string{"a>*"}},
		"assumptions": {NeverCrash: []string{"a"}, Reliable: []string{"c>*"}, EFF: 4},
		"no fault":    {Omissions: 1, Isolations: 1, Period: 2, Reliable: []string{"*>*"}},
		"kinds":       {Omissions: 1, Cuts: 1, Period: 2, Kinds: []string{"vote"}},
		"all kinds":   {Delays: 1, MaxDelay: 2, Kinds: []string{rounds.AllKinds}},
		"granted":     {Isolations: 2, Period: 2, Deliver: "majority", Kernel: "yes"},
	} {
		s := election.Buggy()
		s.Name, s.Faults = name, faults
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *system.System) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return all
}
