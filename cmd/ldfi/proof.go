package main

import (
	"cmp"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addProof adds the flag for a proof.
func (q *question) addProof(flags *pflag.FlagSet) {
	flags.StringVar(&q.proof, "proof", "", "after holds, let --solver write a proof (DRAT) to `file`, the formula beside it")
}

// certify prepares the proof for --proof.
func (q *question) certify(cmd *cobra.Command) error {
	switch {
	case q.strategy != "":
		return cmp.Or(refuse(cmd, "does not go with --strategy lineage, whose questions rest on what executions showed: leave out one of them", "solver"),
			refuse(cmd, "does not go with --strategy lineage: leave out one of them", "proof"))
	case q.proof == "":
		return nil
	case q.solver == "":
		return errUsage(cmd, "--proof needs --solver, which writes it: --solver 'cadical -q' --proof "+q.proof)
	}
	by, err := solver.NewProgram(q.solver)
	if err == nil {
		q.certificate, err = by.Certify(q.proof)
	}
	if err != nil {
		return fmt.Errorf("--proof: %w", err)
	}
	return nil
}

// proved keeps the proof of a certificate, and reports the file. For another verdict it
// removes an earlier proof, which would be taken for a new one.
func (s *session) proved(q *question, a *result.Answer) error {
	c := q.certificate
	if c == nil {
		return nil
	}
	if a.Verdict == result.Holds {
		a.Proof = &result.Proof{File: c.Proof, Formula: c.Formula, Solver: q.solver}
		return c.Keep()
	}
	removed, err := c.Remove()
	if err != nil {
		return fmt.Errorf("--proof: %w", err)
	}
	written := fmt.Sprintf("note: the verdict is %s, and only holds has a proof: %s is not written", a.Verdict, c.Proof)
	if len(removed) > 0 {
		written += "; " + text.List(removed, "and") + " of an earlier run are removed"
	}
	s.progress.stop()
	fmt.Fprintln(s.err, written)
	return nil
}
