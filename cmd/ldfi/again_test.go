package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// asks are values of flags of ldfi run that say which executions of servers there are, with
// what each needs beside it.
var asks = []struct{ flags, value, beside string }{
	{"server", "./kvd", ""},
	{"nodes", "2", ""},
	{"client", "'./load {peers:80}'", ""},
	{"checker", "'./check {peers:80}'", ""},
	{"checker", "./check", "--eot 60"},
	{"files", "a=in.txt", ""},
	{"requests", "in.txt", "--client './load {requests}'"},
	{"env", "COLOUR='dark blue'", ""},
	{"tick", "5ms", ""},
	{"apart", "0", ""},
	{"epoch", "2026-01-31T12:00:00Z", ""},
	{"calls", "3", "--crashes 1"},
	{"poll", "'every 20 http://{ip}/x'", ""},
	{"last", "7", ""},
	{"name", "kvd", ""},
	{"property", "in.txt", ""},
	{"call-timeout", "5s", ""},
	{"crashes isolations omissions cuts partitions delays duplicates orders pauses fast-clocks slow-clocks jumps failed-syncs terminations choices", "1", ""},
	{"restarts", "1", "--crashes 1"},
	{"bounds", "'crashes=1 restarts=1'", ""},
	{"eot from", "30", ""},
	{"eff", "20", "--cuts 1"},
	{"period", "200", "--cuts 1"},
	{"phase", "Ask,Vote", "--cuts 1"},
	{"at", "phase", "--cuts 1 --period 3"},
	{"max-delay", "3", "--delays 1"},
	{"kinds", "all", "--omissions 1"},
	{"max-jump", "3", "--jumps 1"},
	{"never-crash", "n1", "--crashes 1"},
	{"reliable", "'n1>*,*>n1'", "--cuts 1"},
	{"deliver", "majority", "--cuts 1"},
	{"kernel", "yes", "--cuts 1"},
}

// once are the flags of ldfi run that leave a found execution as it is, or do not go with
// servers; the seed and the order of goroutines stand in its schedule.
var once = strings.Fields(`any-rounds certificate executions facts goroutine-orders guide hold help help-all hide known margin max memory output progress proof recheck repairs report seed show sizes solver statistics strategy timeout trace workers
	max-facts max-gates goals crash durable join own within processes
	system maelstrom workload consistency services steps release`)

// The command that executes a finding again asks the same of the same servers: no flag is
// left out by which the execution would be another one, or lie outside of the bounds.
func TestAgainSaysAllThatWasAsked(t *testing.T) {
	if onLinux() != nil {
		t.Skip("nodes need Linux")
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("in.txt", []byte("a\nb\n"), 0o666))
	session := &session{}
	tried := map[string]bool{}
	for _, ask := range asks {
		for _, flag := range strings.Fields(ask.flags) {
			tried[flag] = true
			args := "--" + flag + " " + ask.value + " " + ask.beside
			if flag != "server" {
				args += " --server ./kvd"
			}
			args += " -- -x {name}"
			asked := systemAsked(t, session.runCommand(), words(t, args))
			again, err := text.ShellSplit(asked.InjectCommand(rounds.Schedule{}))
			require.NoError(t, err)
			require.Equal(t, []string{"ldfi", "inject"}, again[:2])
			require.Equal(t, asked, systemAsked(t, session.injectCommand(), again[2:]), args)
		}
	}
	for _, c := range leaves(session.root()) {
		if c.Name() == "run" {
			c.Flags().VisitAll(func(f *pflag.Flag) {
				require.NotEqual(t, tried[f.Name], slices.Contains(once, f.Name), "say in asks that --%s is needed for the same execution, or in once that it is not", f.Name)
			})
		}
	}
}

// systemAsked returns the system that a command asks about.
func systemAsked(t *testing.T, cmd *cobra.Command, args []string) *subject.System {
	cmd = withServers(cmd)
	require.NoError(t, cmd.ParseFlags(args), args)
	require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()), args)
	flags := cmd.Flags()
	list := func(name string) []string { return flags.Lookup(name).Value.(pflag.SliceValue).GetSlice() }
	patience, err := flags.GetDuration("call-timeout")
	require.NoError(t, err)
	return &subject.System{
		Common:  subject.Common{Bounds: overrides(cmd, slices.Concat(rounds.SettingKeys()))},
		Command: flags.Lookup("system").Value.String(), Name: flags.Lookup("name").Value.String(),
		Properties: list("property"), CallTimeout: patience,
	}
}

// Who says nothing of it leaves it to the search how often servers are executed.
func TestServersAreExecutedLessOften(t *testing.T) {
	if onLinux() != nil {
		t.Skip("nodes need Linux")
	}
	session := &session{}
	for args, want := range map[string]string{"--server ./kvd": "0", "--server ./kvd --executions 10000": "10000", "--system x": "10000", "--steps x": "10000"} {
		cmd := withServers(session.runCommand())
		require.NoError(t, cmd.ParseFlags(words(t, args)))
		require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()))
		require.Equal(t, want, cmd.Flags().Lookup("executions").Value.String(), args)
	}
}
