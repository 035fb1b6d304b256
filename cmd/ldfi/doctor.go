package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/spf13/cobra"
)

func (s *session) doctorCommand() *cobra.Command {
	var quick bool
	var server string
	var output output
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that goroutines repeat exactly here",
		Long: `doctor checks the Go of this directory: whether ldfi has edits for its standard library, and what is in the way.
Then it executes a program in several processes, and compares. The first time it builds the standard library:
about 20 s of CPU.

With --server it lists what the sources of a server need and nodes lack, and whether they compile. It builds no node.

Exit codes: 0 exactly repeatable (with --server: it can be a node), 1 not, 3 the time is up.`,
		Example: `  ldfi doctor
  ldfi doctor --server ./kvd`,
		Args: func(cmd *cobra.Command, words []string) error {
			if server != "" {
				if err := refuse(cmd, "does not go with --server, which only looks at sources", "quick"); err != nil {
					return err
				}
			}
			return cobra.NoArgs(cmd, words)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			diagnose := func() (*gobuild.Diagnosis, error) { return gobuild.Diagnose(cmd.Context(), "", !quick) }
			if server != "" {
				diagnose = func() (*gobuild.Diagnosis, error) { return gobuild.DiagnoseServer(cmd.Context(), "", server) }
			}
			d, err := diagnose()
			if err != nil {
				return err
			}
			if !d.Exact {
				s.code = exitViolated
			}
			if output == "json" {
				return text.WriteJSON(s.out, d)
			}
			writeDiagnosis(s.out, d, server)
			return nil
		},
	}
	cmd.Flags().BoolVar(&quick, "quick", false, "look only, and build and execute nothing")
	cmd.Flags().StringVar(&server, "server", "", "say whether a Go `package` can be a node, and what of it nodes do not have")
	output.add(cmd.Flags(), "text", "json")
	return cmd
}

func writeDiagnosis(w io.Writer, d *gobuild.Diagnosis, server string) {
	for _, c := range d.Checks {
		mark := "ok"
		if !c.OK {
			mark = "NO"
		}
		fmt.Fprintf(w, "%-2s  %-11s  %s\n", mark, c.Name, strings.ReplaceAll(c.Text, "\n", "\n    "))
		if c.Advice != "" {
			fmt.Fprintf(w, "    so %s\n", c.Advice)
		}
	}
	switch {
	case server != "" && d.Exact:
		fmt.Fprintf(w, "\n%s can be built as a node.\n", server)
	case server != "":
		fmt.Fprintf(w, "\n%s cannot be built as a node.\n", server)
	case !d.Exact:
		fmt.Fprintln(w, "\nExecutions of goroutines work here, but two executions of one schedule may differ. ldfi executes a finding 20 times and\n"+
			"says how often it breaks. These need the overlay: net.Listen and net.Dial in unchanged code, panics of goroutines as\n"+
			"findings, and goroutines that wait for a mutex while time goes on.")
	case d.Tried:
		fmt.Fprintln(w, "\nExecutions of goroutines are exactly repeatable here.")
	default:
		fmt.Fprintln(w, "\nNothing is in the way of exactly repeatable executions; ldfi doctor without --quick tries it.")
	}
}
