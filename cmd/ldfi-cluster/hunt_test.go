package main

import (
	"bytes"
	"testing"

	"github.com/lineage-driven/ldfi/internal/hunt"
	"github.com/stretchr/testify/require"
)

// What is missing is said before anything is built.
func TestHuntUsage(t *testing.T) {
	for wrong, args := range map[string][]string{
		"requires at least 1 arg":   {"hunt"},
		"--nats URL is needed":      {"hunt", "./x", "--run", "T", "--seeds", "3"},
		"--run REGEXP is needed":    {"hunt", "./x", "--nats", "nats://here", "--seeds", "3"},
		"--seeds N is needed":       {"hunt", "./x", "--nats", "nats://here", "--run", "T"},
		"no such large seeds":       {"hunt", "./x", "--nats", "nats://here", "--run", "T", "--seeds", "3", "--first", "18446744073709551615"},
		"--shards has to be at":     {"hunt", "./x", "--nats", "nats://here", "--run", "T", "--seeds", "3", "--shards", "0"},
		"there is one package; wha": {"hunt", "./x", "./y", "--nats", "nats://here", "--run", "T", "--seeds", "3"},
	} {
		var out, said bytes.Buffer
		require.Equal(t, exitUsage, run(t.Context(), args, streams{out: &out, err: &said}))
		require.Contains(t, said.String(), wrong)
		require.Empty(t, out.String())
	}
}

// The exit code says the worst that there was.
func TestHuntSum(t *testing.T) {
	passed, failed, undone := hunt.Shard{Passed: true}, hunt.Shard{}, hunt.Shard{Undone: "nobody is there"}
	for _, c := range []struct {
		shards []hunt.Shard
		err    error
		says   string
	}{
		{[]hunt.Shard{passed}, nil, "seeds 1 to 9, in 1 shard: 1 passed, 0 failed, 0 not looked at\n"},
		{[]hunt.Shard{passed, undone}, codeError(exitInconclusive), "seeds 1 to 9, in 2 shards: 1 passed, 0 failed, 1 not looked at\n"},
		{[]hunt.Shard{undone, failed}, codeError(exitFound), "seeds 1 to 9, in 2 shards: 0 passed, 1 failed, 1 not looked at\n"},
	} {
		var out bytes.Buffer
		require.Equal(t, c.err, streams{out: &out}.sum(hunt.Seeds{First: 1, Count: 9}, c.shards))
		require.Equal(t, c.says, out.String())
	}
}
