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
		Short: "Make executions of goroutines exactly repeatable in go test",
		Long: `overlay prints the flag of the go command with which the goroutines of a server (rounds/virtual) do exactly the same
in every execution of a schedule:

  go test $(ldfi overlay) ./...

It edits a few files of the standard library of the Go that is used in this directory (go.mod and GOTOOLCHAIN may select one), for
builds with this flag only, and keeps them in the cache of the user. The first build with it compiles the standard library, which
takes about 20 s of CPU. A Go whose files are not those that the edits are made for is refused: ldfi has them for Go 1.26 and 1.27.

run, check, bisect and all others that take --system do this by themselves where the command is go run or go test, and its program
has servers with goroutines in it.

A Go that GOTOOLCHAIN has downloaded needs more than a flag, and paths with spaces do not survive $(...). For these, and for a whole
shell, --env prints what a shell reads; GOFLAGS keeps what it has:

  eval "$(ldfi overlay --env)"
  go test ./...

ldfi doctor tries it.`,
		Example: `  go test $(ldfi overlay) ./...
  eval "$(ldfi overlay --env)"`,
		Args: cobra.NoArgs,
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
