package solver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ProgramCertificate makes a program decide one formula and write a proof, if the formula
// is unsatisfiable. The name of the proof file is one more argument of the program, after
// the formula, as for cadical and kissat. Formula and proof are kept if requested.
type ProgramCertificate struct {
	Proof   string // the file that the proof is kept in
	Formula string // that of the formula, beside it

	solver *Program
	dir    string // with both until they are kept, beside them; "": there are none
}

// formulaName and proofName are the files before they are kept.
const formulaName, proofName = "formula.cnf", "proof.drat"

// Certify returns a certificate that writes a proof to the file proof, and the formula to a
// file beside it, with the same name except for its extension.
func (s *Program) Certify(proof string) (*ProgramCertificate, error) {
	formula := strings.TrimSuffix(proof, filepath.Ext(proof)) + ".cnf"
	if formula == proof {
		return nil, fmt.Errorf("%s is where the formula goes that is proved: name a file with another ending, such as .drat", proof)
	}
	for _, name := range []string{proof, formula} {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no regular file: name one, or one that is not there yet", name)
		}
	}
	return &ProgramCertificate{Proof: proof, Formula: formula, solver: s}, nil
}

// Decide decides the formula f, and saves the proof if f cannot be satisfied.
func (c *ProgramCertificate) Decide(ctx context.Context, f *Formula) (Status, Model, error) {
	c.Close()
	dir, err := os.MkdirTemp(filepath.Dir(c.Proof), ".ldfi-certificate-")
	if err != nil {
		return Unknown, nil, fmt.Errorf("writing %s: %w", c.Proof, err)
	}
	c.dir = dir
	formula, proof := filepath.Join(dir, formulaName), filepath.Join(dir, proofName)
	if err := write(formula, f); err != nil {
		return Unknown, nil, err
	}
	status, model, err := c.solver.run(ctx, f.Variables(), formula, proof)
	if _, missing := os.Stat(proof); status == Unsat && missing != nil {
		return Unknown, nil, c.solver.failed(errors.New("wrote no proof: it has to write one into the file behind that of the formula, as cadical and kissat do"))
	}
	return status, model, err
}

// Keep writes the formula and its proof. Where there is a proof, its formula is there:
// an older proof goes first, and the new one comes last.
func (c *ProgramCertificate) Keep() error {
	if c.dir == "" {
		return errors.New("there is no proof to be kept")
	}
	if isFile(c.Proof) {
		if err := os.Remove(c.Proof); err != nil {
			return err
		}
	}
	if err := os.Rename(filepath.Join(c.dir, formulaName), c.Formula); err != nil {
		return err
	}
	return os.Rename(filepath.Join(c.dir, proofName), c.Proof)
}

// Remove removes a proof that was written earlier, with its formula, and returns the
// names of the removed files.
func (c *ProgramCertificate) Remove() (removed []string, err error) {
	if !isFile(c.Proof) {
		return nil, nil
	}
	for _, name := range []string{c.Proof, c.Formula} {
		if isFile(name) && err == nil {
			removed, err = append(removed, name), os.Remove(name)
		}
	}
	return removed, err
}

func isFile(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}

// Close removes the temporary files. Those that Keep wrote stay.
func (c *ProgramCertificate) Close() {
	if c.dir != "" {
		os.RemoveAll(c.dir)
		c.dir = ""
	}
}
