package gobuild

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
)

// Virtual is the package of servers with goroutines. Programs that have it in them are
// built with the overlay, others are not.
const Virtual = "github.com/lineage-driven/ldfi/rounds/virtual"

// Alone is in the environment of every host: built with the overlay it begins with one
// processor, so that what it allocates has the same address in every process. ldfi starts
// several hosts where several executions are made at the same time.
const Alone = "LDFI_ALONE=1"

// Host says how the command of a host is to be started.
type Host struct {
	Ready *Ready // nil: as it is
	Why   string // why executions of its goroutines are not exactly repeatable, if they are not for a reason that is known
}

// ForHost says how the command of a host is to be started in a folder: go run and go
// test of a program with servers that have goroutines takes the overlay. It costs
// nothing for other commands, and one `go list` for these.
func ForHost(ctx context.Context, words []string, folder string, environ []string) Host {
	p, ok := ParseCommand(words)
	if !ok {
		return Host{}
	}
	key := folder + "\x00" + strings.Join(words, "\x00")
	if known, ok := hosts.Load(key); ok {
		return known.(Host)
	}
	h := forProgram(ctx, words[0], p, folder, environ)
	if ctx.Err() == nil {
		hosts.Store(key, h)
	}
	return h
}

// hosts are those that were asked for in this run.
var hosts sync.Map

func forProgram(ctx context.Context, command string, p Command, folder string, environ []string) Host {
	if !Needed(ctx, command, p.Flags, p.Packages, p.Test, folder, environ) {
		return Host{}
	}
	return Overlaid(ctx, command, p.Flags, folder, environ)
}

// Overlaid says how a go command with some flags of go build is to be started so that it takes the overlay.
func Overlaid(ctx context.Context, command string, flags []string, folder string, environ []string) Host {
	if slices.ContainsFunc(flags, func(f string) bool { return overlayOf(f) != "" || strings.TrimLeft(f, "-") == "overlay" }) {
		return Host{Why: "its command has an -overlay of its own, which replaces that of ldfi; put it into GOFLAGS to use both"}
	}
	g, err := Installed(ctx, command, folder, environ)
	if err == nil {
		var r Ready
		if r, err = g.Prepare(); err == nil {
			return Host{Ready: &r}
		}
	}
	return Host{Why: err.Error()}
}

// Needed tells whether a program has servers with goroutines in it. If go cannot tell,
// it will say so when it builds the program.
func Needed(ctx context.Context, command string, flags, packages []string, test bool, folder string, environ []string) bool {
	args := []string{"list", "-deps", "-f", "{{if eq .ImportPath \"" + Virtual + "\"}}yes{{end}}"}
	if test {
		args = append(args, "-test")
	}
	for _, f := range flags {
		if slices.Contains([]string{"c", "i", "json", "artifacts"}, strings.TrimLeft(f, "-")) {
			continue // of go test, but not of go list
		}
		args = append(args, f)
	}
	c := exec.CommandContext(ctx, command, append(args, packages...)...)
	c.Dir, c.Env = folder, environ
	out, err := c.Output()
	return err == nil && strings.Contains(string(out), "yes")
}

// String says what is lost.
func (h Host) String() string {
	if h.Why == "" {
		return ""
	}
	return fmt.Sprintf("executions of this host are not exactly repeatable: %s", h.Why)
}
