package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/atomicfile"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// searchFlags say how a system is searched.
type searchFlags struct {
	strategy   string
	executions int
	seed       uint64
}

func (f *searchFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.strategy, "strategy", "", "how to search a system: `"+strategyNames()+"`; without it that follows from what the system offers")
	flags.IntVar(&f.executions, "executions", 10_000, "execute a system at most `n` times")
	flags.Uint64Var(&f.seed, "seed", 0, "the `seed` of what is drawn at random")
	flags.String("restarts", "", "at most `n` crashed processes of a system come back")
	flags.String("pauses", "", "at most `n` times a process of a system stands still for the rest of a phase")
}

func strategyNames() string {
	var names []string
	for _, s := range search.Strategies() {
		names = append(names, s.Name())
	}
	return strings.Join(names, "|")
}

// addRuns adds the flags of a vet.
func (f *searchFlags) addRuns(flags *pflag.FlagSet) {
	flags.IntVar(&f.executions, "executions", 200, "execute a system under `n` random schedules")
	flags.Uint64Var(&f.seed, "seed", 0, "the `seed` of what is drawn at random")
}

// runSystem searches the system of a host.
func (s *session) runSystem(ctx context.Context, cmd *cobra.Command, host *host, flags *searchFlags, facts string, output output) error {
	if flags.executions < 1 {
		return fmt.Errorf("--executions %d: a number above 0 is needed", flags.executions)
	}
	asked := host.subject(cmd, s)
	h, err := subject.StartHost(ctx, asked)
	if err != nil {
		return err
	}
	defer h.Close()
	target, err := h.Target()
	if err != nil {
		return err
	}
	progress := startProgress(s.err)
	answer, err := h.Search(ctx, flags.strategy, target, search.Options{
		Seed: flags.seed, Executions: flags.executions,
		Progress: func(p search.Progress) { progress.line(fmt.Sprintf("%d executions, %s", p.Executions, p.Text)) },
	})
	progress.stop()
	if err != nil {
		return err
	}
	report := systemReport{Answer: answer, bounds: target.Bounds, again: asked.InjectCommand}
	s.code = report.exitCode()
	if c := answer.First(); facts != "" && c != nil {
		if err := atomicfile.Write(facts, c.Execution.WriteMangle); err != nil {
			return err
		}
	}
	if output == "json" {
		return report.writeJSON(s.out)
	}
	return report.writeText(s.out)
}

type injectFlags struct {
	faults, facts string
	output        output
}

// injectSystem executes one schedule of the system of a host.
func (s *session) injectSystem(ctx context.Context, cmd *cobra.Command, host *host, flags injectFlags) error {
	h, err := subject.StartHost(ctx, host.subject(cmd, s))
	if err != nil {
		return err
	}
	defer h.Close()
	target, err := h.Target()
	if err != nil {
		return err
	}
	schedule, err := faultsFor(h, flags.faults, target.Bounds.EOT)
	if err != nil {
		return err
	}
	e, violations, err := h.Execute(ctx, schedule, target.Bounds.EOT, wire.Always)
	if err != nil {
		return err
	}
	if len(violations) > 0 {
		s.code = exitViolated
	}
	if flags.facts != "" {
		if err := atomicfile.Write(flags.facts, e.WriteMangle); err != nil {
			return err
		}
	}
	switch flags.output {
	case "json":
		return writeExecutionJSON(s.out, e, violations)
	case "mangle":
		return e.WriteMangle(s.out)
	}
	return writeExecution(s.out, e, violations)
}

// vetSystem runs the self-tests of the system of a host.
func (s *session) vetSystem(ctx context.Context, cmd *cobra.Command, host *host, flags *searchFlags) error {
	h, err := subject.StartHost(ctx, host.subject(cmd, s))
	if err != nil {
		return err
	}
	defer h.Close()
	findings, err := h.Vet(ctx, flags.executions, flags.seed)
	if err != nil {
		return err
	}
	for _, text := range findings {
		fmt.Fprintln(s.out, text)
		s.code = exitViolated
	}
	return nil
}
