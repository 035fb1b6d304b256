package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes manual pages for a release. People read the same with --help.
func (s *session) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write a manual page of each command into a directory",
		Long:    `man writes manual pages, one for each command, into a directory. SOURCE_DATE_EPOCH is their date.`,
		Example: `  ldfi man /usr/local/share/man/man1`,
		Args:    cobra.ExactArgs(1),
		Hidden:  true,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return fmt.Errorf("making the directory of manual pages: %w", err)
			}
			root := new(session).root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "ldfi " + version(), Manual: "ldfi"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("writing manual pages: %w", err)
			}
			return nil
		},
	}
}
