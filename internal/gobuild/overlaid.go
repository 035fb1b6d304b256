package gobuild

import (
	"context"
	"fmt"
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

// ApplyEdits makes all edits of one file. name says where it is, for errors.
func ApplyEdits(name, text string, edits []Edit) (string, error) {
	for _, e := range edits {
		if n := strings.Count(text, e.Old); n != 1 {
			return "", fmt.Errorf("%s: ldfi edits this text (%s), but it occurs %d times instead of once:\n%s\n"+
				"So ldfi cannot edit this Go: use one of the releases %s as they come from go.dev, "+
				"or do without (`ldfi doctor` says what is lost)", name, e.Why, n, indented(e.Old), strings.Join(Releases, " or "))
		}
		text = strings.Replace(text, e.Old, e.New, 1)
	}
	return text, nil
}

func indented(text string) string {
	return "\t" + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n\t")
}
