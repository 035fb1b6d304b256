package catalogue_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// hosts are the programs that were built, by folder.
var hosts = map[string]string{}

// host builds the program that has the systems of a folder.
func host(t *testing.T, folder string) string {
	t.Helper()
	if hosts[folder] == "" {
		file := filepath.Join(filepath.Dir(binary), filepath.Base(folder)+"-host")
		cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", file, "./"+folder+"/host")
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		hosts[folder] = file
	}
	return hosts[folder]
}

// ask has ldfi search the system.
func (p *process) ask(t *testing.T, strategy string, seed uint64) *result.Answer {
	t.Helper()
	args := []string{"run", "--progress", "none", "--output", "json", "--system", host(t, p.Folder), "--name", p.Name,
		"--seed", fmt.Sprint(seed), "--executions", fmt.Sprint(cmp.Or(p.Most, most))}
	if strategy != "" {
		args = append(args, "--strategy", strategy)
	}
	var a result.Answer
	require.NoError(t, json.Unmarshal(command(t, args...), &a))
	return &a
}

// replay executes the smallest set of faults: it has so many, and shows the bug, and
// with the fix it does not.
func (p *process) replay(t *testing.T, faults int) {
	t.Helper()
	schedule, err := rounds.ParseSchedule(p.Schedule)
	require.NoError(t, err)
	require.Equal(t, faults, schedule.Size(), "%s", schedule)
	for name, verdict := range map[string]result.Verdict{p.Name: result.Violated, p.Fixed: result.Holds} {
		var a struct{ Verdict result.Verdict }
		require.NoError(t, json.Unmarshal(command(t, "inject", "--output", "json", "--system", host(t, p.Folder), "--name", name, "--faults", p.Schedule), &a))
		require.Equal(t, verdict, a.Verdict, "%s under %s", name, p.Schedule)
	}
}

// faults returns the smallest set of faults without its settings.
func (p *process) faults(t *testing.T) string {
	t.Helper()
	schedule, err := rounds.ParseSchedule(p.Schedule)
	require.NoError(t, err)
	return rounds.Schedule{Faults: schedule.Faults}.String()
}
