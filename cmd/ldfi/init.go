package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/text"
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
		Long: `init writes a first protocol, a suite for ldfi check and a workflow for GitHub Actions into a directory.
It changes no file that exists. The workflow works from the root of a repository.

Exit codes: 0 done, 2 a file cannot be written.`,
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

// writeStarters writes the files that are not there yet, or none if a directory cannot
// be made.
func (s *session) writeStarters(dir string) error {
	there := map[string]bool{}
	for _, f := range starters {
		_, err := os.Lstat(filepath.Join(dir, f.to))
		there[f.to] = err == nil
	}
	for _, f := range starters {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, f.to)), 0o777); err != nil {
			return fmt.Errorf("making a directory for %s: %w; name another directory: ldfi init DIR", f.to, err)
		}
	}
	for _, f := range starters {
		if there[f.to] {
			fmt.Fprintf(s.out, "kept  %-28s it exists\n", f.to)
			continue
		}
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
	if there["ldfi.yaml"] && !there["broadcast.ded"] {
		fmt.Fprint(s.out, "\nldfi.yaml is yours: a case for broadcast.ded in it is\n\n  - {files: broadcast.ded, expect: violated, faults: 2}\n")
	}
	fmt.Fprint(s.out, "\nnext:\n")
	if dir != "" {
		fmt.Fprintf(s.out, "  cd %s\n", text.ShellQuote(dir))
	}
	fmt.Fprint(s.out, "  ldfi run broadcast.ded    what breaks the promise, and why\n  ldfi check                whether all is as the suite expects\n")
	return nil
}
