package subject

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
)

// All servers of a host are in one program, and share the variables of its packages, as
// real servers do not. A shared variable may be why a host breaks without faults, or why
// its executions differ. No execution shows this, so the sources are read.

// mostShared limits the variables that are named.
const mostShared = 5

// suspects appends to the warnings of an answer about a host which package variables may
// be the cause, if it breaks without faults or its executions differ.
func (h *OpenedSystem) suspects(ctx context.Context, to []specs.Warning, calm bool, why string, n *result.Repeats) []specs.Warning {
	what := ""
	switch {
	case !slices.Contains(h.Offers, search.OffersMachines):
		return to
	case calm:
		what = "a failure without faults"
	case n != nil && (n.Otherwise > 0 || n.Broken > 0 && n.Broken < n.Executions) || why != "" && why != h.System.Inexact:
		what = "executions of one schedule that differ"
	default:
		return to
	}
	all := h.sharedVariables(ctx)
	for i, w := range all {
		if i == mostShared {
			return append(to, specs.Warning{Position: specs.Position{File: "host"}, Message: fmt.Sprintf(
				"%d more package variables are written after the start of the host", len(all)-i)})
		}
		to = append(to, specs.Warning{
			Position: specs.Position{File: near(w.Place.Filename), Line: w.Place.Line, Column: w.Place.Column},
			Message: fmt.Sprintf("a likely cause of %s: the package variable %s, which all servers of the host share, is written here after its start; give each server its own",
				what, w.Variable),
		})
	}
	return to
}

// sharedVariables returns the variables that the host writes after its start; none if its
// sources are missing.
func (h *OpenedSystem) sharedVariables(ctx context.Context) []gobuild.Write {
	h.reading.Lock()
	defer h.reading.Unlock()
	if h.read || ctx.Err() != nil {
		return h.shared
	}
	if _, is := OfNodes(h.question.Command); is {
		return nil // nodes share nothing: each is a program of its own
	}
	words, err := text.ShellSplit(h.question.Command)
	if err != nil {
		return nil
	}
	h.shared, _ = gobuild.Shared(ctx, h.question.Dir, words)
	h.read = ctx.Err() == nil
	return h.shared
}

// near returns the name of a file relative to the working directory, if the file lies below
// it.
func near(file string) string {
	here, err := os.Getwd()
	if err != nil {
		return file
	}
	below, err := filepath.Rel(here, file)
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return file
	}
	return below
}

// suspect appends the warnings of [OpenedSystem.suspects] to an answer.
func (h *OpenedSystem) suspect(ctx context.Context, a *result.Answer) {
	var why string
	if a.Search != nil {
		why = a.Search.Inexact
	}
	c := a.First()
	if c == nil {
		a.Warnings = h.suspects(ctx, a.Warnings, false, why, nil)
		return
	}
	a.Warnings = h.suspects(ctx, a.Warnings, c.Schedule.Size() == 0, why, c.Repeats)
}
