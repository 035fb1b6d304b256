package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

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
	server  string
	nodes   int
	clients []string
	files   []string
	env     []string
	tick    time.Duration
	epoch   string
}

// add adds the flags.
func (n *servers) add(flags *pflag.FlagSet) {
	flags.StringVar(&n.server, "server", "", "the Go `package` of a server, each node of which runs as a process of its own, in place of --system; its arguments stand behind --")
	flags.IntVar(&n.nodes, "nodes", 3, "run the server on `n` nodes, n1 and so on")
	flags.StringArrayVar(&n.clients, "client", nil, "the Go package of a client of the servers, and its arguments, as one `command` (repeatable)")
	flags.StringArrayVar(&n.files, "files", nil, "copy a `file` or folder to the disk of each node, as in conf=./my/conf, where the first is its name below /data (repeatable)")
	flags.StringArrayVar(&n.env, "env", nil, "an environment variable of the servers, by a `variable` and its value, as in COLOUR=blue (repeatable)")
	flags.DurationVar(&n.tick, "tick", 10*time.Millisecond, "the clocks of nodes advance by this `time` in each round")
	flags.StringVar(&n.epoch, "epoch", "", "the clocks of nodes begin at this `time`, as in 2026-01-31T12:00:00Z (2000-01-01 without it)")
}

// ofServers are the flags that go with --server.
var ofServers = []string{"nodes", "client", "files", "env", "tick", "epoch"}

// withServers lets a command that asks about a system take --server: that is a system too,
// of a host that is ldfi itself. Not bisect, which asks about versions.
func withServers(cmd *cobra.Command) *cobra.Command {
	flags := cmd.Flags()
	if f := flags.Lookup("system"); f == nil || f.Hidden || cmd.Name() == "bisect" {
		return cmd
	}
	n := new(servers)
	n.add(flags)
	args, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		words, err := n.asSystem(cmd, words)
		if err != nil {
			return err
		}
		return args(cmd, words)
	}
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		words, _ = n.split(cmd, words)
		if left := subprocess.Unconfined(); n.server != "" && left != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "ldfi: warning: nodes are not confined on this machine: %s\n", left)
		}
		return run(cmd, words)
	}
	return cmd
}

// split returns the arguments of the command, and those of the server.
func (n *servers) split(cmd *cobra.Command, words []string) (own, behind []string) {
	if i := cmd.ArgsLenAtDash(); i >= 0 && n.server != "" {
		return words[:i], words[i:]
	}
	return words, nil
}

// asSystem sets --system, if there is --server, and returns the arguments of the command.
func (n *servers) asSystem(cmd *cobra.Command, words []string) ([]string, error) {
	flags := cmd.Flags()
	if n.server == "" {
		return words, refuse(cmd, "goes with --server", ofServers...)
	}
	if flags.Changed("system") {
		return nil, errUsage(cmd, "--server and --system: there can be one of these")
	}
	if runtime.GOOS != "linux" {
		return nil, errUsage(cmd, "--server needs Linux: run it in a container, as in docker run -v $PWD:/src -w /src golang")
	}
	words, behind := n.split(cmd, words)
	c, err := n.cluster(behind)
	if err == nil {
		_, err = c.System()
	}
	if err != nil {
		return nil, errUsage(cmd, err.Error())
	}
	command := []string{"ldfi", nodesName}
	for _, name := range append([]string{"server"}, ofServers...) {
		command = append(command, flagWords(flags.Lookup(name))...)
	}
	if len(behind) > 0 {
		command = append(append(command, "--"), behind...)
	}
	return words, flags.Set("system", text.ShellJoin(command...))
}

// flagWords returns how a flag was given.
func flagWords(f *pflag.Flag) (words []string) {
	if !f.Changed {
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

// nodesName is the name of the command that is the host of such systems.
const nodesName = "nodes"

// nodesCommand returns the command that ldfi starts for --server. It is not for people.
func (s *session) nodesCommand() *cobra.Command {
	var n servers
	cmd := &cobra.Command{
		Use:    nodesName,
		Short:  "Be the host of a system of programs, each node of which is a process of its own",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := n.cluster(args)
			if err == nil {
				err = build(cmd.Context(), c)
			}
			if err != nil {
				return err
			}
			system, err := c.System()
			if err != nil {
				return err
			}
			return wire.Serve(system)
		},
	}
	n.add(cmd.Flags())
	return cmd
}

// cluster returns the cluster. In place of a program it has the package of it.
func (n *servers) cluster(args []string) (c *process.Cluster, err error) {
	if n.nodes < 1 {
		return nil, fmt.Errorf("--nodes %d: there has to be one at least", n.nodes)
	}
	if n.tick <= 0 {
		return nil, fmt.Errorf("--tick %v: a round has to take some time", n.tick)
	}
	c = &process.Cluster{Name: path.Base(n.server), Tick: n.tick}
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
		c.Nodes = append(c.Nodes, process.Node{Name: "n" + strconv.Itoa(i+1), File: n.server, Args: args, Env: n.env})
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
	return c, nil
}

// build builds the packages of a cluster, and has the programs in their place.
func build(ctx context.Context, c *process.Cluster) error {
	files := map[string]string{}
	for _, nodes := range [][]process.Node{c.Nodes, c.Clients} {
		for i, n := range nodes {
			if files[n.File] == "" {
				file, err := buildNode(ctx, n.File)
				if err != nil {
					return err
				}
				files[n.File] = file
			}
			nodes[i].File = files[n.File]
		}
	}
	return nil
}

// copied returns what is copied to the disks of nodes, by its name there.
func (n *servers) copied() (map[string]string, error) {
	all := map[string]string{}
	for _, f := range n.files {
		name, path, ok := strings.Cut(f, "=")
		if !ok || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("--files %s is no name=path, with a name below /data", f)
		}
		path, err := filepath.Abs(path)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			return nil, fmt.Errorf("--files %s: %w", f, err)
		}
		all[name] = path
	}
	return all, nil
}

// buildNode builds a package as a node, and returns the program. That is kept in the cache of
// the user, so that the go command need not link it again.
func buildNode(ctx context.Context, pkg string) (file string, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("building %s needs a folder for caches: %w", pkg, err)
	}
	key := sha256.Sum256([]byte(dir + "\x00" + pkg))
	file = filepath.Join(cache, "ldfi", "nodes", hex.EncodeToString(key[:10]), "node")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	return file, process.Build(ctx, dir, pkg, file)
}
