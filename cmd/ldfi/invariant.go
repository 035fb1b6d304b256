package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// invariantFiles are the files of a proof for any number of rounds.
type invariantFiles struct {
	file  string              // with the circuit; "": none are wanted
	found *solver.Certificate // nil: there is no proof
}

// add adds the flag.
func (f *invariantFiles) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "certificate", "", "write the proof for any number of rounds to `file`.aig, with more beside it")
}

// check refuses a name that says no form of AIGER.
func (f *invariantFiles) check(cmd *cobra.Command) error {
	if ending := filepath.Ext(f.file); f.file == "" || ending == ".aig" || ending == ".aag" {
		return nil
	}
	return errUsage(cmd, "--certificate writes AIGER: name a file that ends in .aig, or in .aag for the form that people read, and not "+f.file)
}

// fits refuses to write a proof that is none for any number of rounds.
func (f *invariantFiles) fits(cmd *cobra.Command, anyRounds bool) error {
	if f.file != "" && !anyRounds {
		return errUsage(cmd, "--certificate needs --any-rounds or --within, whose proof it writes; within bounds that is --proof")
	}
	return nil
}

// files are the names of the circuit, of the witness and of the formula.
func (f *invariantFiles) files() []string {
	if f.file == "" {
		return nil
	}
	ending := filepath.Ext(f.file)
	stem := strings.TrimSuffix(f.file, ending)
	return []string{f.file, stem + ".witness" + ending, stem + ".cnf"}
}

// certified writes the proof of a certificate, or that of violation alone. For another verdict it removes an
// earlier proof, which would be taken for a new one.
func (s *session) certified(f *invariantFiles, a *result.Answer) error {
	names, verdict, about := f.files(), a.Verdict, a.Rounds
	if a.Safety != nil {
		verdict, about = a.Safety.Verdict, &a.Safety.Rounds
	}
	switch {
	case names == nil:
		return nil
	case verdict != result.Holds || f.found == nil:
		return s.notCertified(a, names)
	}
	about.Certificate = &result.ProofFiles{Model: names[0], Witness: names[1], Formula: names[2]}
	binary, of := filepath.Ext(f.file) == ".aig", filepath.Base(f.file)
	var model bytes.Buffer
	if err := f.found.Model(&model, binary); err != nil {
		return err
	}
	err := replaceAll(names, []func(io.Writer) error{
		func(w io.Writer) error { _, err := w.Write(model.Bytes()); return err },
		func(w io.Writer) error { return f.found.Witness(w, binary, of, model.Bytes()) },
		func(w io.Writer) error { return f.found.Formula(w, of, model.Bytes()) },
	})
	if err != nil {
		return fmt.Errorf("--certificate: %w", err)
	}
	return nil
}

// replaceAll writes all files before it replaces the first: an error leaves the old ones.
func replaceAll(names []string, write []func(io.Writer) error) error {
	if len(names) == 0 {
		return nil
	}
	return files.Replace(names[0], func(w io.Writer) error {
		if err := write[0](w); err != nil {
			return err
		}
		return replaceAll(names[1:], write[1:])
	})
}

// notCertified says that there is no proof, and removes the files of an earlier one.
func (s *session) notCertified(a *result.Answer, names []string) error {
	written := fmt.Sprintf("note: the verdict is %s, and only holds has a proof: %s is not written", a.Verdict, names[0])
	var removed []string
	for _, name := range names {
		switch info, err := os.Lstat(name); {
		case name != names[0] && len(removed) == 0: // without a circuit they belong to something else
		case err != nil || !info.Mode().IsRegular():
		default:
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("--certificate: %w", err)
			}
			removed = append(removed, name)
		}
	}
	if len(removed) > 0 {
		written += "; " + text.List(removed, "and") + " of an earlier run are removed"
	}
	s.progress.stop()
	fmt.Fprintln(s.err, written)
	return nil
}
