package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/spf13/cobra"
)

// clusterCommands are the commands of ldfi-cluster, a program of its own: ldfi links none
// of their packages.
var clusterCommands = []struct{ name, short, long string }{
	{"serve", "Serve work to workers on other machines",
		`serve runs a server through which run, check and bisect hand out work (--workers URL) to ldfi worker.
It listens on the loopback, and accepts only who has its key or a certificate.`},
	{"worker", "Work for ldfi on other machines",
		`worker takes work from a server (ldfi serve, or NATS with JetStream), as much at a time as this machine has cores.
With --allow-hosts whoever can connect to the server runs programs as this user.`},
	{"workers", "List the workers of a server",
		`workers asks a server who works there, what each does, and what failed.`},
}

// clusterCommand returns a command that ldfi-cluster carries out.
func clusterCommand(name string) func(*session) *cobra.Command {
	i := slices.IndexFunc(clusterCommands, func(c struct{ name, short, long string }) bool { return c.name == name })
	c := clusterCommands[i]
	return func(*session) *cobra.Command {
		return &cobra.Command{
			Use:   name + " [ARGUMENT]...",
			Short: c.short,
			Long: c.long + `

It belongs to ldfi-cluster, a program of its own that shows its flags once it is installed:

  go install github.com/lineage-driven/ldfi/cmd/ldfi-cluster@latest

Exit codes: those of ldfi-cluster; 2 if it is not installed.`,
			Example:            "  ldfi " + name + " --help",
			DisableFlagParsing: true,
			RunE: func(cmd *cobra.Command, args []string) error {
				program, err := work.Find()
				if err != nil {
					if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
						return cmd.Help()
					}
					return fmt.Errorf("%s: %w", cmd.CommandPath(), err)
				}
				own, err := os.Executable()
				if err != nil {
					return fmt.Errorf("naming this program: %w", err)
				}
				return become(program, slices.Concat([]string{program, name}, args), append(os.Environ(), "LDFI="+own))
			},
		}
	}
}
