package gobuild

import (
	"context"
	"os"
	"slices"
	"strings"
)

// overlaid returns the overlay to build a host with, "" for none, and what the
// environment of go needs for it: the files that are elsewhere, and if the host has
// servers with goroutines in it, what makes these exactly repeatable. A Go whose
// standard library cannot be edited builds hosts that say so themselves.
func (b Build) overlaid(ctx context.Context, host Command, module []string) (list string, environ []string, err error) {
	env := os.Environ()
	if b.Modfile != "" {
		env = append(env, "GOWORK=off")
	}
	own := slices.ContainsFunc(host.Flags, func(f string) bool { return strings.HasPrefix(strings.TrimLeft(f, "-"), "overlay") })
	flags := slices.Concat(host.Flags, module)
	if b.Overlay != "" {
		flags = append(flags, "-overlay="+b.Overlay)
	}
	if own || !Needed(ctx, "go", flags, host.Packages, host.Test, b.Dir, env) {
		return b.Overlay, nil, nil
	}
	g, err := Installed(ctx, "go", b.Dir, env)
	if err != nil {
		return b.Overlay, nil, nil
	}
	ready, err := g.Prepare()
	if err != nil {
		return b.Overlay, nil, nil
	}
	if b.Overlay == "" {
		return ready.List, ready.Environ, nil
	}
	list, err = MergeOverlays(ready.List, b.Overlay, b.Dir)
	return list, ready.Environ, err
}
