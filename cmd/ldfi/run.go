package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/lineage-driven/ldfi/internal/advise"
	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runFlags are the flags of run: a question, and the uses of its answer.
type runFlags struct {
	question
	output          output
	drawing         drawing
	known           []string // files with schedules of known violations
	margin, repairs bool
	facts, report   string // files that are written
}

// runCommand returns the command run. Before it runs root lets [fitting] check its flags,
// and [session.ending] limits its time and its memory, as for all commands.
func (s *session) runCommand() *cobra.Command {
	r := &runFlags{question: question{parts: true}}
	cmd := &cobra.Command{
		Use:   "run FILE...",
		Short: "Decide whether faults within the bounds break the promise",
		Long: `run searches all schedules of faults within the bounds. It prints a smallest set of faults that breaks the
promise, which it has executed, or says that there is none. Several files are one program.
A directory with a suite is for ldfi check.

With --system it searches a system in Go (docs/guide/systems.md). With --server, or a file
such as cluster.yaml, it searches servers as they are (docs/guide/servers.md).
Without bounds on faults it takes those of the system, or at most two isolations in four phases.

Exit codes: 0 holds, 1 violated, 2 wrong usage or input, 3 inconclusive.`,
		Example: `  ldfi run retry.ded
  ldfi run retry.ded --bounds 'crashes=0 omissions=2' --output json
  ldfi run --system 'go run ./host' --name election
  ldfi run --server ./kvd --client './load {peers:8080}' --crashes 1 -- -others {others:8080}`,
		Args: r.needSubject,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := r.check(cmd); err != nil {
				return err
			}
			return s.ask(cmd, &r.question, files, func(ctx context.Context, o *subject.Opened) error {
				if c := r.certificate; c != nil {
					defer c.Close()
				}
				if err := cmp.Or(r.fits(o), r.invariant.fits(cmd, r.anyRounds || o.Bounds().Within != "")); err != nil {
					return err
				}
				answer, o, err := s.decide(ctx, r, o)
				if err != nil {
					return err
				}
				return s.writeAnswer(cmd.Context(), r, o, answer)
			})
		},
	}
	r.add(s, cmd.Flags())
	return cmd
}

// add adds the flags.
func (r *runFlags) add(s *session, flags *pflag.FlagSet) {
	r.addProtocol(flags)
	r.addMax(flags, 1, "report up to `n` fault sets, the smallest first")
	r.addSystem(flags)
	r.addSearch(flags)
	r.addGuide(flags)
	r.addHold(flags)
	r.addSolver(flags)
	r.addProof(flags)
	s.addProgress(flags)
	flags.Lookup("strategy").Usage = "search by this `strategy` (docs/guide/strategies.md); a program only by lineage"
	flags.BoolVar(&r.trace, "trace", false, "show the turns of a search by lineage (JSON lines with --output json)")
	r.addCrew(flags)
	r.addStatistics(flags, "; of a system also quorums and messages")
	flags.BoolVar(&r.margin, "margin", false, "after holds, ask just beyond the bounds: one more fault, one more round")
	r.addAnyRounds(flags)
	r.invariant.add(flags)
	flags.Var((*sizesFlag)(&r.sizes), "sizes", "with --any-rounds, prove the promise with `n..m` processes")
	flags.BoolVar(&r.repairs, "repairs", false, "after violated, suggest rules that help, each decided within the same bounds")
	flags.StringArrayVar(&r.known, "known", nil, "of a system: go past what the schedule in this `file` violates (repeatable)")
	flags.StringVar(&r.facts, "facts", "", "write the execution that is shown as Mangle facts to `file`")
	addReport(flags, &r.report)
	r.drawing.add(flags)
	r.output.add(flags, "text", "json")
}

// check refuses flags that do not go together.
func (r *runFlags) check(cmd *cobra.Command) error {
	lineage := r.system == "" && r.strategy != ""
	if lineage {
		if err := refuse(cmd, "does not go with --strategy lineage: the loop ends with the first fault set", "max"); err != nil {
			return err
		}
	}
	if err := r.holds(cmd); err != nil {
		return err
	}
	if r.guide != "" && r.system == "" {
		if err := refuse(cmd, "does not go with --guide, which is followed in executions of all schedules within the bounds of a program", "any-rounds", "sizes", "strategy", "solver", "proof", "margin", "repairs", "certificate", "within"); err != nil {
			return err
		}
	}
	if len(r.sizes) > 0 && !r.anyRounds {
		return refuse(cmd, "goes with --any-rounds: a proof for each number of processes", "sizes")
	}
	if len(r.sizes) > 0 {
		if err := refuse(cmd, "does not go with --sizes, which has several proofs: ask for each with --processes", "certificate"); err != nil {
			return err
		}
	}
	if err := cmp.Or(r.anyRoundsAlone(cmd, "margin", "strategy", "proof", "solver", "trace", "statistics"), r.invariant.check(cmd)); err != nil {
		return err
	}
	if err := cmp.Or(r.certify(cmd), r.crew.fits(cmd), r.drawing.fits(cmd, r.output)); err != nil || !lineage {
		return err
	}
	return refuse(cmd, "does not go with --strategy lineage: leave out one of them", "margin")
}

// fits refuses flags that do not apply to the program, or would overwrite it.
func (r *runFlags) fits(o *subject.Opened) error {
	if err := cmp.Or(r.drawing.known(o), r.fitsWithin(o.Bounds())); err != nil {
		return err
	}
	written := []string{r.facts, r.report}
	if c := r.certificate; c != nil {
		written = append(written, c.Proof, c.Formula)
	}
	return checkWritten(o.Read(), append(written, r.invariant.files()...)...)
}

// fitsWithin refuses flags that ask about the rounds up to eot, if any number of them is asked about.
func (r *runFlags) fitsWithin(b rounds.Bounds) error {
	if b.Within == "" {
		return nil
	}
	for _, f := range []struct {
		name  string
		given bool
	}{{"margin", r.margin}, {"repairs", r.repairs}, {"strategy", r.strategy != ""}, {"trace", r.trace}, {"statistics", r.statistics}, {"proof", r.proof != ""}, {"solver", r.solver != ""}} {
		if f.given {
			return fmt.Errorf("--%s does not go with within=%s, which has a proof of its own for any number of rounds: leave it out, or give --within none", f.name, b.Within)
		}
	}
	return nil
}

// decide returns the answer, with all that the flags ask about it, and the question that explains it.
func (s *session) decide(ctx context.Context, r *runFlags, o *subject.Opened) (*result.Answer, *subject.Opened, error) {
	past, err := pass(ctx, o, r.known)
	if err != nil {
		return nil, nil, err
	}
	beyond := r.beyond(ctx, o)
	a, err := o.Search(ctx)
	rounds, beyondErr := beyond(a)
	if err := cmp.Or(r.crew.lost(), err, beyondErr); err != nil {
		return nil, nil, err
	}
	a.Beyond = rounds
	if p := o.AsProtocol(); p != nil {
		if a.Safety, err = p.Model().Safety(ctx, a); err != nil {
			return nil, nil, err
		}
	}
	if err := s.certified(&r.invariant, a); err != nil {
		return nil, nil, err
	}
	if o, err = o.Bounded(a.Scope.Bounds); err != nil {
		return nil, nil, err
	}
	if a.Search != nil {
		a.Search.Past = append(past, a.Search.Past...)
	}
	if err := s.proved(&r.question, a); err != nil {
		return nil, nil, err
	}
	if r.margin {
		a.Margin = s.margin(ctx, a, o.AsProtocol(), r.timeout)
	}
	if r.repairs {
		if a.Repairs, err = o.AsProtocol().Repairs(ctx, a); err != nil {
			return nil, nil, err
		}
	}
	return a, o, r.crew.settle(ctx)
}

// beyond begins to ask about more rounds than the bounds have, if an answer is about these only.
func (r *runFlags) beyond(ctx context.Context, o *subject.Opened) func(*result.Answer) (*result.Unbounded, error) {
	p := o.AsProtocol()
	if p == nil || r.anyRounds || r.guide != "" || r.strategy != "" || o.Bounds().Within != "" {
		return func(*result.Answer) (*result.Unbounded, error) { return nil, nil }
	}
	return p.Model().Beyond(ctx)
}

// margin asks how far a verdict goes, with patience for each question.
func (s *session) margin(ctx context.Context, a *result.Answer, p *subject.OpenedProtocol, timeout time.Duration) *result.Margin {
	if a.Verdict != result.Holds {
		return &result.Margin{Note: fmt.Sprintf("nothing was asked: the verdict is %s, and only holds has a margin", a.Verdict)}
	}
	return advise.Margin(ctx, p, patiently(timeout, p.SearchWithin), s.progress.line)
}

// writeAnswer writes the answer in all the forms of the flags, and sets the exit code.
func (s *session) writeAnswer(ctx context.Context, r *runFlags, o *subject.Opened, a *result.Answer) error {
	s.code = exitCode(a.Verdict)
	r.costs(&a.Stats)
	if r.facts != "" {
		if err := writeShown(ctx, o, a, r.facts); err != nil {
			return err
		}
	}
	again := subject.Again(o.Subject(), a, o.Subject().InjectCommand)
	page, err := answertext.Answer(a, again, r.drawing.Drawing)
	if err != nil {
		return err
	}
	if err := writeReport(ctx, r.report, s.plainCommand(), o, a, page, report.Words{About: answertext.Size, Replay: again}); err != nil {
		return err
	}
	if r.output == "json" && r.trace {
		return r.turns.writeJSON(s.out, a)
	}
	return s.writeResult(r.output, a, func(w io.Writer) error {
		s.warn(a.Warnings)
		if err := r.turns.writeText(w); err != nil {
			return err
		}
		if first := a.First(); first != nil {
			s.unseen(&r.drawing, first.Execution)
		}
		return page.WriteText(w)
	})
}

// pass executes the schedules in files, so that the search ignores their violations, and
// returns a line for each.
func pass(ctx context.Context, o *subject.Opened, files []string) ([]string, error) {
	var lines []string
	for _, file := range files {
		schedule, err := schedules.ReadKept(file)
		if err == nil {
			err = o.Fits(schedule)
		}
		if err != nil {
			return nil, fmt.Errorf("--known: %w", err)
		}
		in, err := o.Replay(ctx, schedule)
		if err != nil {
			return nil, fmt.Errorf("--known: executing the schedule in %s: %w", file, err)
		}
		if len(in.Violations) == 0 {
			lines = append(lines, fmt.Sprintf("%s violates nothing: take it out of --known", file))
			continue
		}
		o.Subject().AsSystem().GoPast(in)
		lines = append(lines, fmt.Sprintf("%s: %s", file, answertext.Broken(in.Violations)))
	}
	return lines, nil
}

// writeShown writes everything that happens in the execution that is shown: the
// first counterexample, or that without faults.
func writeShown(ctx context.Context, o *subject.Opened, a *result.Answer, file string) error {
	var schedule rounds.Schedule
	if c := a.First(); c != nil && c.Repeats != nil { // another execution may differ
		return writeFacts(file, c.Execution)
	} else if c != nil {
		schedule = c.Schedule
	}
	in, err := o.Replay(ctx, schedule)
	if err != nil {
		return err
	}
	return writeFacts(file, in.Execution)
}

// writeFacts writes the table of an execution into a file.
func writeFacts(file string, e *recording.Execution) error {
	return files.Replace(file, func(w io.Writer) error { return datalog.WriteMangle(w, e) })
}
