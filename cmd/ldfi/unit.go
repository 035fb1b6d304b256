package main

import (
	"encoding/json"

	"github.com/lineage-driven/ldfi/internal/work/worker"
	"github.com/spf13/cobra"
)

// unitCommand returns the command that ldfi-cluster starts. It is not for people.
func (s *session) unitCommand() *cobra.Command {
	var build bool
	cmd := &cobra.Command{
		Use:   "unit",
		Short: "Do units of work that ldfi-cluster brings",
		Long: `unit reads tasks on standard input, a line of JSON each, and writes what became of them on standard output. ldfi-cluster worker
starts it in a directory of its own.`,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := buildID()
			if err != nil {
				return err
			}
			if build {
				return json.NewEncoder(s.stdout).Encode(struct {
					Build   string `json:"build"`
					Version string `json:"version"`
				}{id, version()})
			}
			w := worker.Worker{Build: id}
			return w.Serve(cmd.Context(), s.in, s.stdout)
		},
	}
	cmd.Flags().BoolVar(&build, "build", false, "say which ldfi this is, as JSON, and end")
	return cmd
}
