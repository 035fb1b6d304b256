package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// servers has the flags of a system of programs as they are: each node is an
// operating-system process of its own.
type servers struct {
	server   string
	nodes    int
	clients  []string
	files    []string
	requests string
	env      []string
	tick     time.Duration
	apart    uint
	epoch    string
	calls    int
	checker  string
	polls    []string
	last     int
	release  string

	file  string   // with a cluster, in place of all these
	built []string // programs that are built, by their packages
	in    string   // what files and packages are relative to; "": the working directory

	exercise
	steps string // a command, in place of the server
	flags *pflag.FlagSet
}

// add adds the flags.
func (n *servers) add(flags *pflag.FlagSet) {
	n.flags = flags
	flags.StringVar(&n.server, "server", "", "the Go `package` of a server, run as nodes; its arguments stand behind --")
	flags.IntVar(&n.nodes, "nodes", 3, "run the server on `n` nodes, n1 and so on")
	flags.StringVar(&n.checker, "checker", "", "the `command` (Go package, arguments) that looks at the servers when all is over")
	flags.StringArrayVar(&n.polls, "poll", nil, "`ask` each server by HTTP: 'every 20 http://{ip}:8222/jsz' (repeatable)")
	flags.IntVar(&n.last, "last", 0, "nothing fails in the last `n` rounds (a third of all with --checker)")
	flags.StringArrayVar(&n.clients, "client", nil, "the `command` (Go package, arguments) of a client of the servers (repeatable)")
	if own := flags.Lookup("files"); own != nil { // of a protocol in each directory
		own.Usage = "the `files` of a protocol in each directory, or copied to nodes: conf=./my/conf"
	} else {
		flags.StringArrayVar(&n.files, "files", nil, "copy a `file` or folder to each node's disk, as in conf=./my/conf (repeatable)")
	}
	flags.StringVar(&n.requests, "requests", "", "a `file` of requests, one a line, for clients whose arguments have {requests}")
	flags.StringArrayVar(&n.env, "env", nil, "an environment `variable` of the servers, as in COLOUR=blue (repeatable)")
	flags.DurationVar(&n.tick, "tick", 10*time.Millisecond, "the clocks of nodes advance by this `time` a round (20ms for --maelstrom)")
	flags.IntVar(&n.calls, "calls", 0, "servers also crash before each of the first `n` file operations of a round")
	flags.UintVar(&n.apart, "apart", 10, "nodes start 1 to `n` rounds apart, and links have latencies; 0: neither")
	flags.StringVar(&n.release, "release", "", "the `version` of the servers of a cluster, in place of that in its file")
	n.addSteps(flags)
	flags.StringVar(&n.epoch, "epoch", "", "the clocks of nodes begin at this `time`: 2026-01-31T12:00:00Z")
}

// ofServers are the flags that go with --server.
var ofServers = []string{"nodes", "client", "files", "requests", "env", "tick", "apart", "epoch", "calls", "checker", "last", "poll", "release"}

// ofFiles are those of them that also go with a file that has a cluster.
var ofFiles = []string{"calls", "release"}

// withServers lets a command that asks about a system take --server, or a file with a
// cluster: that is a system too, of a host that is ldfi itself.
func withServers(cmd *cobra.Command) *cobra.Command {
	flags := cmd.Flags()
	if f := flags.Lookup("system"); f == nil || f.Hidden || cmd.Name() == "learn" { // which needs names for states
		return cmd
	}
	n := new(servers)
	n.add(flags)
	runs := flags.Lookup("executions")
	if runs != nil && runs.DefValue != manyRuns {
		runs = nil
	}
	if runs != nil {
		runs.Usage += "; servers 1000 without it"
	}
	if cmd.Name() != bisectName {
		n.exercise.add(flags)
	}
	args, run := cmd.Args, cmd.RunE
	if args == nil {
		args = cobra.ArbitraryArgs
	}
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		words, err := n.asSystem(cmd, words)
		if err != nil {
			return err
		}
		if runs != nil && !runs.Changed && n.server+n.maelstrom+n.file != "" {
			_ = runs.Value.Set("0") // the search makes fewer, since they take longer
		}
		return args(cmd, words)
	}
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		words, behind := n.split(cmd, words)
		if left := subprocess.Unconfined(); (n.server+n.maelstrom+n.steps+n.file != "") && left != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "ldfi: warning: nodes are not confined on this machine: %s\n", left)
		}
		n.warn(cmd, behind)
		return run(cmd, words)
	}
	return cmd
}

// warn says which programs are not built as they are shipped, and that a search has no client.
func (n *servers) warn(cmd *cobra.Command, behind []string) {
	if n.server == "" && n.file == "" || cmd.Name() == bisectName {
		return
	}
	c, err := n.cluster(behind)
	if err != nil {
		return // the command says so
	}
	if cmd.Name() == "run" && len(c.Clients)+len(c.Properties) == 0 && c.Checker.File == "" && !cmd.Flags().Changed("property") {
		fmt.Fprintln(cmd.ErrOrStderr(), "ldfi: warning: there is no client (--client): nobody sends requests, and only no exit, no panic and no hang are judged")
	}
	said := map[string]bool{}
	for _, node := range c.All() {
		if said[node.File] {
			continue
		}
		said[node.File] = true
		if with, err := gobuild.RequiresAntithesis(cmd.Context(), cmp.Or(c.Dir, "."), node.File); err == nil && with {
			fmt.Fprintf(cmd.ErrOrStderr(), "ldfi: warning: %s is built with the tag %s, because its module requires the SDK of Antithesis: that may not be the build that is shipped\n", node.File, gobuild.AntithesisTag)
		}
	}
}

// split returns the arguments of the command, and those of the server.
func (n *servers) split(cmd *cobra.Command, words []string) (own, behind []string) {
	if n.server == "" && n.file == "" && n.maelstrom == "" && n.steps == "" {
		return words, nil
	}
	if i := cmd.ArgsLenAtDash(); i >= 0 {
		words, behind = words[:i], words[i:]
	}
	if n.file != "" {
		words = words[1:]
	}
	return words, behind
}

// isCluster tells whether a file has a cluster, by its name.
func isCluster(file string) bool {
	_, is := subject.Cluster(file)
	return is
}

// asSystem sets --system, if there is --server or a file with a cluster, and returns the
// arguments of the command.
func (n *servers) asSystem(cmd *cobra.Command, words []string) ([]string, error) {
	if n.maelstrom != "" {
		return n.asExercise(cmd, words)
	}
	if err := refuse(cmd, "goes with --maelstrom", ofMaelstrom...); err != nil {
		return nil, err
	}
	flags := cmd.Flags()
	several := cmd.Name() == bisectName // its arguments are versions
	if several && !inGit(cmd) && !flags.Changed("module") && !flags.Changed("versions") && !flags.Changed("system") {
		if err := n.nameReleases(cmd, words); err != nil {
			return nil, err
		}
	}
	if n.server == "" && len(words) > 0 && isCluster(words[0]) && (!several || inGit(cmd) || !flags.Changed("system")) {
		if err := refuse(cmd, "does not go with a file: "+words[0]+" says it", slices.DeleteFunc(slices.Clone(ofServers), func(name string) bool { return slices.Contains(ofFiles, name) })...); err != nil {
			return nil, err
		}
		if several && !inGit(cmd) && !flags.Changed("module") { // each is a version
			command := []string{"ldfi", subject.NodesCommand, words[0]}
			for _, name := range ofFiles {
				command = append(command, flagWords(flags.Lookup(name))...)
			}
			return words, flags.Set("system", text.ShellJoin(command...))
		}
		n.file = words[0]
	}
	if err := n.checkSteps(cmd); err != nil {
		return nil, err
	}
	if n.server == "" && n.file == "" && n.steps == "" {
		return words, refuse(cmd, "goes with --server", slices.DeleteFunc(slices.Clone(ofServers), func(name string) bool { return several && name == "files" })...)
	}
	if n.release != "" && n.file == "" {
		return nil, errUsage(cmd, withoutFile(n.release))
	}
	if flags.Changed("checker") && n.checker == "" {
		return nil, errUsage(cmd, `--checker "": the command is empty`)
	}
	if flags.Changed("system") {
		return nil, errUsage(cmd, fmt.Sprintf("%s and --system: there can be one of these", cmp.Or(n.file, "--"+ofHost(cmd))))
	}
	if f := flags.Lookup("faults"); f != nil && !flags.Changed("calls") && n.steps == "" {
		if named := callsNamed(f.Value.String()); named > 0 {
			_ = flags.Set("calls", strconv.Itoa(named))
		}
	}
	if err := onLinux(); err != nil {
		return nil, errUsage(cmd, err.Error())
	}
	if err := n.misplaced(cmd); err != nil {
		return nil, err
	}
	words, behind := n.split(cmd, words)
	if n.file != "" && len(behind) > 0 {
		return nil, errUsage(cmd, fmt.Sprintf("arguments behind -- go with --server, and %s says those of its programs", n.file))
	}
	if n.steps != "" && len(behind) > 0 {
		return nil, errUsage(cmd, "arguments behind -- go with --server: those of --steps stand in its command")
	}
	if !several || flags.Changed("module") { // else each version has its own
		c, err := n.cluster(behind)
		if err == nil {
			_, err = c.System()
		}
		switch {
		case err != nil && n.file != "":
			return nil, err
		case err != nil:
			return nil, errUsage(cmd, err.Error())
		}
	}
	command := []string{"ldfi", subject.NodesCommand}
	if n.file != "" {
		command = append(command, n.file)
	}
	for _, name := range append([]string{"server", "steps"}, ofServers...) {
		command = append(command, flagWords(flags.Lookup(name))...)
	}
	if len(behind) > 0 {
		command = append(append(command, "--"), behind...)
	}
	return words, flags.Set("system", text.ShellJoin(command...))
}

// nameReleases lets the flags of bisect name the releases of a module that stand as arguments, and
// that servers are built with.
func (n *servers) nameReleases(cmd *cobra.Command, words []string) error {
	if i := cmd.ArgsLenAtDash(); i >= 0 {
		words = words[:i]
	}
	if n.server == "" && len(words) > 0 && isCluster(words[0]) {
		words = words[1:]
	} else if n.server == "" {
		return nil
	}
	module, versions := oneModule(words)
	if module == "" {
		return nil
	}
	return cmp.Or(cmd.Flags().Set("module", module), cmd.Flags().Set("versions", strings.Join(versions, ",")))
}

// ofTheServer says where a word stands that may be meant for the server, if there is one.
func ofTheServer(cmd *cobra.Command, word string) string {
	server := cmd.Flags().Lookup("server")
	if server == nil || !server.Changed || cmd.ArgsLenAtDash() >= 0 {
		return ""
	}
	return fmt.Sprintf("; what the server itself takes stands behind --, as in ldfi %s --server %s -- %s", cmd.Name(), text.ShellJoin(server.Value.String()), word)
}

// misplaced reports a word in braces or a path behind a flag that takes none, such as -c.
func (n *servers) misplaced(cmd *cobra.Command) error {
	for _, name := range []string{"name", "crashes", "eff", "eot"} {
		f := cmd.Flags().Lookup(name)
		if f == nil || n.server == "" || !strings.ContainsAny(f.Value.String(), "{/") {
			continue
		}
		word := "--" + name
		if f.Shorthand != "" {
			word = "-" + f.Shorthand
		}
		if hint := ofTheServer(cmd, word+" "+f.Value.String()); hint != "" {
			return errUsage(cmd, fmt.Sprintf("--%s %s is nothing that ldfi takes%s", name, f.Value, hint))
		}
	}
	return nil
}

// onLinux refuses servers as they are on other systems.
func onLinux() error {
	if runtime.GOOS == "linux" {
		return nil
	}
	return errors.New("servers as they are need Linux: run ldfi in a container, as in docker run -v $PWD:/src -w /src golang")
}

// callsNamed returns the last operation on files before which a schedule crashes a server.
func callsNamed(schedule string) (last int) {
	for _, found := range regexp.MustCompile(`/call(\d+)`).FindAllStringSubmatch(schedule, -1) {
		n, _ := strconv.Atoi(found[1])
		last = max(last, n)
	}
	return last
}

// flagWords returns how a flag was given.
func flagWords(f *pflag.Flag) (words []string) {
	if f == nil || !f.Changed { // not every command has all of them
		return nil
	}
	values := []string{f.Value.String()}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		values = list.GetSlice()
	}
	for _, value := range values {
		words = append(words, "--"+f.Name, value)
	}
	return words
}

// nodesCommand returns the command that ldfi starts for --server. It is not for people.
func (s *session) nodesCommand() *cobra.Command {
	var n servers
	cmd := &cobra.Command{
		Use:    subject.NodesCommand + " [FILE]",
		Short:  "Be the host of a system of programs, each node of which is a process of its own",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := onLinux(); err != nil {
				return err
			}
			c, err := n.cluster(n.take(args, cmd.ArgsLenAtDash()))
			if err == nil {
				err = n.build(cmd.Context(), c)
			}
			if err != nil {
				return err
			}
			system, err := n.system(c)
			if err != nil {
				return err
			}
			return wire.Serve(system)
		},
	}
	cmd.Flags().StringArrayVar(&n.built, "built", nil, "a `program` that is built already, as in ./cmd/kvd=FILE (repeatable)")
	n.add(cmd.Flags())
	n.exercise.add(cmd.Flags())
	cmd.Flags().IntVar(&n.rounds, "rounds", 0, "what clients ask of nodes of Maelstrom is spread over `n` rounds")
	return cmd
}

var major = regexp.MustCompile(`^v[0-9]+$`)

// called returns the name of the system, which is the same in all versions: that of the
// package, as the go command names its program.
func (n *servers) called() string {
	if n.steps != "" {
		return "steps"
	}
	name, _, _ := strings.Cut(n.server, "@")
	if strings.HasPrefix(name, ".") {
		if dir, err := filepath.Abs(filepath.Join(n.in, name)); err == nil {
			name = filepath.ToSlash(dir)
		}
	}
	if dir, last := path.Split(name); major.MatchString(last) && dir != "" {
		name = path.Clean(dir)
	}
	return path.Base(name)
}

// withoutFile says where a release that --release names stands without a file.
func withoutFile(release string) string {
	return "--release goes with a file that has a cluster: --server PACKAGE@" + release + " names a release"
}

// cluster returns the cluster. In place of a program it has the package of it.
func (n *servers) cluster(args []string) (c *process.Cluster, err error) {
	if n.file != "" {
		read, err := process.Read(filepath.Join(n.in, n.file))
		read.Rounds = cmp.Or(n.rounds, read.Rounds)
		if n.flags.Changed("calls") {
			read.Calls = n.calls
		}
		if err == nil && n.release != "" {
			err = released(&read, n.file, n.release)
		}
		return &read, err
	}
	if n.nodes < 1 {
		return nil, fmt.Errorf("--nodes %d: there has to be one at least", n.nodes)
	}
	if n.tick <= 0 {
		return nil, fmt.Errorf("--tick %v: a round has to take some time", n.tick)
	}
	if n.last < 0 {
		return nil, fmt.Errorf("--last %d: there can be 0 rounds or more", n.last)
	}
	program := process.Node{File: cmp.Or(n.server, n.maelstrom), Args: args, Env: n.env, Polls: n.polls}
	if n.steps != "" {
		if program, err = n.stepper(); err != nil {
			return nil, err
		}
	}
	c = &process.Cluster{Name: n.called(), Rounds: n.rounds, Last: n.last, Tick: n.tick, Dir: n.in, Apart: int(min(n.apart, math.MaxInt32)), Calls: n.calls, Requests: n.requests}
	if n.apart == 0 || n.steps != "" && !n.flags.Changed("apart") {
		c.Apart = -1
	}
	if n.epoch != "" {
		if c.Epoch, err = time.Parse(time.RFC3339, n.epoch); err != nil {
			return nil, fmt.Errorf("--epoch %s is no time such as 2026-01-31T12:00:00Z", n.epoch)
		}
	}
	if c.Files, err = n.copied(); err != nil {
		return nil, err
	}
	for _, e := range n.env {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			return nil, fmt.Errorf("--env %s is no name=value", e)
		}
	}
	for i := range n.nodes {
		program.Name = "n" + strconv.Itoa(i+1)
		c.Nodes = append(c.Nodes, program)
	}
	for i, client := range n.clients {
		words, err := text.ShellSplit(client)
		if err != nil {
			return nil, fmt.Errorf("--client %q: %w", client, err)
		}
		name := "client"
		if len(n.clients) > 1 {
			name += strconv.Itoa(i + 1)
		}
		c.Clients = append(c.Clients, process.Node{Name: name, File: words[0], Args: words[1:]})
	}
	if n.checker != "" {
		words, err := text.ShellSplit(n.checker)
		if err != nil {
			return nil, fmt.Errorf("--checker %q: %w", n.checker, err)
		}
		c.Checker = process.Node{Name: "checker", File: words[0], Args: words[1:]}
	}
	return c, nil
}

// build builds the packages of a cluster, and has the programs in their place. They are
// kept in the cache of the user.
func (n *servers) build(ctx context.Context, c *process.Cluster) error {
	if len(n.built) > 0 {
		return n.useBuilt(c)
	}
	return c.Build(ctx, "")
}

// useBuilt has programs that are built already in the place of their packages.
func (n *servers) useBuilt(c *process.Cluster) error {
	for _, node := range c.All() {
		found := false
		for _, b := range n.built {
			if file, ok := strings.CutPrefix(b, node.File+"="); ok {
				node.File, found = file, true
				break
			}
		}
		if !found {
			return fmt.Errorf("--built: no program is named for %s", node.File)
		}
	}
	return nil
}

// copied returns what is copied to the disks of nodes, by its name there.
func (n *servers) copied() (map[string]string, error) {
	all := map[string]string{}
	for _, f := range n.files {
		name, path, ok := strings.Cut(f, "=")
		if !ok {
			return nil, fmt.Errorf("--files %s is no name=path, with a name below /data", f)
		}
		all[name] = path
	}
	return all, nil
}

// take returns the arguments of the server, of those of the command that is the host: the
// first dash of them stand before --. A file with a cluster stands there.
func (n *servers) take(args []string, dash int) []string {
	if n.server == "" && n.maelstrom == "" && len(args) > 0 && dash != 0 {
		n.file, args = args[0], args[1:]
	}
	return args
}
