package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// confirmation has the flags of confirm.
type confirmation struct {
	servers
	faults     string
	executions int
	spread     uint
	round      time.Duration
	properties []string
	programs   []string
	output     output

	finding  string          // a file
	schedule rounds.Schedule // of it, or of the flag
	property string          // that the finding violates
}

func (s *session) confirmCommand() *cobra.Command {
	var c confirmation
	var bounds question
	cmd := &cobra.Command{
		Use:   "confirm [CLUSTER] [FINDING] [--faults 'SCHEDULE']",
		Short: "Execute a schedule on real clocks, sockets and disks",
		Long: `confirm executes a schedule with plain builds of the servers, or with the programs that you ship (--program).
Each node has its own network, files and name (Linux namespaces). It says in how many executions the promise breaks.

CLUSTER is a file with servers, or use --server. FINDING is an answer of ldfi run --output json, a recording, or a
schedule that ldfi check has kept. A command line of ldfi inject works too; only --eot counts of its bounds.

It needs root or user namespaces, and /dev/net/tun.

Exit codes: 0 never seen to break, 1 seen at least once, 2 wrong usage or input, 3 stopped before it was seen.`,
		Example: `  ldfi confirm cluster.yaml found.json --rounds-as 20ms
  ldfi confirm cluster.yaml --faults 'crash n1@90; restart n1@150' --program ./kvd=/usr/bin/kvd`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, words []string) error {
			cluster, err := c.read(s, cmd, words)
			if err != nil {
				return err
			}
			return s.confirm(cmd, &c, cluster)
		},
	}
	flags := cmd.Flags()
	addBounds(flags)
	bounds.addFaults(flags)
	for _, name := range append(allBounds(), "bounds") {
		flags.Lookup(name).Hidden = name != "eot"
	}
	c.add(flags)
	for _, name := range []string{"steps", "calls", "epoch", "last", "poll"} { // which lines of inject have
		flags.Lookup(name).Hidden = true
	}
	flags.StringVar(&c.faults, "faults", "", "the `schedule`, for example 'crash n1@13'")
	flags.IntVar(&c.executions, "executions", result.RepeatedExecutions, "make `n` executions")
	flags.UintVar(&c.spread, "spread", 8, "the faults come 0 to `n` rounds later, evenly over the executions")
	flags.DurationVar(&c.round, "rounds-as", 0, "a round lasts for this `time`; without it for a tick of the cluster")
	flags.StringArrayVar(&c.properties, "property", nil, "a `file` with Mangle rules that the system has to satisfy as well (repeatable)")
	flags.StringArrayVar(&c.programs, "program", nil, "a `program` that is shipped, for its package: ./kvd=/usr/bin/kvd (repeatable)")
	c.output.add(flags, "text", "json")
	return cmd
}

// read reads what is to be executed.
func (c *confirmation) read(s *session, cmd *cobra.Command, words []string) (*process.Cluster, error) {
	var behind []string
	if i := cmd.ArgsLenAtDash(); i >= 0 {
		words, behind = words[:i], words[i:]
	}
	for _, word := range words {
		into := &c.finding
		if isCluster(word) {
			into = &c.file
		}
		if *into != "" {
			return nil, errUsage(cmd, fmt.Sprintf("%s and %s: there can be one of these", *into, word))
		}
		*into = word
	}
	if err := refuse(cmd, "does not go with confirm, which needs servers as they are", "steps"); err != nil {
		return nil, err
	}
	if c.finding != "" {
		if err := refuse(cmd, "does not go with "+c.finding+", which has a schedule", "faults"); err != nil {
			return nil, err
		}
		command, err := c.find(s)
		if err != nil {
			return nil, err
		}
		if command != nil && c.file == "" && c.server == "" {
			if behind, err = c.asIn(cmd, command); err != nil {
				return nil, err
			}
		}
	} else {
		var err error
		if c.schedule, err = rounds.ParseSchedule(c.faults); err != nil {
			return nil, fmt.Errorf("--faults: %w", err)
		}
	}
	switch {
	case c.file != "" && c.server != "":
		return nil, errUsage(cmd, fmt.Sprintf("--server and %s: there can be one of these", c.file))
	case c.file != "" && len(behind) > 0:
		return nil, errUsage(cmd, fmt.Sprintf("arguments behind -- go with --server, and %s says those of its programs", c.file))
	case c.file == "" && c.server == "":
		return nil, errUsage(cmd, "confirm needs a cluster: a file, or --server")
	case c.release != "" && c.file == "":
		return nil, errUsage(cmd, withoutFile(c.release))
	case c.file != "":
		own := slices.DeleteFunc(slices.Clone(ofServers), func(name string) bool { return name == "last" || slices.Contains(ofFiles, name) })
		if err := refuse(cmd, "does not go with a file: "+c.file+" says it", own...); err != nil {
			return nil, err
		}
	}
	if f := cmd.Flags().Lookup("eot"); f.Changed {
		if _, err := fmt.Sscanf(f.Value.String(), "%d", &c.rounds); err != nil || c.rounds < 1 {
			return nil, errUsage(cmd, fmt.Sprintf("--eot %s: a number of rounds is needed", f.Value))
		}
	}
	if links := cmd.Flags().Lookup("reliable"); links.Changed && c.schedule.Settings.Reliable == "" {
		c.schedule.Settings.Reliable = links.Value.String()
	}
	cluster, err := c.cluster(behind)
	if err != nil {
		return nil, err
	}
	for _, file := range c.properties {
		if !filepath.IsAbs(file) {
			file = filepath.Join(c.in, file)
		}
		p, err := rules.Load(file)
		if err != nil {
			return nil, err
		}
		cluster.Properties = append(cluster.Properties, p)
	}
	return cluster, c.ship(cluster)
}

// find reads the finding, and returns the words of the command that it names, if it does.
func (c *confirmation) find(s *session) (command []string, err error) {
	if filepath.Ext(c.finding) == ".txt" {
		if c.schedule, err = schedules.ReadKept(c.finding); err != nil {
			return nil, err
		}
		_, kept, err := s.read(c.finding)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(kept)) {
			if i := strings.Index(line, "ldfi inject "); i >= 0 && strings.HasPrefix(line, "# ") {
				if command, err = text.ShellSplit(strings.TrimSpace(line[2:])); err != nil {
					return nil, fmt.Errorf("%s: its command: %w", c.finding, err)
				}
			}
			if _, breaks, ok := strings.Cut(line, " breaks "); ok && c.property == "" && strings.HasPrefix(line, "# ") {
				c.property, _, _ = strings.Cut(breaks, ": ")
			}
		}
		return command, nil
	}
	found, err := s.findings(c.finding)
	if err != nil {
		return nil, err
	}
	if len(found) > 1 {
		return nil, fmt.Errorf("%s has %d schedules, and one is executed: name it by --faults", c.finding, len(found))
	}
	e := found[0].Execution
	if c.schedule, c.rounds = e.Schedule, e.Bounds.EOT; len(found[0].Violations) > 0 {
		c.property = found[0].Violations[0].Property
	}
	return nil, nil
}

// asIn takes the flags of a command that executes a schedule, and returns the arguments of
// its server.
func (c *confirmation) asIn(cmd *cobra.Command, words []string) (behind []string, err error) {
	if words[0] == "cd" && len(words) > 2 {
		c.in, words = words[1], words[3:]
	}
	flags := cmd.Flags()
	if err := flags.Parse(words[2:]); err != nil {
		return nil, fmt.Errorf("%s: its command: %w", c.finding, err)
	}
	left := flags.Args()
	if i := flags.ArgsLenAtDash(); i >= 0 {
		left, behind = left[:i], left[i:]
	}
	if len(left) > 0 && isCluster(left[0]) {
		c.file = left[0]
	}
	if c.file == "" && c.server == "" {
		return nil, fmt.Errorf("%s is no schedule of servers as they are: its command is %s", c.finding, text.ShellJoin(words...))
	}
	return behind, nil
}

// ship has the programs that are shipped in the place of their packages.
func (c *confirmation) ship(cluster *process.Cluster) error {
	for _, given := range c.programs {
		pkg, program, ok := strings.Cut(given, "=")
		nodes := slices.DeleteFunc(cluster.All(), func(n *process.Node) bool { return n.File != pkg })
		if !ok || len(nodes) == 0 {
			return fmt.Errorf("--program %s: no node has the package %s, as in ./cmd/kvd=/usr/bin/kvd", given, pkg)
		}
		info, err := os.Stat(program)
		if err == nil && (!info.Mode().IsRegular() || info.Mode()&0o111 == 0) {
			err = errors.New("this is no program")
		}
		if err == nil {
			program, err = filepath.Abs(program)
		}
		if err != nil {
			return fmt.Errorf("--program %s: %w", given, err)
		}
		for _, n := range nodes {
			n.File = program
		}
	}
	return nil
}

// unobserved are relations of facts that only nodes with the overlay report.
var unobserved = []string{"listens", "metric", "json", "polled", "file_lost", "sometimes", "reachable"}

// judged returns the properties that can be judged, and a sentence about the others.
func (c *confirmation) judged(all []property.Property) (judged []property.Property, notes []string, err error) {
	for _, p := range all {
		checker, err := property.Compile(p)
		if err != nil {
			return nil, nil, err
		}
		why := ""
		if !checker.FactsOnly() {
			why = "it reads messages, and ldfi does not see messages between real programs"
		}
		for _, relation := range unobserved {
			if r := checker.Rules(); r != nil && r.Read(relation) {
				why = "real programs do not report " + relation
			}
		}
		switch {
		case why == "":
			judged = append(judged, p)
		case p.Name == c.property:
			return nil, nil, fmt.Errorf("%s cannot be confirmed: %s", p.Name, why)
		case !p.Covers:
			notes = append(notes, fmt.Sprintf("%s is not judged: %s", p.Name, why))
		}
	}
	builtIn := []string{"", search.NoExit, search.NoPanic}
	if c.property == search.NoHang {
		return nil, nil, fmt.Errorf("%s cannot be confirmed: on a real clock a server that loops for ever is only slow", c.property)
	}
	if !slices.Contains(builtIn, c.property) && !slices.ContainsFunc(judged, func(p property.Property) bool { return p.Name == c.property }) {
		return nil, nil, fmt.Errorf("the finding violates %s, but the cluster has no such property: name its rules by --property", c.property)
	}
	return judged, notes, nil
}

// confirm makes the executions.
func (s *session) confirm(cmd *cobra.Command, c *confirmation, cluster *process.Cluster) error {
	if err := onLinux(); err != nil {
		return err
	}
	promised, err := cluster.System()
	if err != nil {
		return err
	}
	properties, unjudged, err := c.judged(promised.Properties)
	if err != nil {
		return err
	}
	round := cmp.Or(c.round, cluster.Tick, 10*time.Millisecond)
	s.progress.start(s.stderr)
	defer s.progress.stop()
	s.progress.line(building + "the programs")
	real, at, notes, err := cluster.Real(cmd.Context(), c.schedule, round)
	if errors.Is(err, os.ErrPermission) {
		return s.confirmInside(cmd.Context(), err)
	}
	if err != nil {
		return err
	}
	s.progress.stop()
	spread := int(min(c.spread, 1000))
	if c.executions == 1 {
		spread = 0
	}
	real.Rounds += spread
	in := &answertext.Confirmation{Schedule: c.schedule.Normal(), Property: c.property, Round: round.String(), Notes: append(notes, unjudged...)}
	file, _ := s.stderr.(*os.File)
	target, err := search.NewTarget(real, properties)
	if err != nil {
		return err
	}
	judge, eot := target.Judge(real.Rounds, false), real.Rounds
	for in.Executions < c.executions {
		later := in.Executions * spread / max(c.executions-1, 1)
		violations, odd, err := judge.Once(cmd.Context(), at(later), []int{eot, 2 * eot, 4 * eot})
		if cmd.Context().Err() != nil {
			in.Stopped = fmt.Sprintf("interrupted after %d of %d executions", in.Executions, c.executions)
			break
		}
		if err != nil {
			return err
		}
		in.Add(later, violations, odd)
		if file != nil && term.IsTerminal(int(file.Fd())) {
			was := "nothing"
			if len(violations) > 0 {
				was = answertext.Broken(violations)
			}
			fmt.Fprintf(s.err, "ldfi: execution %d of %d: %s\n", in.Executions, c.executions, was)
		}
	}
	switch {
	case in.Seen > 0:
		s.code = exitViolated
	case in.Stopped != "":
		s.code = exitInconclusive
	}
	return s.writeResult(c.output, in, in.Page(text.ShellJoin(append([]string{"ldfi"}, s.args...)...), terminalStyle()).WriteText)
}
