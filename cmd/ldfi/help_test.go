package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// longestUsage is how long the description of a flag is at most, and mostShown how many flags
// a short help has.
const (
	longestUsage = 80
	mostShown    = 15
)

// shown returns what a command line prints.
func shown(t *testing.T, args ...string) string {
	var out bytes.Buffer
	require.Equal(t, exitHolds, run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &out}), args)
	return out.String()
}

// public are the commands for people.
func public() []*cobra.Command {
	return slices.DeleteFunc((&session{}).root().Commands(), func(c *cobra.Command) bool { return c.Hidden || c.Name() == "help" || c.Name() == "completion" })
}

// The description of a flag is one short line.
func TestFlagsAreDescribedShortly(t *testing.T) {
	for _, c := range leaves((&session{}).root()) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			_, usage := pflag.UnquoteUsage(f)
			require.LessOrEqual(t, len([]rune(usage)), longestUsage, "%s --%s: %s", c.CommandPath(), f.Name, usage)
		})
	}
}

// Every flag stands in a help text, and no short one is a list that nobody reads.
func TestHelpHasEveryFlag(t *testing.T) {
	for _, c := range public() {
		if c.DisableFlagParsing {
			continue
		}
		short := shown(t, c.Name(), "--help")
		all := short
		if strings.Contains(short, "--help-all") {
			all = shown(t, c.Name(), "--help-all")
		}
		require.LessOrEqual(t, len(flagsOf(c, false)), mostShown, c.Name())
		for line := range strings.Lines(short + all) {
			require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), widestHelp, line)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			require.True(t, f.Name == "help" || strings.Contains(all, "--"+f.Name), "ldfi %s: --%s stands nowhere", c.Name(), f.Name)
		})
	}
}

// The groups name flags and commands that there are.
func TestGroupsNameWhatThereIs(t *testing.T) {
	var flags, commands []string
	for _, c := range leaves((&session{}).root()) {
		c.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	}
	for _, c := range public() {
		commands = append(commands, c.Name())
	}
	names := strings.Fields(minor)
	for _, g := range flagGroups {
		names = append(names, strings.Fields(g.names)...)
	}
	for command, exception := range own {
		require.Contains(t, commands, command)
		names = append(names, strings.Fields(exception.also+" "+exception.not)...)
	}
	for _, name := range names {
		require.Contains(t, flags, name)
	}
	require.NotContains(t, shown(t), "Others:", "say in commandGroups where the command belongs")
}

// Bounds can be said together, and by a flag each, if they agree.
func TestBoundsAsInPrograms(t *testing.T) {
	ft := newFlagTest(t)
	for args, want := range map[string]string{
		"--bounds 'crashes=0 eot=6' --crashes 0":          "",
		"--bounds crashes=0 --bounds eot=6":               "",
		"--bounds crashes=0 --crashes 2":                  "--bounds 'crashes=0' and --crashes 2 differ: give one of them\nsee ldfi run --help",
		"--crashes 2 --bounds crashes=0":                  "--bounds 'crashes=0' and --crashes 2 differ: give one of them\nsee ldfi run --help",
		"-c 2 --bounds 'eot=4 crashes=0'":                 "--bounds 'crashes=0' and --crashes 2 differ",
		"--bounds 'crashes=1 crashes=2'":                  "--bounds crashes=1 crashes=2: crashes stands twice, as 1 and as 2: give one of them",
		"--bounds crashes=1 --bounds crashes=2":           "--bounds crashes=2: crashes stands twice, as 1 and as 2: give one of them",
		"--bounds crashes":                                "--bounds crashes: crashes is no key=value, as in 'eot=6 crashes=1'",
		"--bounds crahses=1":                              `--bounds crahses=1: there is no bound "crahses" (did you mean "crashes"?), see ldfi help bounds`,
		"--bounds timeout=x":                              `--bounds timeout=x: there is no bound "timeout"`,
		"--bounds pauses=1":                               "--pauses (in --bounds) goes with --system; ",
		"--bounds 'crashes=0 eot=6 period=2 omissions=1'": "--period: no process is isolated",
		`--bounds 'omissions=1 kinds="PUT /kv"'`:          `no message of the kind "PUT /kv" is ever sent`,
	} {
		o := outcomeIn(t, ft.files, append([]string{"run", "p.ded"}, words(t, args)...))
		require.Equal(t, want != "", o.code == exitUsage, "%s: %s", args, o.text)
		require.Contains(t, o.text, want)
	}
	require.Contains(t, outcomeIn(t, ft.files, words(t, "run p.ded --bounds 'crashes=0 eot=6'")).text, "6 rounds")
	require.Contains(t, shown(t, "help", "bounds"), "--failed-syncs")
}
