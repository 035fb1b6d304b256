package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/lineage-driven/ldfi/internal/assistant"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/spf13/cobra"
)

func (s *session) mcpCommand() *cobra.Command {
	var d toolServer
	var hosts bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer assistants, over the Model Context Protocol",
		Long: `mcp serves run, why, whatif, hypotheses, inject, diff and query as tools of the Model Context Protocol, on standard
input and output.

Assistants in editors start it, from a setting such as

  {"mcpServers": {"ldfi": {"command": "ldfi", "args": ["mcp"], "cwd": "/path/to/project"}}}

It reads files of its directory alone, and writes none. It starts systems only with --allow-hosts, and only those
that ldfi.yaml names. It ends with its standard input.

Exit codes: 0 ended, 2 wrong usage or input.`,
		Example: `  ldfi mcp --timeout 10s
  ldfi mcp --allow-hosts`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := files.OpenDir(".")
			if err != nil {
				return fmt.Errorf("opening the directory: %w", err)
			}
			defer dir.Close()
			d.dir, d.log = dir, subprocess.NewLockedWriter(s.stderr)
			if hosts {
				if d.hosts, err = hostsOf(dir); err != nil {
					return err
				}
			}
			broken := make(chan os.Signal, 1) // the client may go away: then writing fails
			signal.Notify(broken, syscall.SIGPIPE)
			defer signal.Stop(broken)
			d.memory, d.atOnce = *cmd.Flags().Lookup("memory").Value.(*limits.MemorySize), runtime.GOMAXPROCS(0)
			server := assistant.Server{
				Name: "ldfi", Title: "Lineage-driven fault injection", Version: version(),
				Instructions: instructions, Tools: d.tools(), AtOnce: d.atOnce,
			}
			return server.Serve(cmd.Context(), s.in, s.stdout)
		},
	}
	cmd.Flags().DurationVar(&d.timeout, "timeout", time.Minute, "stop each answer after this `time`; a call can ask for less")
	cmd.Flags().IntVar(&d.maxFacts, "max-facts", limits.DefaultMaxFacts, "stop at more than `n` possible facts")
	cmd.Flags().IntVar(&d.maxGates, "max-gates", limits.DefaultMaxGates, "stop at more than `n` gates")
	addMemory(cmd.Flags(), ", all answers together")
	cmd.Flags().BoolVar(&hosts, "allow-hosts", false, "start the systems of cases of ldfi.yaml, by the commands that it has now")
	return cmd
}

// hostsOf returns the commands of the suite of a directory that start hosts.
func hostsOf(dir fs.FS) (map[string]bool, error) {
	all, err := suite.ReadFS(dir, suite.FileName)
	if err != nil {
		return nil, fmt.Errorf("--allow-hosts starts the systems of cases: %w", err)
	}
	commands := map[string]bool{}
	for _, c := range all.Cases {
		if s := c.Subject.AsSystem(); s != nil {
			commands[s.Command] = true
		}
	}
	return commands, nil
}
