package everyway

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/stretchr/testify/require"
)

// With a guide the answer is the same in process, by a host, and in a suite, and go test fails where that is violated. A test that has a
// guide is not searched without.
func TestGuidedEveryWay(t *testing.T) {
	s := election.Fixed()
	rules := map[string]string{
		"bad":      `drop(M) :- message(M, _, _, "vote", _, 2). goto("start", "led") :- leader(_, _, R), R > 2. bad("led").`,
		"waypoint": `hold(M) :- message(M, "b", _, "vote", _, 2). release(M, R) :- hold(M), leader(_, _, S), round(R), R = fn:plus(S, 1). waypoint(1, R) :- leader(_, _, R).`,
		"holds":    `deliver(M) :- message(M, _, _, "vote", _, R), R > 2. drop(M) :- message(M, _, _, "vote", _, 2).`,
	}
	as := os.Getenv(role)
	switch {
	case as == host:
		conn, err := net.Dial("unix", os.Getenv(messages.Door))
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, wire.ServeOn(conn, conn, s))
		return
	case as != "":
		options := []ldfitest.Option{ldfitest.Guide(rules[as])}
		if as == "holds" {
			options = append(options, ldfitest.Bounds(rounds.Bounds{Omissions: 1, EFF: 5}))
		}
		ldfitest.Run(t, s, options...)
		return
	}
	program, err := os.Executable()
	require.NoError(t, err)
	command := text.ShellJoin(program, "-test.run", "^TestGuidedEveryWay$")
	for name, verdict := range map[string]result.Verdict{"bad": result.Violated, "waypoint": result.Inconclusive, "holds": result.Holds} {
		dir := t.TempDir()
		file := filepath.Join(dir, name+".mg")
		require.NoError(t, os.WriteFile(file, []byte(rules[name]), 0o600))

		t.Setenv(role, host)
		q := &subject.System{Command: command, Name: s.Name}
		q.Guide = file
		text := fmt.Sprintf("cases:\n  - name: %q\n    system: %q\n    guide: %q\n", name, command, filepath.Base(file))
		b := s.Bounds(0)
		if name == "holds" {
			q.Bounds = map[string]string{"omissions": "1", "eff": "5"}
			text += "    bounds: {omissions: 1, eff: 5}\n"
			b.Omissions, b.EFF = 1, 5
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, suite.FileName), []byte(text), 0o600))
		opened, err := q.Open(t.Context())
		require.NoError(t, err)
		byHost, err := opened.Search(t.Context())
		require.NoError(t, err, name)
		require.NoError(t, opened.Close())
		all, err := suite.Read(filepath.Join(dir, suite.FileName))
		require.NoError(t, err)
		c := all.Run(t.Context(), suite.Options{Unkept: true}).Cases[0]
		require.Empty(t, c.Error, name)
		g, err := guide.Parse(byHost.Guidance.File, rules[name])
		require.NoError(t, err)
		local, err := search.NewTarget(s, s.Properties)
		require.NoError(t, err)
		here, err := strategies.Run(t.Context(), local, search.Options{Guide: g, Bounds: b})
		require.NoError(t, err)
		require.Equal(t, verdict, here.Verdict, name)
		require.Equal(t, guided(t, here), guided(t, byHost), name)
		require.Equal(t, guided(t, here), guided(t, c.Answer), name)

		t.Setenv(role, name)
		cmd := exec.CommandContext(t.Context(), program, "-test.run", "^TestGuidedEveryWay$")
		cmd.Dir = dir
		said, err := cmd.CombinedOutput()
		require.Equal(t, verdict == result.Violated, err != nil, "%s", said)
		q.Guide, q.Name = "", ""
		opened, err = q.Open(t.Context())
		require.NoError(t, err)
		_, err = opened.Search(t.Context())
		require.ErrorContains(t, err, "the test lets a guide decide faults (guide.mg)")
		require.NoError(t, opened.Close())
	}
}

// guided is what an answer has to say of a search with a guide.
func guided(t *testing.T, a *result.Answer) string {
	t.Helper()
	g := *a.Guidance
	g.File = ""
	guidance, err := json.Marshal(&g)
	require.NoError(t, err)
	schedule := ""
	for _, c := range a.Counterexamples {
		schedule += c.Schedule.String()
	}
	return fmt.Sprint(a.Verdict, " ", schedule, " ", string(guidance))
}
