package main

import (
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/carrier"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/spf13/cobra"
)

func (s streams) carryCommand() *cobra.Command {
	var server connection.Options
	cmd := &cobra.Command{
		Use:   "carry",
		Short: "Carry units for ldfi, which starts this itself",
		Long: `carry is what ldfi run, check and bisect start with --workers URL. It reads orders on standard input, and writes reports
on standard output, each a line of JSON. When standard input ends, or with Ctrl-C, it takes back what nobody has finished:
nothing goes on for whoever asked.

Exit codes: 0 there are no more orders, 2 wrong usage, or nothing can be handed out.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server.FromEnvironment()
			return carrier.Carry(cmd.Context(), server, s.in, s.out)
		},
	}
	connectionFlags(cmd, &server)
	return cmd
}
