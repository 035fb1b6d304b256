package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/spf13/cobra"
)

// checkFlags say how a suite is run.
type checkFlags struct {
	budget, timeout time.Duration
	cache           string
	noCache         bool
	shard           string
	solver          string
	update, merge   bool
	reported        string
	crew            workerFlags
	output          output
}

func (s *session) checkCommand() *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check [SUITE]",
		Short: "Check a suite of protocols and systems",
		Long: `check runs the cases of a suite (ldfi.yaml) and compares each verdict with the one that the suite expects.
It keeps a schedule that breaks a case in testdata/ldfi, and executes it first from then on.
It reuses certificates while nothing changes that they depend on.

A case of a system names a command, which check starts with your rights. Run only suites that you trust.

Exit codes: 0 all is as expected, 1 something differs, 2 wrong usage or input, 3 something is inconclusive.`,
		Example: `  ldfi check --budget 60s
  ldfi check --update
  ldfi check --merge 1.json 2.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.merge {
				if err := refuse(cmd, "does not go with --merge, which joins reports and runs nothing; use it where the parts are run", "budget", "timeout", "memory", "cache", "no-cache", "shard", "update", "solver", "workers", "recheck", "progress"); err != nil {
					return err
				}
				return s.mergeReports(cmd, args, flags)
			}
			if err := cmp.Or(exclusive(cmd, "cache", "no-cache"), exclusive(cmd, "update", "shard"), flags.crew.fits(cmd)); err != nil {
				return err
			}
			if len(args) > 1 {
				return errUsage(cmd, fmt.Sprintf("check takes one suite, and not %d: %s", len(args), strings.Join(args, ", ")))
			}
			return s.checkSuite(cmd, args, flags)
		},
	}
	f := cmd.Flags()
	f.DurationVar(&flags.budget, "budget", 0, "the `time` for the whole suite, shared fairly (0: no limit)")
	f.DurationVar(&flags.timeout, "timeout", 0, "the `time` for each case that states none (0: no limit)")
	addMemory(f, ", all cases together")
	f.StringVar(&flags.cache, "cache", "", "the `directory` of answers that are reused; without it the user's cache")
	f.BoolVar(&flags.noCache, "no-cache", false, "reuse nothing")
	f.StringVar(&flags.shard, "shard", "", "run only part `i/n` of the suite")
	f.StringVar(&flags.solver, "solver", "", "the `command` of a SAT solver that decides about the protocols")
	f.BoolVar(&flags.merge, "merge", false, "join the reports of all parts (--output json) in place of running a suite")
	f.BoolVar(&flags.update, "update", false, "write the verdicts that are found into the suite, as what is expected")
	f.StringVar(&flags.reported, "report", "", "write an HTML page with the table, and a page of each case, to `file`")
	flags.crew.add(f)
	s.addProgress(f)
	flags.output.add(f, "text", "json", "junit", "sarif", "markdown")
	return cmd
}

// checkSuite runs a suite.
func (s *session) checkSuite(cmd *cobra.Command, args []string, flags checkFlags) error {
	cases, err := readSuite(args)
	if errors.Is(err, fs.ErrNotExist) || err != nil && len(args) > 0 && filepath.Ext(args[0]) == ".ded" {
		return otherwise(cmd, args, err)
	}
	if err != nil {
		return err
	}
	if flags.timeout > 0 && !slices.ContainsFunc(cases.Cases, func(c suite.Case) bool { return c.Timeout == 0 }) {
		return errUsage(cmd, "--timeout is for cases that state none, and every case of this suite has its own; use --budget, or change those")
	}
	if flags.solver != "" && !slices.ContainsFunc(cases.Cases, func(c suite.Case) bool { return c.Subject.AsProtocol() != nil }) {
		return errUsage(cmd, "--solver is for protocols, and every case of this suite is a system: leave it out")
	}
	if err := checkWritten(cases.Inputs(), flags.reported); err != nil {
		return err
	}
	pages := &casePages{command: s.plainCommand()}
	options := suite.Options{Solver: flags.solver, Budget: flags.budget, Timeout: flags.timeout, Unkept: flags.update, Stderr: s.err}
	if flags.reported != "" {
		options.Judged = pages.add
	}
	if flags.shard != "" {
		if options.Shard, err = suite.ParseShard(flags.shard); err != nil {
			return fmt.Errorf("--shard: %w", err)
		}
	}
	if !flags.noCache {
		if options.Cache, err = openCache(flags.cache); err != nil {
			return err
		}
	}
	s.progress.start(s.stderr)
	defer s.progress.stop()
	ctx, leave, err := s.hire(cmd.Context(), cmd, &flags.crew)
	if err != nil {
		return err
	}
	defer leave()
	options.Progress, options.Hands = s.progress.line, flags.crew.hands()
	report := cases.Run(ctx, options)
	if err := flags.crew.settle(ctx); err != nil {
		return err
	}
	s.progress.stop()
	if flags.update {
		changed, err := cases.Update(report)
		if err != nil {
			return err
		}
		for _, name := range changed {
			fmt.Fprintf(s.err, "updated: %s\n", name)
		}
	}
	return s.writeCheck(report, flags, pages)
}

// readSuite reads the suite that args name, or the one in the working directory.
func readSuite(args []string) (*suite.Suite, error) {
	if len(args) == 0 {
		cases, err := suite.Read(suite.FileName)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New(suite.Missing)
		}
		return cases, err
	}
	if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
		args = []string{filepath.Join(args[0], suite.FileName)}
	}
	return suite.Read(args[0])
}

// mergeReports joins the reports of the parts of a suite.
func (s *session) mergeReports(cmd *cobra.Command, files []string, flags checkFlags) error {
	if len(files) == 0 {
		return errUsage(cmd, "--merge needs the reports of the parts")
	}
	var parts []*suite.Report
	for _, file := range files {
		part, err := readReport(file)
		if err != nil {
			return fmt.Errorf("--merge: %s: %w", file, err)
		}
		parts = append(parts, part)
	}
	whole, err := suite.Merge(parts...)
	if err != nil {
		return fmt.Errorf("--merge: %w", err)
	}
	if err := checkWritten(files, flags.reported); err != nil {
		return err
	}
	pages := &casePages{command: s.plainCommand()}
	for i := range whole.Cases {
		pages.add(cmd.Context(), nil, &whole.Cases[i], nil)
	}
	return s.writeCheck(whole, flags, pages)
}

func readReport(name string) (*suite.Report, error) {
	data, err := files.ReadNamed(name, files.Recording)
	if err != nil {
		return nil, err
	}
	return suite.ReadReport(bytes.NewReader(data))
}

// writeCheck writes a report and sets the exit code.
func (s *session) writeCheck(r *suite.Report, flags checkFlags, pages *casePages) error {
	if err := pages.write(flags.reported, r); err != nil {
		return err
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(s.err, "warning: %s\n", text)
	}
	s.code = checkCodes[r.Worst()]
	return s.writeReport(r, flags.output)
}

// writeReport writes a report in a form.
func (s *session) writeReport(r *suite.Report, form output) error {
	switch form {
	case "json":
		return r.WriteJSON(s.out)
	case "junit":
		return r.WriteJUnit(s.out)
	case "sarif":
		r.Below(workspace())
		return r.WriteSARIF(s.out, version())
	case "markdown":
		return r.WriteMarkdown(s.out)
	}
	if err := r.WriteText(s.out); err != nil {
		return err
	}
	return s.annotate(r)
}

// annotate shows a report on GitHub, if this is a step of GitHub Actions.
func (s *session) annotate(r *suite.Report) error {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	if err := writeStepSummary(r); err != nil {
		fmt.Fprintf(s.err, "warning: %v\n", err)
	}
	r.Below(workspace())
	return r.WriteAnnotations(&s.exact)
}

// workspace is the working directory as seen from the checkout of a step of GitHub Actions, which
// looks for files there; "" if this is none, or is at its root.
func workspace() string {
	root, err := filepath.EvalSymlinks(os.Getenv("GITHUB_WORKSPACE"))
	if err != nil || os.Getenv("GITHUB_ACTIONS") != "true" {
		return ""
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	below, relErr := filepath.Rel(root, here)
	if err != nil || relErr != nil || !filepath.IsLocal(below) || below == "." {
		return ""
	}
	return filepath.ToSlash(below)
}

// writeStepSummary appends the report to the summary of a step of GitHub Actions, if there
// is one.
func writeStepSummary(r *suite.Report) error {
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("writing the summary of the step: %w", err)
	}
	return errors.Join(r.WriteMarkdown(file), file.Close())
}

// checkCodes are the exit codes of the outcomes of a suite.
var checkCodes = map[suite.Outcome]int{
	suite.Pass: exitHolds, suite.Fail: exitViolated, suite.Error: exitUsage, suite.Inconclusive: exitInconclusive,
}
