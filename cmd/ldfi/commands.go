package main

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/spf13/cobra"
)

// maker makes a command.
type maker struct {
	name string
	make func(*session) *cobra.Command
}

// commands returns the command that the arguments begin with, and all if that is none:
// to make all of them takes more than many a command does.
func (s *session) commands() []*cobra.Command {
	makers := []maker{
		{"run", (*session).runCommand},
		{"test", (*session).testCommand},
		{"check", (*session).checkCommand},
		{"bisect", (*session).bisectCommand},
		{"inject", (*session).injectCommand},
		{"confirm", (*session).confirmCommand},
		{"why", (*session).whyCommand},
		{"diff", (*session).diffCommand},
		{"explore", (*session).exploreCommand},
		{"report", (*session).reportCommand},
		{"hypotheses", (*session).hypothesesCommand},
		{"whatif", (*session).whatifCommand},
		{"waypoints", (*session).waypointsCommand},
		{"weakest", (*session).weakestCommand},
		{"learn", (*session).learnCommand},
		{"export", (*session).exportCommand},
		{"import", (*session).importCommand},
		{"init", (*session).initCommand},
		{"query", (*session).queryCommand},
		{"mcp", (*session).mcpCommand},
		{"lsp", (*session).lspCommand},
		{"serve", clusterCommand("serve")},
		{"worker", clusterCommand("worker")},
		{"workers", clusterCommand("workers")},
		{"vet", (*session).vetCommand},
		{"fmt", (*session).fmtCommand},
		{"overlay", (*session).overlayCommand},
		{"doctor", (*session).doctorCommand},
		{"version", (*session).versionCommand},
		{"man", (*session).manCommand},
		{"unit", (*session).unitCommand},
		{subject.NodesCommand, (*session).nodesCommand},
	}
	asked := slices.IndexFunc(makers, func(m maker) bool { return len(s.args) > 0 && s.args[0] == m.name })
	if asked >= 0 {
		makers = makers[asked : asked+1]
	}
	var all []*cobra.Command
	for _, m := range makers {
		all = append(all, withServers(m.make(s)))
	}
	return all
}
