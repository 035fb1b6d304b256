package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// apart is what the test looks at in the JSON of a bisect.
type apart struct {
	Matrices []struct {
		Changes []struct {
			Difference *result.Difference
			Command    string
		}
	}
}

// The command that bisect prints between two versions is one that says the same as bisect
// does there: also of directories with several files, with names that a shell would take
// apart, and within other bounds than those of the programs.
func TestBisectPrintsTheCommandOfADifference(t *testing.T) {
	protocols, err := filepath.Abs("../../testdata/protocols")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	for _, dir := range []string{"old one", "new, or so"} {
		require.NoError(t, os.Mkdir(dir, 0o777))
		for file, text := range map[string]string{
			"facts.ded": "// ldfi: processes=a,b,c eot=6 eff=3 crashes=1\nbroadcast(\"a\", \"hello\")@1;\nprocess(\"a\")@1; process(\"b\")@1; process(\"c\")@1;\n",
			"rules.ded": "pre(P, M) :- log(Q, M), notin crash(Q, Q, _), process(P)@1, notin crash(P, P, _);\npost(P, M) :- log(P, M);\nlog(P, M)@next :- log(P, M);\nlog(A, M) :- broadcast(A, M);\nlog(P, M)@async :- " + map[string]string{"old one": "log", "new, or so": "broadcast"}[dir] + "(A, M);\n",
		} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666))
		}
	}
	for _, args := range [][]string{
		{filepath.Join(protocols, "delivery", "simple.ded"), filepath.Join(protocols, "delivery", "ack.ded"), filepath.Join(protocols, "delivery", "retry.ded")},
		{filepath.Join(protocols, "elastic", "v3-resync.ded"), filepath.Join(protocols, "elastic", "v4-seqno.ded")},
		{"old one", "new, or so", "--crashes", "0"},
	} {
		out, err := exec.Command("ldfi", append([]string{"bisect", "--output", "json", "--cache", "cache"}, args...)...).Output()
		require.ErrorContains(t, err, "exit status 1")
		var r apart
		require.NoError(t, json.Unmarshal(out, &r))
		require.NotEmpty(t, r.Matrices[0].Changes)
		for _, c := range r.Matrices[0].Changes {
			words, err := text.ShellSplit(c.Command)
			require.NoError(t, err)
			require.Equal(t, []string{"ldfi", "diff"}, words[:2])
			out, err := exec.Command(words[0], append(words[1:], "--output", "json")...).Output()
			require.NoError(t, err, c.Command)
			d := &result.Difference{}
			require.NoError(t, json.Unmarshal(out, d))
			require.NotZero(t, c.Difference.Outcome)
			require.Equal(t, c.Difference.Chain, d.Chain)
			require.Equal(t, len(c.Difference.Changes), len(d.Changes))
			for i, ch := range d.Changes {
				require.Equal(t, c.Difference.Changes[i].Fact, ch.Fact)
				require.Equal(t, c.Difference.Changes[i].Rule, ch.Rule)
			}
		}
	}
}
