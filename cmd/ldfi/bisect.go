package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/spf13/cobra"
)

// bisectFlags are the flags of a search across versions.
type bisectFlags struct {
	question
	files, revisions, versions []string // lists of names
	git, module, dir           string
	names                      []string
	firstBad                   bool
	cache                      string
	output                     output
}

func (s *session) bisectCommand() *cobra.Command {
	var flags bisectFlags
	cmd := &cobra.Command{
		Use:   "bisect VERSION...",
		Short: "Find the versions in which the promise can be broken, and what changed",
		Long: `bisect searches every version of a protocol or system afresh, within the same bounds: replaying the schedule that broke one version
proves nothing about another. It prints what was found in which version, what replaying each schedule does to the other versions,
where the verdict changes, what changed there, and which bugs replay would have missed.

Versions, from old to new, are
  - files with protocols, or directories: with *.ded files (--files names others), or in which --system is run;
  - git revisions (--git A..B or --revisions A,B,C) of the protocol in FILE..., or of the --system, which are checked out elsewhere;
  - releases of a Go module (--module M --versions v1,v2) that the package of --system 'go run PACKAGE' is built with.
A version that does not parse or build is skipped. What is known about a version is kept in a cache, so that a search goes on where it was stopped.

Exit codes: 0 holds in all versions, 1 violated in some, 2 wrong usage or input, 3 inconclusive or interrupted.`,
		Example: `  ldfi bisect testdata/protocols/election/bully_min.ded testdata/protocols/election/bully_max.ded
  ldfi bisect --git v1.0..HEAD protocol.ded --first-bad
  ldfi bisect --module go.etcd.io/raft/v3 --versions v3.5.0,v3.6.0 --system 'go run ./host'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(cmd, args); err != nil {
				return err
			}
			ctx, cancel := withTimeout(cmd.Context(), flags.timeout)
			defer cancel()
			versions, err := flags.history(ctx, args)
			if err != nil {
				return err
			}
			cache, err := openCache(flags.cache)
			if err != nil {
				return err
			}
			s.progress.start(s.stderr)
			defer s.progress.stop()
			report, err := bisect.Run(ctx, versions, bisect.Options{
				Question: *flags.subject(cmd, s, nil), Systems: flags.names, FirstBad: flags.firstBad, Cache: cache, Progress: s.progress.line,
				Skipped: func(version, reason string) { s.progress.note(s.err, version+" is skipped: "+reason) },
			})
			if err != nil {
				return err
			}
			s.code = exitCode(report.Verdict)
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
	return cmd
}

func (f *bisectFlags) add(cmd *cobra.Command) {
	set := cmd.Flags()
	addBounds(set)
	set.StringSliceVar(&f.files, "files", nil, "the `files` of a protocol in each directory, a.ded,b.ded; without it all *.ded files")
	set.StringVar(&f.git, "git", "", "the revisions `A..B`: A, and what comes after it up to B, along first parents")
	set.StringSliceVar(&f.revisions, "revisions", nil, "git `revisions`, from old to new")
	set.StringVar(&f.module, "module", "", "the Go `module` whose releases are the versions")
	set.StringSliceVar(&f.versions, "versions", nil, "the `versions` of the module, from old to new")
	set.StringVar(&f.dir, "dir", "", "the `directory` of the Go module with the system, with --module; without it the working directory")
	set.StringVar(&f.system, "system", "", "the `command` that starts the program with a system")
	set.StringArrayVar(&f.names, "name", nil, "which of the `system`s of that program (repeatable); without it all of them")
	set.StringArrayVar(&f.properties, "property", nil, "a `file` with Mangle rules that the system has to satisfy as well (repeatable)")
	set.DurationVar(&f.callTimeout, "call-timeout", search.Patience, "try a call of a process again that is not back after this `time`, with four times as much")
	set.BoolVar(&f.firstBad, "first-bad", false, "the verdict changes once: find where by binary search")
	set.StringVar(&f.cache, "cache", "", "keep what is known about versions in this `directory`; without it in the user's cache directory")
	set.DurationVar(&f.timeout, "timeout", 0, "stop after this `time` (for example 10m) and say what is known")
	f.addSearch(set)
	f.output.add(set, "text", "json", "markdown")
}

// check refuses flags that do not go together.
func (f *bisectFlags) check(cmd *cobra.Command, args []string) error {
	if err := exclusive(cmd, "git", "revisions", "module"); err != nil {
		return err
	}
	inGit := f.git != "" || len(f.revisions) > 0
	switch {
	case f.module != "" && len(f.versions) == 0:
		return errUsage(cmd, "--module needs --versions, its releases from old to new")
	case f.module == "" && len(f.versions) > 0:
		return errUsage(cmd, "--versions goes with --module; git revisions are named by --revisions, files and directories without a flag")
	case f.module != "" && f.system == "":
		return errUsage(cmd, "--module needs --system 'go run PACKAGE'")
	case f.dir != "" && f.module == "":
		return errUsage(cmd, "--dir goes with --module")
	case f.module != "" && len(args) > 0:
		return errUsage(cmd, fmt.Sprintf("--module and %s: there can be one of these", args[0]))
	case inGit && f.system != "" && len(args) > 0:
		return errUsage(cmd, fmt.Sprintf("--git or --revisions, --system and %s: with git the versions of a system are its revisions", args[0]))
	case inGit && f.system == "" && len(args) == 0:
		return errUsage(cmd, "a file or --system is needed: what is it whose revisions are searched?")
	case !inGit && f.module == "" && len(args) < 2:
		return errUsage(cmd, "two versions or more are needed")
	case len(f.files) > 0 && (inGit || f.module != "" || f.system != ""):
		return errUsage(cmd, "--files goes with directories of a protocol")
	case f.system != "" && !inGit && f.module == "" && !slices.ContainsFunc(args, isDirectory):
		return errUsage(cmd, fmt.Sprintf("--system is run in directories; %s is a file", args[0]))
	case len(f.files) > 0 && !slices.ContainsFunc(args, isDirectory):
		return errUsage(cmd, "--files goes with directories of a protocol; a file is one by itself")
	}
	return checkKind(cmd, f.system != "")
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.IsDir() // what is not there is reported by whoever reads it
}

// history returns the versions that the flags and arguments name.
func (f *bisectFlags) history(ctx context.Context, args []string) ([]bisect.Version, error) {
	switch {
	case f.module != "":
		return bisect.Releases(f.dir, f.module, f.versions, f.system)
	case f.git == "" && len(f.revisions) == 0:
		return bisect.Paths(args, f.files, f.system)
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
