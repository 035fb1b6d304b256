package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lsp"
	"github.com/spf13/cobra"
)

func (s *session) lspCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Answer editors, over the Language Server Protocol",
		Long: `lsp is a language server for Dedalus programs, on standard input and output. Editors start it:
docs/guide/editors.md has what it does, and the settings of VS Code, Neovim and Helix.

It reads what the editor has open, saved or not, and else the disk. It writes no file.

Exit codes: 0 ended, 1 the editor ended it without a shutdown, 2 wrong usage or input.`,
		Example: `  ldfi lsp`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server := lsp.Server{Version: version(), Ask: func(ctx context.Context, files fs.FS, line []string) (string, error) {
				return commandText(ctx, files, line)
			}}
			orderly, err := server.Serve(cmd.Context(), s.in, s.stdout)
			if err == nil && !orderly {
				s.code = exitViolated
			}
			return err
		},
	}
}

// editorTime is how long run and why may take for an editor.
const editorTime = time.Minute

// commandText returns what a command about files prints as text.
func commandText(ctx context.Context, files fs.FS, line []string) (string, error) {
	desk := &toolServer{dir: files, log: io.Discard, timeout: editorTime, maxFacts: limits.DefaultMaxFacts, maxGates: limits.DefaultMaxGates, atOnce: 1}
	bounded, err := desk.limits(nil, false)
	if err != nil {
		return "", err
	}
	a := desk.answer(ctx, append(append(line[:1:1], append(bounded, "--output=json")...), line[1:]...))
	if a.Wrong != "" {
		return "", errors.New(a.Wrong)
	}
	return a.Text, nil
}
