package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

const classic = "../../testdata/protocols/delivery/classic.ded"

// called runs a command.
func called(t *testing.T, args ...string) (out, errors string, code int) {
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, streams{in: strings.NewReader(""), out: &stdout, err: &stderr})
	require.NoError(t, checkJSON(args, stdout.Bytes()), args)
	return stdout.String(), stderr.String(), code
}

// Each turn is a line of JSON, and so is the answer behind them.
func TestTraceAsJSON(t *testing.T) {
	out, _, code := called(t, "run", classic, "--trace", "--output", "json")
	require.Equal(t, exitViolated, code)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Len(t, lines, 3)
	var first, second result.Step
	var answer result.Answer
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &first))
	require.NoError(t, json.Unmarshal([]byte(lines[1]), &second))
	require.NoError(t, json.Unmarshal([]byte(lines[2]), &answer))
	require.Equal(t, []int{1, 2}, []int{first.Number, second.Number})
	require.Equal(t, result.List[string]{"log a>b@1"}, first.Outcomes[0].Supports[0].Messages)
	require.Equal(t, result.List[string]{"crash a@1", "omit a>b@1"}, first.Outcomes[0].Supports[0].Clause)
	require.Equal(t, answer.First().Schedule, second.Schedule)
	require.NotEmpty(t, second.Violations)
}

func TestStrategiesOfPrograms(t *testing.T) {
	for args, want := range map[string]string{
		"--strategy spread":              "--strategy goes with --system; a program needs none",
		"--strategy lineage --max 2":     "--max does not go with --strategy lineage",
		"--trace --strategy spread":      "--trace shows the turns of --strategy lineage; --strategy spread has none",
		"--trace --max 2":                "--max does not go with --strategy lineage",
		"--strategy lineage --seed 7":    "--seed goes with --system",
		"--strategy lineage --pauses 1":  "--pauses goes with --system",
		"--trace=false --strategy learn": "--strategy goes with --system",
	} {
		_, err, code := called(t, append([]string{"run", classic}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, code, args)
		require.Contains(t, err, want, args)
	}
}
