package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// testFlags are the flags of ldfi test; every other one is for go test.
type testFlags struct {
	budget   time.Duration
	reported string
	strict   bool
	output   output
}

func (s *session) testCommand() *cobra.Command {
	var flags testFlags
	cmd := &cobra.Command{
		Use:   "test [packages] [flags of go test]",
		Short: "Run go test with everything set up",
		Long: `test runs go test, and sets up what tests with ldfitest.Run need. Servers with goroutines get the overlay of the
standard library. A table shows all systems while they are searched. At the end it has their verdicts, with the faults
or the share of schedules that was looked at.

The flags below have two dashes and belong to ldfi. Every other flag goes to go test as it is:

  ldfi test -run TestKV -race ./...

A schedule that breaks a system is kept in testdata/ldfi beside the test, and executed first from then on.

Exit codes: 1 a test fails or a property is violated, else 2 something cannot be built or used. Without these, 3 after
Ctrl-C, or with --strict if a search drew schedules and proved nothing. Otherwise 0.`,
		Example: `  ldfi test ./...
  ldfi test -run TestReplication ./store --report store.html
  ldfi test ./... --budget 5m --output junit > ldfi.xml`,
		DisableFlagParsing:    true,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			ours, theirs, err := splitTestFlags(cmd, args)
			if err != nil {
				return err
			}
			if slices.Contains(ours, "--help") {
				return cmd.Help()
			}
			if err := cmd.Flags().Parse(ours); err != nil {
				return errUsage(cmd, err.Error())
			}
			return s.test(cmd, theirs, flags)
		},
	}
	f := cmd.Flags()
	f.DurationVar(&flags.budget, "budget", 0, "the `time` for all searches, shared fairly; new and changed systems first")
	f.StringVar(&flags.reported, "report", "", "write a report of one HTML page to `file`")
	f.BoolVar(&flags.strict, "strict", false, "exit code 3 if a search drew schedules and proved nothing")
	flags.output.add(f, "text", "json", "junit", "sarif", "markdown")
	return cmd
}

// splitTestFlags takes the flags of ldfi, which have two dashes, out of the arguments. What
// stands after -args is for the tests.
func splitTestFlags(cmd *cobra.Command, args []string) (ours, theirs []string, err error) {
	for i := 0; i < len(args); i++ {
		word := args[i]
		name, _, given := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		flag := cmd.Flags().Lookup(name)
		switch {
		case word == "-args" || word == "--args":
			return ours, append(theirs, args[i:]...), nil
		case word == "-h" || word == "-help" || word == "--help":
			ours = append(ours, "--help")
		case strings.HasPrefix(word, "--") && name == "timeout":
			return nil, nil, errUsage(cmd, "--timeout could be that of a search or of go test: -timeout (one dash) is that of go test, and --budget is the time for all searches")
		case strings.HasPrefix(word, "--") && flag == nil && meantFlag(cmd, word, name) != "":
			return nil, nil, errUsage(cmd, fmt.Sprintf("there is no flag --%s (did you mean --%s?); a flag of the tests has one dash", name, meantFlag(cmd, word, name)))
		case !strings.HasPrefix(word, "--") || flag == nil:
			theirs = append(theirs, word)
		case given || flag.NoOptDefVal != "":
			ours = append(ours, word)
		case i+1 == len(args):
			return nil, nil, errUsage(cmd, fmt.Sprintf("--%s needs a value", name))
		default:
			ours = append(ours, word, args[i+1])
			i++
		}
	}
	return ours, theirs, nil
}

// meantFlag returns the flag of ldfi that was probably meant by a word that is none, neither one
// of go test; "" if there is none.
func meantFlag(cmd *cobra.Command, word, name string) string {
	if len(gobuild.ParseTest([]string{word}).Rest) == 0 {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return text.Suggest(name, names)
}

// test runs go test, and says what became of the systems.
func (s *session) test(cmd *cobra.Command, args []string, flags testFlags) error {
	if err := checkValues(cmd); err != nil {
		return err
	}
	ctx, words := cmd.Context(), gobuild.ParseTest(args)
	packages, err := gobuild.TestPackages(ctx, words)
	if err != nil {
		return err
	}
	if flags.reported != "" {
		if err := checkWritten(nil, flags.reported); err != nil {
			return err
		}
		if info, err := os.Stat(filepath.Dir(flags.reported)); err != nil || !info.IsDir() {
			return fmt.Errorf("--report %s: there is no directory %s", flags.reported, filepath.Dir(flags.reported))
		}
	}
	b := newBoard(s, packages, flags)
	if flags.budget > 0 {
		b.shares.expect(packages)
		if len(words.Packages) > 0 && len(packages) > 1 {
			args = words.Words(b.shares.order(packages))
		}
	}
	end, err := s.goTest(ctx, args, packages, b)
	if err != nil {
		return err
	}
	return s.writeTests(ctx, flags, b, end, packages)
}

// goTest runs go test with a board that listens to the tests.
func (s *session) goTest(ctx context.Context, args []string, packages []gobuild.TestPackage, b *board) (end testEnd, err error) {
	scratch, err := files.NewScratch("", "ldfi-test-")
	if err != nil {
		return end, err
	}
	defer func() { err = errors.Join(err, scratch.Remove()) }()
	name, environ := "go", os.Environ()
	if slices.ContainsFunc(packages, func(p gobuild.TestPackage) bool { return p.Searches && p.Virtual }) {
		h := gobuild.Overlaid(ctx, "go", gobuild.ParseTest(args).Build, "", nil)
		if ctx.Err() != nil {
			return end, ctx.Err()
		}
		if h.Ready == nil {
			fmt.Fprintf(s.err, "warning: goroutines do not run exactly repeatably: %s\n", h.Why)
		} else {
			name, environ = cmp.Or(h.Ready.Command(), name), h.Ready.Environment(environ)
		}
	}
	door, err := b.listen(scratch.Path())
	if err != nil {
		return end, fmt.Errorf("listening to the tests: %w", err)
	}
	c := exec.CommandContext(ctx, name, append([]string{"test"}, args...)...)
	c.Env = append(environ, messages.Listener+"="+door, "GOTMPDIR="+scratch.Path()) // what go leaves behind when it is killed
	subprocess.Separate(c)
	mark := subprocess.Marked(c)
	c.Cancel = func() error {
		b.stop()
		subprocess.KillMarked(c, mark) // also nodes and their builds, which have groups of their own
		return subprocess.Kill(c)
	}
	c.WaitDelay = time.Second / 10
	asJSON := slices.ContainsFunc(args, func(a string) bool { return strings.TrimLeft(a, "-") == "json" })
	to := s.stdout
	if b.flags.output != "text" && b.flags.output != "" {
		to = s.stderr
	}
	stdout := &testLines{to: b.above(to), end: &end, json: asJSON}
	stderr := &testLines{to: b.above(s.stderr), end: &end}
	c.Stdout, c.Stderr = stdout, stderr
	b.show()
	err = c.Run()
	stdout.flush()
	stderr.flush()
	b.close()
	end.json = asJSON
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		end.code, err = exit.ExitCode(), nil
	}
	if ctx.Err() != nil {
		err = nil
	}
	return end, err
}

// writeTests prints the systems, and sets the exit code.
func (s *session) writeTests(ctx context.Context, flags testFlags, b *board, end testEnd, packages []gobuild.TestPackage) error {
	others := b.others(end, packages)
	cases := b.results()
	if flags.output != "text" && flags.output != "" || os.Getenv("GITHUB_ACTIONS") == "true" {
		cases = append(cases, others...)
	}
	r := suite.ReportOfTests("go test", cases, flags.strict, ctx.Err() != nil)
	for _, c := range others {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s: %s", c.Name, c.Error))
	}
	if b.other != "" {
		r.Warnings = append(r.Warnings, b.other)
	}
	s.code = b.code(ctx, end, r)
	pages := &casePages{command: s.plainCommand()}
	for i := range r.Cases {
		pages.add(ctx, nil, &r.Cases[i], nil)
	}
	if err := pages.write(flags.reported, r); err != nil {
		return err
	}
	if flags.budget > 0 {
		if err := b.shares.keep(); err != nil {
			r.Warnings = append(r.Warnings, "what was searched could not be remembered: "+err.Error())
		}
	}
	if flags.output != "text" && flags.output != "" {
		return s.writeReport(r, flags.output)
	}
	to := s.out
	if end.json {
		to = s.err
	}
	switch {
	case len(r.Cases) > 0:
		fmt.Fprintln(to)
		if err := r.WriteTests(to); err != nil {
			return err
		}
	case ctx.Err() != nil:
		fmt.Fprintln(s.err, "ldfi: interrupted before a system was searched")
	case len(end.broken) == 0 && !slices.ContainsFunc(packages, func(p gobuild.TestPackage) bool { return p.Searches }):
		fmt.Fprintln(s.err, "ldfi: no test of these packages calls ldfitest.Run, so no system was searched: docs/guide/test.md says how to write one")
	case end.code == 0:
		fmt.Fprintln(s.err, "ldfi: no system was searched: no test that ran calls ldfitest.Run, or its module requires an ldfi that is older than this one")
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(s.err, "warning: %s\n", text)
	}
	return s.annotate(r)
}

// code is the exit code.
func (b *board) code(ctx context.Context, end testEnd, r *suite.Report) int {
	switch {
	case r.Count(suite.Fail) > 0 || end.code != 0 && len(end.failed) > 0:
		return exitViolated
	case ctx.Err() != nil:
		return exitInconclusive
	case end.code != 0 || r.Count(suite.Error) > 0:
		return exitUsage
	case r.Count(suite.Inconclusive) > 0:
		return exitInconclusive
	}
	return exitHolds
}
