package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/spf13/cobra"
)

func (s *session) overlayCommand() *cobra.Command {
	var env bool
	cmd := &cobra.Command{
		Use:   "overlay",
		Short: "Make goroutines repeat exactly in go test",
		Long: `overlay prints the flag of the go command with which goroutines of a server do the same in every execution.

  go test $(ldfi overlay) ./...

It edits a few files of the standard library, for builds with this flag only. The first build compiles the standard
library, which takes about 20 s of CPU. ldfi has edits for Go 1.26 and 1.27, and refuses others.

ldfi test, and commands with --system or --server, do this by themselves. Where GOTOOLCHAIN downloads a Go, or a path
has spaces, use --env.

Exit codes: 0 printed, 2 wrong usage or input.`,
		Example: `  eval "$(ldfi overlay --env)"`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			g, err := gobuild.Installed(cmd.Context(), "go", "", nil)
			if err != nil {
				return err
			}
			ready, err := g.Prepare()
			if err != nil {
				return err
			}
			if env {
				s.exact.WriteString(forShell(ready))
				return nil
			}
			if err := asFlag(ready); err != nil {
				return err
			}
			s.exact.WriteString(ready.Flag() + "\n")
			return nil
		},
	}
	cmd.Flags().BoolVar(&env, "env", false, "print the variables of the environment for a shell, in place of the flag")
	return cmd
}

// asFlag refuses paths that a flag between $( and ) cannot express.
func asFlag(ready gobuild.Ready) error {
	const instead = "; use\n  eval \"$(ldfi overlay --env)\"\nand go test without it"
	switch {
	case len(ready.Environ) > 0:
		return fmt.Errorf("%s lies below the module cache, where go lets no flag replace a file%s", ready.Go.Version, instead)
	case strings.ContainsAny(ready.List, " \t\n*?["):
		return errors.New("a shell would take " + ready.List + " apart" + instead)
	}
	return nil
}

// forShell is the environment as a shell reads it.
func forShell(ready gobuild.Ready) string {
	var b strings.Builder
	if len(ready.Environ) > 0 {
		fmt.Fprintf(&b, "export GOROOT=%s GOTOOLCHAIN=local\n", text.ShellJoin(ready.Go.Root))
		fmt.Fprintf(&b, "export PATH=%s%c\"$PATH\"\n", text.ShellJoin(filepath.Join(ready.Go.Root, "bin")), os.PathListSeparator)
	}
	fmt.Fprintf(&b, "export GOFLAGS=%s\n", text.ShellJoin(ready.Flags()))
	return b.String()
}
