package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/spf13/cobra"
)

func (s *session) fmtCommand() *cobra.Command {
	var write, list bool
	cmd := &cobra.Command{
		Use:   "fmt [FILE...]",
		Short: "Write programs in one standard form",
		Long: `fmt writes programs in one standard form, and keeps comments. Without a file it reads standard input.
It prints names and strings as they are, while other commands print control characters as \x1b.

Exit codes: 0 done, 1 something differs (-l), 2 a program cannot be read.`,
		Example: `  ldfi fmt -w protocol.ded
  ldfi fmt -l *.ded`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if len(names) == 0 {
				if err := refuse(cmd, "needs files; standard input is written to standard output", "write", "list"); err != nil {
					return err
				}
				text, err := files.ReadAll(s.in, "standard input", files.Text)
				if err != nil {
					return err
				}
				return s.format("stdin", text, false, false)
			}
			for _, file := range names {
				if write {
					files.RemoveTemporary(filepath.Dir(file))
				}
				text, err := files.ReadNamed(file, files.Text)
				if err != nil {
					return err
				}
				if err := s.format(file, text, write, list); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the result to the file instead of standard output")
	cmd.Flags().BoolVarP(&list, "list", "l", false, "list the files that differ instead of writing them out")
	return cmd
}

func (s *session) format(file string, text []byte, write, list bool) error {
	formatted, err := dedalus.Format(file, text)
	if err != nil {
		return err
	}
	differs := !bytes.Equal(text, formatted)
	if list && differs {
		fmt.Fprintln(s.out, file)
		s.code = exitViolated
	}
	switch {
	case write && differs:
		return files.Replace(file, func(w io.Writer) error {
			_, err := w.Write(formatted)
			return err
		})
	case !write && !list:
		return s.printExact(file, formatted)
	}
	return nil
}

// printExact prints a program as it is, unlike all other text. In the log of GitHub
// Actions that could be a command.
func (s *session) printExact(file string, program []byte) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" && text.Commands(string(program)) {
		return fmt.Errorf("%s: GitHub Actions would take lines of the program for commands to the log, those with \"##[\" or with \"::\" first: use -w or -l", file)
	}
	_, err := s.exact.Write(program)
	return err
}
