//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/stretchr/testify/require"
)

// anyProved is a program whose promise holds for any number of rounds, and anyBroken one whose promise does not.
const (
	anyProved = "../../testdata/protocols/restart/2pc_recovers.ded"
	anyBroken = "../../testdata/protocols/restart/2pc_forgets.ded"
)

// A proof for any number of rounds is in three files, the same each time, in both forms of AIGER.
func TestProofForAnyNumberOfRounds(t *testing.T) {
	dir := t.TempDir()
	var before []byte
	for _, ending := range []string{".aig", ".aag", ".aag"} {
		file, formula := filepath.Join(dir, "out"+ending), filepath.Join(dir, "out.cnf")
		stdout, stderr, code := called(t, "run", "--any-rounds", anyProved, "--certificate", file)
		require.Equal(t, exitHolds, code, stderr)
		require.Contains(t, stdout, "\n  files    "+file+" is the round as a circuit, "+filepath.Join(dir, "out.witness"+ending))
		model, err := os.ReadFile(file)
		require.NoError(t, err)
		cnf, err := os.ReadFile(formula)
		require.NoError(t, err)
		m, err := oracle.ReadMachine(model)
		require.NoError(t, err)
		clauses, err := m.Invariant(cnf)
		require.NoError(t, err)
		require.NotEmpty(t, clauses)
		require.Empty(t, m.Refute(clauses))
		if len(before) > 0 && string(before[:3]) == string(model[:3]) {
			require.Equal(t, string(before), string(model))
		}
		before = model
	}
	within := filepath.Join(dir, "within.aig")
	_, stderr, code := called(t, "run", "--within", "1", "../../testdata/protocols/delivery/redundant.ded", "--certificate", within)
	require.Equal(t, exitHolds, code, stderr)
	require.NoError(t, os.Remove(within))
	require.NoError(t, os.Remove(filepath.Join(dir, "within.witness.aig")))
	require.NoError(t, os.Remove(filepath.Join(dir, "within.cnf")))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 5, "two circuits, two witnesses, one formula, and nothing else")
}

// The commands of the guide, with other tools, print what it says. The proof of the SAT solver is checked as well.
func TestGuideToProofsForAnyNumberOfRounds(t *testing.T) {
	needCadical(t)
	if _, err := exec.LookPath("berkeley-abc"); err != nil {
		t.Skip("berkeley-abc is not installed (Debian: apt-get install berkeley-abc)")
	}
	guide, err := os.ReadFile("../../docs/guide/certificate.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(guide), "\n## Any number of rounds\n")
	commands := strings.Split(section, "```")
	program, err := os.ReadFile(anyProved)
	require.NoError(t, err)
	parts, err := filepath.Abs(filepath.Join(filepath.Dir(anyProved), ".."))
	require.NoError(t, err)
	dir := t.TempDir()
	text := strings.ReplaceAll(string(program), `"../`, `"`+filepath.ToSlash(parts)+"/")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "protocol.ded"), []byte(text), 0o600))
	shell := exec.CommandContext(t.Context(), "sh", "-c", strings.TrimPrefix(commands[1], "sh\n"))
	shell.Dir = dir
	out, err := shell.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for line := range strings.Lines(strings.TrimPrefix(commands[3], "text\n")) {
		require.Contains(t, string(out), strings.TrimSpace(line))
	}
	cnf, err := os.ReadFile(filepath.Join(dir, "certificate.cnf"))
	require.NoError(t, err)
	proof, err := os.ReadFile(filepath.Join(dir, "certificate.drat"))
	require.NoError(t, err)
	require.NoError(t, oracle.CheckProof(cnf, proof))
}

// Of another verdict there is no proof, and none of an earlier time is left.
func TestNoProofForAnyNumberOfRounds(t *testing.T) {
	dir := t.TempDir()
	file, formula := filepath.Join(dir, "out.aig"), filepath.Join(dir, "out.cnf")
	require.NoError(t, os.WriteFile(formula, nil, 0o600))
	_, stderr, code := called(t, "run", "--any-rounds", anyBroken, "--certificate", file)
	require.Equal(t, exitViolated, code)
	require.Equal(t, "note: the verdict is violated, and only holds has a proof: "+file+" is not written\n", stderr)
	require.FileExists(t, formula, "which belongs to no proof")
	stdout, stderr, code := called(t, "run", "--any-rounds", "../../testdata/protocols/commit/2pc.ded", "--certificate", file)
	require.Equal(t, exitViolated, code, "but agreement is proved")
	require.Empty(t, stderr)
	require.Contains(t, stdout, "\n  files    "+file+" is the round as a circuit")
	require.FileExists(t, formula)
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, stderr, _ = called(t, "run", "--any-rounds", anyBroken, "--certificate", file)
	require.Contains(t, stderr, "is not written; "+file+", "+strings.TrimSuffix(file, ".aig")+".witness.aig and "+formula+" of an earlier run are removed\n")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// What cannot be written is an error that says what, and nothing is lost.
func TestProofForAnyNumberOfRoundsRefused(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.aig")
	require.NoError(t, os.WriteFile(old, []byte("old"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "old.cnf"), 0o700))
	program := filepath.Join(dir, "p.aig")
	require.NoError(t, os.WriteFile(program, []byte(losing), 0o600))
	for says, args := range map[string][]string{
		"--certificate needs --any-rounds or --within, whose proof it writes; within bounds that is": {anyProved, "--certificate", "x.aig"},
		"--certificate writes AIGER: name a file that ends in .aig, or in .aag for the form that":    {anyProved, "--any-rounds", "--certificate", "x.cnf"},
		"belongs to what is asked about, and would be lost":                                          {program, "--any-rounds", "--certificate", program},
		"--certificate: writing " + filepath.Join(dir, "none", "x.aig"):                              {anyProved, "--any-rounds", "--certificate", filepath.Join(dir, "none", "x.aig")},
		"old.cnf": {anyProved, "--any-rounds", "--certificate", old},
	} {
		stdout, stderr, code := called(t, append([]string{"run"}, args...)...)
		require.Equal(t, exitUsage, code, says)
		require.Empty(t, stdout)
		require.Contains(t, stderr, says)
	}
	kept, err := os.ReadFile(old)
	require.NoError(t, err)
	require.Equal(t, "old", string(kept))
	require.NoFileExists(t, filepath.Join(dir, "old.witness.aig"))
}
