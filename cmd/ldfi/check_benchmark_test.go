package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/stretchr/testify/require"
)

// smallSuite writes a suite with so many of the protocols of this repository,
// within different bounds, whose verdicts are known. The large ones are left out.
func smallSuite(b *testing.B, cases int) string {
	protocols, err := filepath.Abs("../../testdata/protocols")
	require.NoError(b, err)
	all, err := oracle.ReadExpected(filepath.Join(protocols, "expected.txt"))
	require.NoError(b, err)
	var text strings.Builder
	text.WriteString("cases:\n")
	for _, e := range all {
		name := filepath.Base(e.Path)
		if cases == 0 || strings.Contains(name, "12") || strings.Contains(e.Path, "replog") || strings.Contains(e.Path, "elastic") {
			continue
		}
		fmt.Fprintf(&text, "  - files: %s\n    name: %s%d\n", e.Path, name, cases)
		if e.Violated {
			fmt.Fprintf(&text, "    expect: violated\n    faults: %d\n", e.Size)
		}
		if len(e.Overrides) > 0 {
			text.WriteString("    bounds:\n")
		}
		for _, key := range slices.Sorted(maps.Keys(e.Overrides)) {
			fmt.Fprintf(&text, "      %s: %s\n", key, e.Overrides[key])
		}
		cases--
	}
	require.Zero(b, cases, "there are not enough protocols")
	file := filepath.Join(b.TempDir(), "ldfi.yaml")
	require.NoError(b, os.WriteFile(file, []byte(text.String()), 0o644))
	return file
}

// check runs ldfi check as a process, and returns the time that it had on a
// core, in milliseconds. Unlike the time on the wall, that is about the same
// on a busy machine.
func check(b *testing.B, suite, cache string) float64 {
	cmd := exec.Command("ldfi", "check", "--cache", cache, suite)
	out, err := cmd.CombinedOutput()
	require.NoError(b, err, string(out))
	return float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Milliseconds())
}

// BenchmarkCheckCold checks 100 small protocols with an empty cache.
func BenchmarkCheckCold(b *testing.B) {
	suite, spent := smallSuite(b, 100), 0.0
	for b.Loop() {
		spent += check(b, suite, b.TempDir())
	}
	b.ReportMetric(spent/float64(b.N), "core-ms/op")
}

// BenchmarkCheckUnchanged checks 50 protocols of which none has changed.
func BenchmarkCheckUnchanged(b *testing.B) {
	suite, cache, spent := smallSuite(b, 50), b.TempDir(), 0.0
	check(b, suite, cache)
	for b.Loop() {
		spent += check(b, suite, cache)
	}
	b.ReportMetric(spent/float64(b.N), "core-ms/op")
}
