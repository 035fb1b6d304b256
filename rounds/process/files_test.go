package process_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// executed executes a cluster of one node.
func executed(t *testing.T, c process.Cluster, faults string) *recording.Execution {
	t.Helper()
	s, err := c.System()
	require.NoError(t, err)
	schedule, err := rounds.ParseSchedule(faults)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	return e
}

// printed returns the lines that a node has printed, sorted.
func printed(e *recording.Execution, node string) (lines []string) {
	for _, f := range e.Facts {
		if f.Relation == "log" && f.Args[0] == specs.String(node) {
			lines = append(lines, f.Args[2].Text())
		}
	}
	slices.Sort(lines)
	return lines
}

// once is a cluster of one program that comes to its end.
func once(t *testing.T, args ...string) process.Cluster {
	t.Helper()
	file := built(t, "./testdata/files")
	return process.Cluster{Rounds: 2, Clients: []process.Node{{Name: "n1", File: file, Args: args}}}
}

func TestFilesOfANodeAreLikeRealOnes(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "files")
	out, err := exec.Command("go", "build", "-o", plain, "./testdata/files").CombinedOutput()
	require.NoError(t, err, "%s", out)
	const sequences = 20
	for seed := range 3 {
		args := []string{"random", fmt.Sprint(seed), fmt.Sprint(sequences)}
		cmd := exec.Command(plain, args...)
		cmd.Dir = t.TempDir()
		text, err := cmd.Output()
		require.NoError(t, err)
		want := strings.Split(strings.TrimSpace(string(text)), "\n")

		got := printed(executed(t, once(t, args...), ""), "n1")
		require.Greater(t, len(want), 300*sequences)
		for i := range min(len(want), len(got)) {
			require.Equal(t, want[i], got[i], "seed %d, line %d, after\n%s", seed, i, strings.Join(want[max(i-15, 0):i], "\n"))
		}
		assert.Equal(t, len(want), len(got))
		assert.Contains(t, got[len(got)-2], "deep 0", "calls whose arguments are on stacks of all depths")
	}
}

// journal executes a node that writes something in each round, as often as it can, and
// returns how much it had when it was started again after a crash (-1: it was not), and how
// much it had acknowledged before.
func journal(t *testing.T, node process.Node, faults string, crash int) (acked, had int, e *recording.Execution) {
	t.Helper()
	s, err := process.Cluster{Rounds: 30, Calls: 100, Nodes: []process.Node{node}}.System()
	require.NoError(t, err)
	schedule, err := rounds.ParseSchedule(faults)
	require.NoError(t, err)
	e, err = s.Run(t.Context(), schedule, system.RunOptions{})
	if err != nil {
		require.ErrorAs(t, err, new(*system.PanicError), "it ends when it cannot read its files")
		return 0, -1, e
	}
	had = -1
	for _, f := range e.Facts {
		if f.Relation != "log" {
			continue
		}
		var n int
		if _, err := fmt.Sscanf(f.Args[2].Text(), "acked %d", &n); err == nil && f.Round <= crash {
			acked = max(acked, n)
		}
		if _, err := fmt.Sscanf(f.Args[2].Text(), "has %d", &n); err == nil && f.Round > crash {
			had = n
		}
	}
	return acked, had, e
}

func journalNode(t *testing.T, how string) process.Node {
	t.Helper()
	file := built(t, "./testdata/files")
	return process.Node{Name: "n1", File: file, Args: []string{"journal", how}}
}

func TestACrashLeavesWhatWasSynced(t *testing.T) {
	for _, outcome := range []string{"", "/kept", "/torn"} {
		for crash := 5; crash < 20; crash += 3 {
			acked, had, _ := journal(t, journalNode(t, "synced"), fmt.Sprintf("seed %d; crash n1@%d%s; restart n1@%d", crash, crash, outcome, crash+2), crash)
			assert.Positive(t, acked)
			assert.Equal(t, acked, had, "crash in round %d%s", crash, outcome)
		}
	}
}

func TestACrashLosesWhatWasNotSynced(t *testing.T) {
	acked, had, e := journal(t, journalNode(t, "unsynced"), "crash n1@12; restart n1@14", 12)
	assert.Greater(t, acked, 5)
	assert.Zero(t, had)
	assert.Equal(t, []string{`file_lost("n1", "/data/journal")@14`}, lost(e))
	acked, had, e = journal(t, journalNode(t, "unsynced"), "crash n1@12/kept; restart n1@14", 12)
	assert.Equal(t, acked, had)
	assert.Empty(t, lost(e))
	left := map[int]bool{}
	for seed := range 12 {
		_, had, _ = journal(t, journalNode(t, "unsynced"), fmt.Sprintf("seed %d; crash n1@12/torn; restart n1@14", seed), 12)
		left[had] = true
	}
	assert.Greater(t, len(left), 2, "a torn disk has lost some of it: %v", left)
}

// lost returns what is said of the files that crashes have not left as they were.
func lost(e *recording.Execution) (facts []string) {
	for _, f := range e.Facts {
		if f.Relation == "file_lost" {
			facts = append(facts, f.String())
		}
	}
	return facts
}

func TestAFailedSyncIsAnError(t *testing.T) {
	_, had, e := journal(t, journalNode(t, "synced"), "failsync n1@8; crash n1@12; restart n1@14", 12)
	failed := 0
	for _, line := range printed(e, "n1") {
		_, _ = fmt.Sscanf(line, "failed %d", &failed)
	}
	assert.Positive(t, failed)
	assert.NotEqual(t, -1, had)
	assert.Less(t, had, 12, "a line that a failed sync should have made durable is zeros")
}

func TestANodeReachesNoRealFiles(t *testing.T) {
	confined(t)
	real := filepath.Join(t.TempDir(), "real")
	require.NoError(t, os.WriteFile(real, []byte("is there"), 0o644))
	lines := printed(executed(t, once(t, "outside", real), ""), "n1")
	for i, line := range lines {
		lines[i] = line[8:]
	}
	assert.Equal(t, []string{
		"read true", "read true", "read true", "read true", "read true", "read true", "link <nil>", "read by a link true",
		"chroot operation not permitted", "change true true true", "make <nil> <nil> open /etc/passwd: read-only file system",
		"own <nil> <nil>",
		"link out link /etc/hosts hard: invalid cross-device link open hosts: read-only file system chmod hosts: read-only file system",
		"rename across rename own /etc/hosts: read-only file system rename /etc/hosts own: read-only file system rename own ../../../etc/own: read-only file system",
		"proc open /proc/self/comm: read-only file system open /proc/self/fd/1: no such file or directory mkdir /proc/2: read-only file system",
		"disk open /dev/sda: no such file or directory operation not permitted open /dev/sda: read-only file system",
		"allowed true", "remove unlinkat .///dev/full: read-only file system",
		"left dev", "left etc", "left proc", "left sys", "left usr", "done <nil>",
	}, lines)
	text, err := os.ReadFile(real)
	require.NoError(t, err)
	assert.Equal(t, "is there", string(text))
}

func TestFilesOfTheClusterAreOnTheDisk(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "deep"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "deep", "journal"), fmt.Appendf(nil, "%0700d\n", 1), 0o600))
	file := built(t, "./testdata/files")
	c := process.Cluster{Rounds: 5, Nodes: []process.Node{{Name: "n1", File: file, Args: []string{"journal", "synced"}}}}
	c.Files = map[string]string{"conf": dir, "journal": filepath.Join(dir, "deep", "journal")}
	e := executed(t, c, "crash n1@2; restart n1@4")
	assert.Contains(t, printed(e, "n1"), "has 1")

	// The recording has their names and digests, those of sha256sum, once.
	of := sha256.Sum256(fmt.Appendf(nil, "%0700d\n", 1))
	folder := sha256.Sum256(fmt.Appendf(nil, "%x  deep/journal\n", of))
	var told []string
	for _, f := range e.Facts {
		if f.Relation == "file" {
			told = append(told, f.String())
		}
	}
	assert.Equal(t, []string{fmt.Sprintf(`file("n1", "conf", "%x")@1`, folder), fmt.Sprintf(`file("n1", "journal", "%x")@1`, of)}, told)

	c.Files = map[string]string{"conf": filepath.Join(dir, "none")}
	_, err := c.System()
	assert.ErrorContains(t, err, "node n1: files: lstat ")
}

func TestADiskHasALimit(t *testing.T) {
	if *long < 100 {
		t.Skip("writes 1 GiB and a million files: run it with -long 100")
	}
	confined(t)
	said := printed(executed(t, once(t, "fill"), ""), "n1")
	require.Len(t, said, 2)
	assert.Equal(t, "0000001 full true 1024", said[0])
	assert.Regexp(t, `^ldfi does not offer this to nodes: more than 1 GiB, or 2097152 files, on its disk at .*/files/more\.go:\d+$`, said[1])
	assert.Equal(t, []string{"0000001 files 1000000 <nil>", "0000002 removed <nil>"}, printed(executed(t, once(t, "many", "1000000"), ""), "n1"))
}
