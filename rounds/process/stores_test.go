package process_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var stores = []string{"badger", "bolt", "nats", "pebble", "wal"}

// storesModule writes the module with the programs that write to stores: it is not part of
// this one, which does not need the stores.
func storesModule(t *testing.T) string {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join("testdata", "stores", "*.txt"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		to := filepath.Join(dir, name)
		if pkg, isGo := strings.CutSuffix(name, ".go"); isGo {
			to = filepath.Join(dir, pkg, name)
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, text, 0o644))
	}
	return dir
}

func builtStore(t *testing.T, module, store string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), store)
	require.NoError(t, process.Build(t.Context(), module, "./"+store, file))
	return file
}

// written is a store to which something is written: what that is follows from a number.
type written struct {
	*system.System
	calls []int // how many operations on files there are in each round without faults
}

const (
	storeRounds = 30
	storeCalls  = 200 // of a round at most
)

func writes(t *testing.T, file string, seed int) *written {
	t.Helper()
	node := process.Node{Name: "n1", File: file, Args: []string{fmt.Sprint(seed)}}
	s, err := process.Cluster{Rounds: storeRounds, Calls: storeCalls, Apart: -1, Nodes: []process.Node{node}}.System()
	require.NoError(t, err)
	w := &written{s, make([]int, storeRounds+1)}
	e, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{Transition: func(tr system.Transition) { w.calls[tr.Round] += len(tr.Passed) }})
	require.NoError(t, err)
	what, _ := wrong(e, nil, 1)
	require.Empty(t, what)
	return w
}

// crashes draws about so many crashes of a store, each before one of its operations on files,
// also of those with which it starts again, after each of which it is started again.
func (w *written) crashes(random *rand.Rand, many int) (faults string, crashes, started int) {
	all := many * w.calls[1] // each start has as many as the first
	for _, n := range w.calls {
		all += n
	}
	faults = fmt.Sprint("seed ", random.IntN(1e6))
	if random.IntN(2) == 0 {
		faults += fmt.Sprint("; goroutines ", random.IntN(1e6))
	}
	for round, call, calls := 1, 0, w.calls[1]; ; {
		for call += 1 + random.IntN(2*all/many); call > calls && round < storeRounds-2; calls = w.calls[round] {
			call -= calls
			round++
		}
		if round >= storeRounds-2 {
			return faults, crashes, started
		}
		outcome := []string{"", "/kept", "/torn", "/torn"}[random.IntN(4)]
		faults += fmt.Sprintf("; crash n1@%d/call%d%s; restart n1@%d", round, call, outcome, round+1)
		round, call, calls = round+1, 0, w.calls[1]
		crashes, started = crashes+1, round
	}
}

// crash executes a store with crashes, and returns what is wrong with it.
func (w *written) crash(t *testing.T, random *rand.Rand) (faults, what string, crashes, known int) {
	faults, crashes, started := w.crashes(random, 6)
	schedule, err := rounds.ParseSchedule(faults)
	require.NoError(t, err)
	e, err := w.Run(t.Context(), schedule, system.RunOptions{})
	what, known = wrong(e, err, started)
	return faults, what, crashes, known
}

// wrong returns what is wrong with a store that was started for the last time in a round: it
// has lost what it had or had said is there, it has something else, or it does not start. It
// also returns how many mistakes of a store there were that are known.
func wrong(e *recording.Execution, err error, started int) (what string, known int) {
	if err != nil {
		return err.Error(), 0
	}
	there, starts := 0, 0
	for _, f := range e.Facts {
		if f.Relation != "log" {
			continue
		}
		_, line, _ := strings.Cut(f.Args[2].Text(), " ") // behind its number, by which those of a round are sorted
		if strings.HasPrefix(line, "known:") {
			known++
		}
		n := 0
		if _, err := fmt.Sscanf(line, "acked %d", &n); err == nil {
			there = n
		}
		if _, err := fmt.Sscanf(line, "has %d", &n); err == nil {
			if f.Round >= started {
				starts++
			}
			if n < there {
				return fmt.Sprintf("it had %d, and has %d", there, n), known
			}
			there = n
		}
	}
	if starts == 0 {
		return "it does not start again", known
	}
	return "", known
}

// Stores have what they said is durable, and nothing else, however they crash: -long / 5
// crashes of each.
func TestStoresSurviveCrashes(t *testing.T) {
	if *long < 100 {
		t.Skip("downloads and builds Badger, bbolt, NATS, Pebble and the log of etcd: run it with -long 100, or 10000")
	}
	module := storesModule(t)
	for _, store := range stores {
		t.Run(store, func(t *testing.T) {
			file := builtStore(t, module, store)
			random := rand.New(rand.NewPCG(1, 2))
			before, all, executions, allKnown := cpuOfChildren(), 0, 0, 0
			for w := (*written)(nil); all < *long/5; executions++ {
				seed := executions / 20
				if executions%20 == 0 {
					w = writes(t, file, seed)
				}
				faults, what, crashes, known := w.crash(t, random)
				assert.Empty(t, what, "%s %d with %s", store, seed, faults)
				all, allKnown = all+crashes, allKnown+known
			}
			t.Logf("%d crashes in %d executions, %v of processor time in nodes, %d known mistakes", all, executions, (cpuOfChildren() - before), allKnown)
		})
	}
}

// A mutation of a store is a text in a file of one of its modules that is replaced by another:
// it does not sync something. Pebble's tables are not here, as they are synced when they are
// closed, too (Close in vfs/syncing_file.go), and so a sync before that makes no difference.
var mutations = []struct{ name, store, module, file, old, new string }{
	{"the log is not synced", "pebble", "github.com/cockroachdb/pebble", "record/log_writer.go", "err := w.s.Sync()", "err := error(nil)"},
	{"the list of tables is not synced", "pebble", "github.com/cockroachdb/pebble", "version_set.go", "if err := vs.manifestFile.Sync(); err != nil {\n\t\t\treturn errors.Wrap(err, \"MANIFEST sync", "if err := error(nil); err != nil {\n\t\t\treturn errors.Wrap(err, \"MANIFEST sync"},
	{"the directory of a log with a new name is not synced", "pebble", "github.com/cockroachdb/pebble", "db.go", "err = d.walDir.Sync()", ""},
	{"nothing is synced", "bolt", "go.etcd.io/bbolt", "bolt_linux.go", "return syscall.Fdatasync(int(db.file.Fd()))", "_ = syscall.Fdatasync; return nil"},
	{"pages are not synced before the meta page", "bolt", "go.etcd.io/bbolt", "tx.go", "// gofail: var beforeSyncDataPages struct{}\n\t\tif err := fdatasync(tx.db); err != nil {", "if err := error(nil); err != nil {"},
	{"the meta page is not synced", "bolt", "go.etcd.io/bbolt", "tx.go", "// gofail: var beforeSyncMetaPage struct{}\n\t\tif err := fdatasync(tx.db); err != nil {", "if err := error(nil); err != nil {"},
	{"the log is not synced", "badger", "github.com/dgraph-io/badger/v4", "memtable.go", "return mt.wal.Sync()", "return nil"},
	{"the list of tables is not synced", "badger", "github.com/dgraph-io/badger/v4", "manifest.go", "{ return f.Sync() }", "{ return nil }"},
	{"tables are not synced", "badger", "github.com/dgraph-io/badger/v4", "table/table.go", "if err := z.Msync(mf.Data); err != nil {", "if err := error(nil); err != nil {"},
	{"values are not synced", "badger", "github.com/dgraph-io/badger/v4", "value.go", "if err := curlf.Sync(); err != nil {\n\t\t\t\tvlog.opt", "if err := error(nil); err != nil {\n\t\t\t\tvlog.opt"},
	{"no O_DSYNC", "badger", "github.com/dgraph-io/badger/v4", "y/file_dsync.go", "datasyncFileFlag = unix.O_DSYNC", "datasyncFileFlag = 0 * unix.O_DSYNC"},
	{"the log is not synced", "wal", "go.etcd.io/etcd/server/v3", "storage/wal/wal.go", "err := fileutil.Fdatasync(w.tail().File)", "err := error(nil)"},
	{"the directory of a segment with a new name is not synced", "wal", "go.etcd.io/etcd/server/v3", "storage/wal/wal.go", "if err = fileutil.Fsync(w.dirFile); err != nil {", "if err != nil {"},
	{"the directory of a directory with a new name is not synced", "wal", "go.etcd.io/etcd/server/v3", "storage/wal/wal.go", "if perr = fileutil.Fsync(pdir); perr != nil {", "if perr != nil {"},
	{"the last segment is not synced", "wal", "go.etcd.io/etcd/server/v3", "storage/wal/wal.go", "if err := w.sync(); err != nil {\n\t\treturn err\n\t}\n\n\tfpath", "if err := w.encoder.flush(); err != nil {\n\t\treturn err\n\t}\n\n\tfpath"},
	{"messages are not synced", "nats", "github.com/nats-io/nats-server/v2", "server/filestore.go", "if mb.syncAlways {\n\t\tmb.mfd.Sync()", "if mb.syncAlways {"},
	{"no O_SYNC", "nats", "github.com/nats-io/nats-server/v2", "server/filestore.go", "flags = flags | os.O_SYNC", ""},
	{"the directory of a file with a new name is not synced", "nats", "github.com/nats-io/nats-server/v2", "server/filestore.go", "_ = d.Sync()", ""},
}

// mutated builds a store of which a file has another text.
func mutated(t *testing.T, store, module, file, old, new string) string {
	t.Helper()
	dir := storesModule(t)
	command := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	command("mod", "download", module)
	release := command("list", "-m", "-f", "{{.Dir}}", module)
	copied := filepath.Join(t.TempDir(), "mutated")
	require.NoError(t, os.CopyFS(copied, os.DirFS(release)))
	file = filepath.Join(copied, filepath.FromSlash(file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), old), file)
	require.NoError(t, os.Chmod(file, 0o644))
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o644))
	command("mod", "edit", "-replace", module+"="+copied)
	return builtStore(t, dir, store)
}

func TestDroppedSyncsAreFound(t *testing.T) {
	if *long < 100 {
		t.Skip("builds stores with mistakes: run it with -long 100")
	}
	for _, m := range mutations {
		t.Run(m.store+" "+m.name, func(t *testing.T) {
			file := mutated(t, m.store, m.module, m.file, m.old, m.new)
			random := rand.New(rand.NewPCG(1, 2))
			all := 0
			for executions := range 100 {
				w := writes(t, file, executions)
				faults, what, crashes, _ := w.crash(t, random)
				if all += crashes; what != "" {
					t.Logf("found by %d crashes in %d executions: %s: %s", all, executions+1, faults, what)
					return
				}
			}
			t.Errorf("not found by %d crashes", all)
		})
	}
}
