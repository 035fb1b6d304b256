package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/spf13/cobra"
	"golang.org/x/mod/semver"
)

const bisectName = "bisect"

// bisectFlags are the flags of a search across versions.
type bisectFlags struct {
	question
	files, revisions, versions []string // lists of names
	dirs                       []string
	git, module                string
	names, inputs              []string
	firstBad                   bool
	cache, reported            string
	output                     output
}

func (s *session) bisectCommand() *cobra.Command {
	var flags bisectFlags
	cmd := &cobra.Command{
		Use:   bisectName + " VERSION...",
		Short: "Find the versions that break the promise, and what changed",
		Long: `bisect searches every version within the same bounds. It prints what it found in which version, whether each
schedule breaks the others, and what changed where the verdict does.

Versions, from old to new, are

  - files with protocols or clusters, or directories
  - git revisions: --git A..B or --revisions A,B,C, and the FILE or --system
  - releases of a Go module: --module M --versions v1,v2, or PATH@VERSION, and the --system, --server or cluster

bisect skips a version that does not build, and says so. It keeps what it knows of versions in a cache.

Exit codes: 0 holds in all versions, 1 violated in some, 2 wrong usage or input, 3 inconclusive or interrupted.`,
		Example: `  ldfi bisect --git v1.0..HEAD protocol.ded --first-bad
  ldfi bisect --module go.etcd.io/bbolt --versions v1.3.12,v1.4.3 cluster.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			args = flags.trimmed(args)
			if err := flags.check(cmd, args); err != nil {
				return err
			}
			if err := checkWritten(append(args[:len(args):len(args)], flags.properties...), flags.reported); err != nil {
				return err
			}
			first, later := flags.timeout, time.Duration(0)
			if buildsFirst(cmd) {
				first, later = later, first
			}
			ctx, cancel := withTimeout(cmd.Context(), first)
			defer cancel()
			versions, err := flags.history(ctx, args)
			if err != nil {
				return err
			}
			for i, v := range versions {
				if slices.ContainsFunc(versions[:i], func(o bisect.Version) bool { return o.Name == v.Name }) {
					return errUsage(cmd, fmt.Sprintf("the version %s is named twice: bisect compares versions that differ", v.Name))
				}
			}
			inputs, err := flags.workloads(cmd)
			if err != nil {
				return err
			}
			cache, err := openCache(flags.cache)
			if err != nil {
				return err
			}
			s.progress.start(s.stderr)
			defer s.progress.stop()
			ctx, leave, err := s.hire(ctx, cmd, &flags.crew)
			if err != nil {
				return err
			}
			defer leave()
			if buildsFirst(cmd) {
				s.progress.note(s.err, "versions are built with -trimpath: the first build may take long, and later ones reuse it from the build cache")
			}
			report, err := bisect.Run(ctx, versions, bisect.Options{
				Question: flags.subject(cmd, s, nil), Systems: flags.names, Inputs: inputs, FirstBad: flags.firstBad, Timeout: later, Cache: cache, Pages: flags.reported != "", Progress: s.progress.line,
				Build:   buildNodes,
				Skipped: func(version, reason string) { s.progress.note(s.err, version+" is skipped: "+reason) },
			})
			if err := cmp.Or(flags.crew.lost(), err, flags.crew.settle(ctx)); err != nil {
				return err
			}
			s.code = exitCode(report.Verdict)
			if err := s.writeLanding(flags.reported, report); err != nil {
				return err
			}
			switch flags.output {
			case "json":
				return report.WriteJSON(s.out)
			case "markdown":
				return report.WriteMarkdown(s.out)
			}
			return report.WriteText(s.out)
		},
	}
	flags.add(cmd)
	s.addProgress(cmd.Flags())
	return cmd
}

func (f *bisectFlags) add(cmd *cobra.Command) {
	set := cmd.Flags()
	addBounds(set)
	set.StringSliceVar(&f.files, "files", nil, "the `files` of a protocol in each directory: a.ded,b.ded; without it *.ded")
	set.StringVar(&f.git, "git", "", "the revisions `A..B`: A, and what comes after it up to B, along first parents")
	set.StringSliceVar(&f.revisions, "revisions", nil, "git `revisions`, from old to new")
	set.StringVar(&f.module, "module", "", "the Go `module` whose releases are the versions")
	set.StringSliceVar(&f.versions, "versions", nil, "the `versions` of the module, from old to new")
	set.StringArrayVar(&f.dirs, "dir", nil, "the `directory` of the system's module; PATH=DIRECTORY for one path (repeatable)")
	set.StringVar(&f.system, "system", "", "the `command` that starts the program with a system")
	set.StringArrayVar(&f.names, "name", nil, "which of the `system`s of that program (repeatable); without it all of them")
	set.StringArrayVar(&f.properties, "property", nil, "a `file` with Mangle rules that the system has to satisfy as well (repeatable)")
	set.DurationVar(&f.callTimeout, "call-timeout", search.Patience, "try a call again that is not back after this `time`, with four times as much")
	set.StringSliceVar(&f.inputs, "inputs", nil, "search each version with these `inputs`: files of facts, or names of systems")
	set.BoolVar(&f.firstBad, "first-bad", false, "the verdict changes once: find where by binary search")
	set.StringVar(&f.cache, "cache", "", "the `directory` of what is known of versions; without it the user's cache")
	set.DurationVar(&f.timeout, "timeout", 0, "stop after this `time` (for example 10m; 0: no limit), and say what is known")
	addMemory(set, ", all versions together")
	f.addSolver(set)
	f.addAnyRounds(set)
	f.addSearch(set)
	f.addGuide(set)
	f.addHold(set)
	set.StringVar(&f.reported, "report", "", "write an HTML page with the matrix, and a page of each version, to `file`")
	f.crew.add(set)
	f.output.add(set, "text", "json", "markdown")
}

// writeLanding writes a report about all versions into a file; none without a name.
func (s *session) writeLanding(file string, r *bisect.Report) error {
	if file == "" {
		return nil
	}
	landing, err := r.Landing("bisect", s.plainCommand())
	if err != nil {
		return err
	}
	return files.Replace(file, landing.Write)
}

// trimmed drops the spaces around names in lists, and returns the arguments without releases of a
// library that servers are built with: flags name these as well.
func (f *bisectFlags) trimmed(args []string) []string {
	for _, list := range [][]string{f.files, f.revisions, f.versions, f.inputs} {
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
	}
	if module, versions := oneModule(args); f.ofServer() && module != "" && module == f.module && slices.Equal(versions, f.versions) {
		return nil
	}
	return args
}

// oneModule returns the module of which all arguments are releases, and the versions; "" if they
// are something else.
func oneModule(args []string) (module string, versions []string) {
	releases, others := splitReleases(args)
	for _, r := range releases {
		if len(others) > 0 || r.Path != releases[0].Path {
			return "", nil
		}
		module, versions = r.Path, append(versions, r.Version)
	}
	return module, versions
}

// checkVersions reports versions of a module that are no list of several.
func (f *bisectFlags) checkVersions(cmd *cobra.Command) error {
	if len(f.versions) == 1 {
		return errUsage(cmd, fmt.Sprintf("%s is one version: bisect needs two or more, as in --versions v1.2.0,v1.2.1", f.versions[0]))
	}
	for _, v := range f.versions {
		if strings.Contains(v, ".") && semver.IsValid("v"+v) {
			return errUsage(cmd, fmt.Sprintf("--versions: %s: the versions of a Go module begin with v: v%s", v, v))
		}
	}
	return nil
}

// check refuses flags that do not go together.
func (f *bisectFlags) check(cmd *cobra.Command, args []string) error {
	if err := cmp.Or(exclusive(cmd, "git", "revisions", "module"), f.holds(cmd)); err != nil {
		return err
	}
	inGit := f.git != "" || len(f.revisions) > 0
	releases, _ := splitReleases(args)
	switch {
	case f.module != "" && len(f.versions) == 0:
		return errUsage(cmd, "--module needs --versions, its releases from old to new")
	case ofHost(cmd) == "steps" && len(f.versions) > 0:
		return errUsage(cmd, "--versions are those of a Go module; those of --steps are directories, or revisions (--git)")
	case f.ofServer() && len(f.versions) > 0 && (inGit || len(args) > 1 || len(args) == 1 && !isCluster(args[0])):
		return errUsage(cmd, "--versions of the server, and other versions: there can be one of these")
	case f.ofServer() && len(args) == 1 && len(f.versions) > 0 && cmd.Flags().Changed("release"):
		return errUsage(cmd, "--release and --versions: there can be one of these")
	case f.ofServer() && len(f.dirs) > 0:
		return errUsage(cmd, "--dir goes with --system 'go run PACKAGE': the Go module of servers is that of the directory in which they are built")
	case f.ofServer() && len(f.versions) > 0:
		return cmp.Or(f.checkVersions(cmd), f.crew.fits(cmd))
	case f.module == "" && len(f.versions) > 0:
		return errUsage(cmd, "--versions goes with --module or --server; git revisions are named by --revisions, files, directories and PATH@VERSION without a flag")
	case f.module != "" && f.system == "":
		return errUsage(cmd, "--module needs --system 'go run PACKAGE' or 'go test PACKAGE', --server PACKAGE or a file with a cluster")
	case len(releases) > 0 && f.system == "":
		return errUsage(cmd, fmt.Sprintf("%s needs --system 'go run PACKAGE' or 'go test PACKAGE'", args[0]))
	case len(releases) > 0 && inGit:
		return errUsage(cmd, "revisions in git and releases of a module: there can be one of these")
	case len(releases) > 0 && f.ofServer():
		return errUsage(cmd, fmt.Sprintf("%s: servers are built with releases of one module, and nothing else stands beside these, as in MODULE@v1.1.0 MODULE@./fork", releases[0].Path+"@"+releases[0].Version))
	case len(f.dirs) > 0 && f.module == "" && len(releases) == 0:
		return errUsage(cmd, "--dir goes with releases: --module, or PATH@VERSION")
	case f.module != "" && len(args) > 0:
		return errUsage(cmd, fmt.Sprintf("--module and %s: there can be one of these", args[0]))
	case inGit && f.system != "" && len(args) > 0:
		return errUsage(cmd, fmt.Sprintf("--git or --revisions, --%s and %s: with git the versions of a system are its revisions", ofHost(cmd), args[0]))
	case slices.ContainsFunc(args, isCluster) && (slices.ContainsFunc(args, func(a string) bool { return !isCluster(a) }) || len(f.files) > 0):
		return errUsage(cmd, "files with clusters are versions by themselves, without other files and --files")
	case inGit && f.system == "" && len(args) == 0:
		return errUsage(cmd, "a file or --system is needed: name the program whose revisions are searched")
	case !inGit && f.module == "" && len(args) < 2:
		return errUsage(cmd, "two versions or more are needed: files, directories, PATH@VERSION; --git A..B or --revisions A,B names them in git")
	case len(f.files) > 0 && !f.ofServer() && (inGit || f.module != "" || f.system != ""):
		return errUsage(cmd, "--files goes with directories of a protocol")
	case f.system != "" && !inGit && f.module == "" && !slices.ContainsFunc(args, isCluster) && !slices.ContainsFunc(args, isDirectory):
		does := "run"
		if ofHost(cmd) == "server" {
			does = "built"
		}
		return errUsage(cmd, fmt.Sprintf("--%s is %s in directories; %s is a file", ofHost(cmd), does, args[0]))
	case len(f.files) > 0 && !f.ofServer() && !slices.ContainsFunc(args, isDirectory):
		return errUsage(cmd, "--files goes with directories of a protocol; a file is one by itself")
	}
	return cmp.Or(f.checkVersions(cmd), f.crew.fits(cmd), checkKind(cmd, f.system != "", "workers"), f.anyRoundsAlone(cmd, "solver"))
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.IsDir() // the reader of the file reports that it is missing
}

// splitReleases returns the arguments that are releases of modules, and the others.
func splitReleases(args []string) (releases []bisect.Release, paths []string) {
	for _, arg := range args {
		if r, ok := bisect.ParseRelease(arg); ok {
			releases = append(releases, r)
		} else {
			paths = append(paths, arg)
		}
	}
	return releases, paths
}

// workloads returns the inputs with which every version is searched.
func (f *bisectFlags) workloads(cmd *cobra.Command) (inputs []bisect.Input, err error) {
	switch {
	case !cmd.Flags().Changed("inputs"):
		return nil, nil
	case len(f.inputs) == 0:
		err = errors.New("no input is named")
	case f.system == "":
		inputs, err = bisect.FactInputs(f.inputs)
	default:
		inputs, err = bisect.SystemInputs(f.inputs)
	}
	if err == nil && len(f.names) > 0 && bisect.NamesSystems(inputs) {
		err = errors.New("an input names a system of the host, and so does --name: there can be one of these")
	}
	if err != nil {
		return nil, fmt.Errorf("--inputs: %w", err)
	}
	return inputs, nil
}

// named returns the versions that arguments are: releases, files and directories.
func (f *bisectFlags) named(ctx context.Context, args []string) ([]bisect.Version, error) {
	releases, paths := splitReleases(args)
	if err := differ(paths); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(args, isCluster) {
		return f.clusters(args)
	}
	of := f.files // of a protocol
	if f.system != "" {
		of = nil
	}
	others, err := bisect.Paths(paths, of, f.system)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w%s", err, f.namedBy(ctx, paths))
	}
	if err != nil || len(releases) == 0 {
		return others, err
	}
	built, err := f.releases(releases)
	if err != nil {
		return nil, err
	}
	var versions []bisect.Version
	for _, arg := range args {
		from := &others
		if _, ok := bisect.ParseRelease(arg); ok {
			from = &built
		}
		versions, *from = append(versions, (*from)[0]), (*from)[1:]
	}
	return versions, nil
}

// differ reports files and directories that are one.
func differ(paths []string) error {
	for i, p := range paths {
		this, err := os.Stat(p)
		if err != nil {
			continue
		}
		for _, o := range paths[:i] {
			if other, err := os.Stat(o); err == nil && os.SameFile(this, other) {
				return fmt.Errorf("the versions %s and %s are one: bisect compares versions that differ", o, p)
			}
		}
	}
	return nil
}

// namedBy says with which flags versions are named that are neither files nor
// directories.
func (f *bisectFlags) namedBy(ctx context.Context, versions []string) string {
	versions = slices.DeleteFunc(slices.Clone(versions), func(v string) bool { _, err := os.Stat(v); return err == nil })
	list := strings.Join(versions, ",")
	if repository, err := bisect.OpenRepository(ctx, ""); err == nil {
		if _, err := repository.Named(ctx, versions); err == nil {
			return fmt.Sprintf(", but there is such a revision in git: --revisions %s", list)
		}
	}
	return fmt.Sprintf("\nversions without a flag are files, directories and releases PATH@VERSION; revisions in git are named by --revisions %s, and releases of a module by --module MODULE --versions %s", list, list)
}

func (f *bisectFlags) releases(releases []bisect.Release) ([]bisect.Version, error) {
	hosts, err := bisect.ParseHosts(f.dirs)
	if err != nil {
		return nil, fmt.Errorf("--dir: %w", err)
	}
	return bisect.Releases(hosts, releases, f.system)
}

// history returns the versions that the flags and arguments name.
func (f *bisectFlags) history(ctx context.Context, args []string) ([]bisect.Version, error) {
	switch {
	case f.ofServer() && len(f.versions) > 0:
		return f.serverReleases(args)
	case f.module != "":
		var releases []bisect.Release
		for _, v := range f.versions {
			releases = append(releases, bisect.Release{Path: f.module, Module: true, Version: v})
		}
		return f.releases(releases)
	case f.git == "" && len(f.revisions) == 0:
		return f.named(ctx, args)
	}
	repository, err := bisect.OpenRepository(ctx, "")
	if err != nil {
		return nil, err
	}
	var commits []bisect.Commit
	if f.git != "" {
		if commits, err = repository.Range(ctx, f.git); err != nil {
			return nil, fmt.Errorf("--git: %w", err)
		}
	} else if commits, err = repository.Named(ctx, f.revisions); err != nil {
		return nil, fmt.Errorf("--revisions: %w", err)
	}
	return repository.Revisions(commits, args, f.system)
}
