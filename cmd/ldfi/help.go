package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandGroups are the groups of commands in the help of ldfi.
var commandGroups = []struct{ title, names string }{
	{"Start", "init run test check vet fmt explore lsp"},
	{"Understand", "why diff inject hypotheses whatif waypoints weakest learn confirm"},
	{"Versions", "bisect"},
	{"Recordings", "import export query report"},
	{"Machines", "doctor overlay serve worker workers mcp"},
	{"More", "completion help version"},
}

// flagGroups are the groups of flags in help texts. A flag that stands in none of them is
// part of what is asked.
var flagGroups = []struct{ title, names string }{
	{"What is asked", "faults against with with-system with-name git revisions module versions dir files recording outcome require forbid absent group unfold size cost guide hold max any-rounds sizes certificate margin repairs strategy property system name server client"},
	{"Bounds", "bounds crashes omissions isolations processes eot eff from period phase at partitions cuts delays duplicates max-delay kinds orders pauses fast-clocks slow-clocks jumps max-jump failed-syncs terminations crash restarts durable join own never-crash reliable deliver kernel choices within goals"},
	{"Servers", "nodes requests env tick apart epoch calls checker poll last release steps maelstrom workload consistency services"},
	{"Output", "output report out facts assertions hide show diagram trace progress statistics"},
	{"Limits", "timeout budget executions seed call-timeout memory max-facts max-gates workers recheck cache no-cache solver proof"},
	{"Help", "help-all"},
}

// minor are flags of many commands that stand only in --help-all.
const minor = `processes eot eff from period phase at partitions cuts delays duplicates max-delay kinds orders pauses fast-clocks slow-clocks jumps max-jump failed-syncs
	terminations crash restarts durable join own never-crash reliable deliver kernel choices within goals
	nodes files requests env tick apart epoch calls checker poll last release steps maelstrom workload consistency services
	hold known margin repairs property strategy name goroutine-orders unfold with-name revisions dir
	facts hide show trace progress statistics
	executions seed call-timeout memory max-facts max-gates workers recheck solver proof help-all`

// own are exceptions of single commands: what also stands in their short help, and what
// does not.
var own = map[string]struct{ also, not string }{
	"bisect":     {not: "inputs cache any-rounds guide hold"},
	"confirm":    {also: "eot"},
	"explore":    {not: "screen"},
	"export":     {also: "facts"},
	"hypotheses": {not: "recording outcome group cost diagram any-rounds"},
	"run":        {also: "nodes restarts", not: "sizes certificate"},
	"vet":        {not: "server client"},
	"weakest":    {not: "crashes omissions isolations"},
}

// widestHelp is how long a line of help is at most.
const widestHelp = 120

// fewFlags are so few that all stand in the short help.
const fewFlags = 8

// groupOf returns the number of the group of a flag.
func groupOf(name string) int {
	return max(0, slices.IndexFunc(flagGroups, func(g struct{ title, names string }) bool {
		return slices.Contains(strings.Fields(g.names), name)
	}))
}

// flagsOf returns the flags of a command in the order of their groups: all that it does not
// refuse, or those of its short help.
func flagsOf(cmd *cobra.Command, all bool) (flags []*pflag.Flag) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			flags = append(flags, f)
		}
	})
	exception := own[cmd.Name()]
	if !all && len(flags) > fewFlags {
		flags = slices.DeleteFunc(flags, func(f *pflag.Flag) bool {
			return slices.Contains(strings.Fields(exception.not), f.Name) ||
				slices.Contains(strings.Fields(minor), f.Name) && !slices.Contains(strings.Fields(exception.also), f.Name)
		})
	}
	slices.SortStableFunc(flags, func(f, g *pflag.Flag) int {
		if d := groupOf(f.Name) - groupOf(g.Name); d != 0 {
			return d
		}
		in := strings.Fields(flagGroups[groupOf(f.Name)].names)
		return slices.Index(in, f.Name) - slices.Index(in, g.Name)
	})
	return flags
}

// addHelpAll adds the flag that shows all flags, if the help of a command does not.
func addHelpAll(cmd *cobra.Command) {
	if !cmd.Hidden && len(flagsOf(cmd, false)) < len(flagsOf(cmd, true)) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VarPF(helpAll{cmd}, "help-all", "", "show all flags").NoOptDefVal = "true"
	}
}

// helpAll is the flag that shows all flags.
type helpAll struct{ cmd *cobra.Command }

func (helpAll) String() string { return "false" }

func (helpAll) Type() string { return "bool" }

// Set asks for help.
func (h helpAll) Set(value string) error { return h.cmd.Flags().Set("help", value) }

// helpOf shows the help of the command or topic that is named.
func helpOf(cmd *cobra.Command, args []string) error {
	if slices.Equal(args, []string{"bounds"}) {
		return writeBoundsHelp(cmd.OutOrStdout())
	}
	about, left, err := cmd.Root().Find(args)
	if about == nil || err != nil || len(left) > 0 {
		if about == nil {
			about = cmd.Root()
		}
		return unknownCommand(about, strings.Join(left, " "))
	}
	about.InitDefaultHelpFlag()
	return about.Help()
}

// writeUsage writes how a command is called, below what it does.
func writeUsage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n  %s\n", usageLine(cmd))
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		writeCommands(w, cmd)
		return nil
	}
	all := cmd.Flags().Changed("help-all")
	writeFlags(w, flagsOf(cmd, all))
	switch more := cmd.Flags().Lookup("help-all"); {
	case all:
		writeRefused(w, cmd)
	case more != nil && boundsOf(cmd) != nil:
		fmt.Fprintf(w, "\nAll flags: %s --help-all. Bounds and faults: ldfi help bounds.\n", cmd.CommandPath())
	case more != nil:
		fmt.Fprintf(w, "\nAll flags: %s --help-all.\n", cmd.CommandPath())
	}
	return nil
}

// usageLine is how a command is called.
func usageLine(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND"
	}
	return cmd.UseLine()
}

// writeCommands writes the commands below one, in groups.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	left := slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() && c.Name() != "help" })
	width := 0
	for _, c := range left {
		width = max(width, len(c.Name()))
	}
	write := func(title string, commands []*cobra.Command) {
		if len(commands) > 0 {
			fmt.Fprintf(w, "\n%s:\n", title)
		}
		for _, c := range commands {
			fmt.Fprintf(w, "  %-*s  %s\n", width, c.Name(), c.Short)
		}
	}
	for _, group := range commandGroups {
		var commands []*cobra.Command
		for _, name := range strings.Fields(group.names) {
			if i := slices.IndexFunc(left, func(c *cobra.Command) bool { return c.Name() == name }); i >= 0 {
				commands = append(commands, left[i])
				left = slices.Delete(left, i, i+1)
			}
		}
		write(group.title, commands)
	}
	if cmd.HasParent() {
		write("Commands", left)
		return
	}
	write("Others", left)
	fmt.Fprint(w, "\nldfi COMMAND --help says more of a command, and ldfi help bounds of bounds and faults.\n")
}

// writeFlags writes flags, each group below its title.
func writeFlags(w io.Writer, flags []*pflag.Flag) {
	var set pflag.FlagSet
	set.SortFlags = false
	for _, f := range flags {
		set.AddFlag(f)
	}
	if len(flags) == 0 {
		return
	}
	before := -1
	for i, line := range strings.Split(strings.TrimSuffix(set.FlagUsages(), "\n"), "\n") {
		group := groupOf(flags[i].Name)
		title := flagGroups[group].title
		if groupOf(flags[0].Name) == groupOf(flags[len(flags)-1].Name) {
			title = "Flags"
		}
		if group != before {
			before = group
			fmt.Fprintf(w, "\n%s:\n", title)
		}
		fmt.Fprintln(w, line)
	}
}

// writeRefused names the flags that a command has only because it says why it does not take
// them, or because lines of another command have them.
func writeRefused(w io.Writer, cmd *cobra.Command) {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	if len(names) == 0 {
		return
	}
	fmt.Fprint(w, "\nRefused, or without effect here:")
	for i, left := 0, 0; i < len(names); i++ {
		if left -= len(names[i]) + 1; left < 0 {
			left = widestHelp - len("  ") - len(names[i])
			fmt.Fprint(w, "\n ")
		}
		fmt.Fprint(w, " "+names[i])
	}
	fmt.Fprintln(w)
}

// writeBoundsHelp writes the help about bounds and faults.
func writeBoundsHelp(w io.Writer) error {
	var q question
	var all pflag.FlagSet
	addBounds(&all)
	q.addFaults(&all)
	var faults, rest []*pflag.Flag
	all.VisitAll(func(f *pflag.Flag) {
		switch {
		case strings.HasPrefix(strings.TrimPrefix(f.Usage, "in "), "at most"):
			faults = append(faults, f)
		case f.Name != "bounds":
			rest = append(rest, f)
		}
	})
	fmt.Fprint(w, boundsHead)
	for _, group := range []struct {
		title string
		flags []*pflag.Flag
	}{{"How many faults (a number, or unlimited)", faults}, {"Who, how long, when, and what is taken for granted", rest}} {
		var set pflag.FlagSet
		for _, f := range group.flags {
			set.AddFlag(f)
		}
		fmt.Fprintf(w, "\n%s:\n%s", group.title, set.FlagUsages())
	}
	_, err := fmt.Fprint(w, boundsFoot)
	return err
}

const boundsHead = `A search looks at every schedule of faults within bounds. Bounds stand in a comment of a program:

  // ldfi: processes=a,b,c eot=6 eff=3 crashes=1

The command line overrides them, by a flag each or together: --bounds 'eot=6 crashes=1'.
The value none takes away what the program says.
`

const boundsFoot = `
In a program an eff alone allows any number of omissions before it.
A crash that is mute goes on receiving; one that stops can restart, with what is durable.
Pauses, orders, clocks, syncs and terminations are faults of systems; programs have the others.

A schedule is text, as --faults and kept schedules have it, with ; between the faults:
  omit a>b@2                 what a sends b in round 2 is lost
  isolate p@5..8             what p sends others, and others p, in rounds 5 to 8 is lost
  partition a,b|*@5..8       a and b are parted from all others
  cut a>b@5..8               what a sends b is lost, and what b sends a arrives
  delay a>b@2+2              what a sends b in round 2 comes two rounds later
  duplicate a>b@2+3          it comes once more three rounds later
  crash a@2; restart a@5     a is down in rounds 2 to 4
All forms: docs/faults.md.
`
