package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/shellwords"
	"github.com/spf13/cobra"
)

// starters are the files that init writes.
var starters = []struct{ from, to, what string }{
	{"init/broadcast.ded", "broadcast.ded", "a protocol, with its promise"},
	{"init/ldfi.yaml", "ldfi.yaml", "a suite: what is expected of it"},
	{"init/ldfi.yml", ".github/workflows/ldfi.yml", "a workflow that checks the suite with every push"},
}

//go:embed init
var starterFiles embed.FS

func (s *session) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a first protocol, a suite and a workflow",
		Long: `init writes a first protocol, a suite for ldfi check, and a workflow for GitHub Actions into a directory, the current
one if none is given. The workflow has its effect in the root of a repository. Files that exist are never changed.

Exit codes: 0 done, 2 one of the files exists, or cannot be written.`,
		Example: `  ldfi init
  ldfi init protocols/first`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := ""
			if len(args) > 0 {
				dir = args[0]
			}
			return s.writeStarters(dir)
		},
	}
}

// writeStarters writes the files, or none if one of them exists or a directory
// cannot be made.
func (s *session) writeStarters(dir string) error {
	for _, f := range starters {
		file := filepath.Join(dir, f.to)
		if _, err := os.Lstat(file); err == nil {
			return fmt.Errorf("%s exists, and init changes no file; name another directory: ldfi init DIR", file)
		}
	}
	for _, f := range starters {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, f.to)), 0o777); err != nil {
			return fmt.Errorf("making a directory for %s: %w; name another directory: ldfi init DIR", f.to, err)
		}
	}
	for _, f := range starters {
		text, err := starterFiles.ReadFile(f.from)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, f.to)
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "wrote %-28s %s\n", f.to, f.what)
	}
	fmt.Fprint(s.out, "\nnext:\n")
	if dir != "" {
		fmt.Fprintf(s.out, "  cd %s\n", shellwords.Quote(dir))
	}
	fmt.Fprint(s.out, "  ldfi run broadcast.ded    what breaks the promise, and why\n  ldfi check                whether all is as the suite expects\n")
	return nil
}
