package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// released has another release of the servers of a cluster that are packages of a module.
func released(c *process.Cluster, file, version string) error {
	one := ""
	for i, node := range c.Nodes {
		pkg, _, of := strings.Cut(node.File, "@")
		switch {
		case !of:
			continue
		case one != "" && one != pkg:
			return fmt.Errorf("version %s: %s has servers of two packages, %s and %s: it cannot be that of both", version, file, one, pkg)
		}
		one, c.Nodes[i].File = pkg, pkg+"@"+version
	}
	if one == "" {
		return fmt.Errorf("version %s: no server of %s is a package of a module in a version (build: PATH@VERSION)", version, file)
	}
	return nil
}

// ofServer tells whether the system that is searched is a server as it is.
func (f *bisectFlags) ofServer() bool {
	_, is := subject.OfNodes(f.system)
	return is
}

// inGit tells whether versions are revisions.
func inGit(cmd *cobra.Command) bool {
	return cmd.Flags().Changed("git") || cmd.Flags().Changed("revisions")
}

// libraryOf is the word before a release of a Go module that the programs of a cluster are
// built with, in the command of a version.
const libraryOf = "--library"

// serverReleases returns releases of a server as versions, of the servers of a file, or of a
// module that the programs are built with.
func (f *bisectFlags) serverReleases(args []string) ([]bisect.Version, error) {
	words, err := text.ShellSplit(f.system)
	if err != nil {
		return nil, err
	}
	if f.module != "" {
		var commands []string
		for _, v := range f.versions {
			if _, ok := bisect.ParseRelease(f.module + "@" + v); !ok {
				return nil, fmt.Errorf("--module %s --versions %s: that is no release of a Go module", f.module, v)
			}
			commands = append(commands, text.ShellJoin(slices.Insert(slices.Clone(words), 2, libraryOf, f.module+"@"+v)...))
		}
		return bisect.Made(f.versions, commands), nil
	}
	if len(args) > 0 {
		c, err := process.Read(args[0])
		if err == nil {
			err = released(&c, args[0], f.versions[0])
		}
		if err != nil {
			return nil, err
		}
		var commands []string
		for _, v := range f.versions {
			commands = append(commands, text.ShellJoin(append(words[:len(words):len(words)], "--release", v)...))
		}
		return bisect.Commands(f.versions, commands), nil
	}
	i := slices.Index(words, "--server") + 1
	pkg := words[i]
	if i == 0 || strings.HasPrefix(pkg, ".") || strings.Contains(pkg, "@") || filepath.IsAbs(pkg) {
		return nil, fmt.Errorf("--versions are those of a module: --server names a package of it by its path, without a version, and not %s", pkg)
	}
	var commands []string
	for _, v := range f.versions {
		words[i] = pkg + "@" + v
		commands = append(commands, text.ShellJoin(words...))
	}
	return bisect.Commands(f.versions, commands), nil
}

// clusters returns files with clusters as versions. The system is the first, and what flags say of all.
func (f *bisectFlags) clusters(files []string) ([]bisect.Version, error) {
	words, _ := subject.OfNodes(f.system)
	var commands []string
	for _, file := range files {
		if _, err := process.Read(file); err != nil {
			return nil, err
		}
		commands = append(commands, text.ShellJoin(append([]string{"ldfi", subject.NodesCommand, file}, words[1:]...)...))
	}
	return bisect.Commands(bisect.ShortNames(files), commands), nil
}

// buildNodes builds the programs of a cluster, as the command in a directory that is its
// host names it, below the directory out. It returns a command that builds nothing, and a
// digest of all that it reads; "" for other commands.
func buildNodes(ctx context.Context, dir, command, out string) (built, key string, err error) {
	words, is := subject.OfNodes(command)
	if !is {
		return "", "", nil
	}
	var release string
	if len(words) > 1 && words[0] == libraryOf {
		release, words = words[1], words[2:]
	}
	n := &servers{in: dir}
	flags := pflag.NewFlagSet(subject.NodesCommand, pflag.ContinueOnError)
	n.add(flags)
	flags.IntVar(&n.rounds, "rounds", 0, "")
	if err := flags.Parse(words); err != nil {
		return "", "", err
	}
	args := n.take(flags.Args(), flags.ArgsLenAtDash())
	if n.steps != "" { // that is not built
		return "", "", nil
	}
	c, err := n.cluster(args)
	if err != nil {
		return "", "", err
	}
	var asked []string
	for _, node := range c.All() {
		asked = append(asked, node.File)
	}
	if err := buildWith(ctx, c, release, out); err != nil {
		return "", "", err
	}
	var more []string
	for i, node := range c.All() {
		if is := asked[i] + "=" + node.File; !slices.Contains(more, is) {
			more = append(more, "--built", is)
		}
	}
	digest, err := c.Digest()
	key = work.Digest([]byte(command + "\x00" + digest))
	return text.ShellJoin(slices.Concat([]string{"ldfi", subject.NodesCommand}, more, words)...), key, err
}

// buildWith builds the programs of a cluster below the directory out, with a release of a Go
// module in the place of what their own requires, if it is not "".
func buildWith(ctx context.Context, c *process.Cluster, release, out string) error {
	r, ok := bisect.ParseRelease(release)
	if !ok {
		return c.Build(ctx, out)
	}
	r.Module = true
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	flags, check, err := r.Place(ctx, c.Dir, out)
	if err != nil {
		return err
	}
	if err := c.Build(ctx, out, flags...); err != nil {
		return err
	}
	var programs []string
	for _, node := range c.All() {
		programs = append(programs, node.File)
	}
	return check(programs...)
}
