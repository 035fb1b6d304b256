package bisect

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
)

// build says how to get at the host of a version.
type build struct {
	dir     string // in which the command is run
	command string // as the user gives it
	out     string // the directory for the built program
	modfile string // of the Go module, if it is not its own
	overlay string // files that are not where the Go module has them, in the form of go build; "": none
	key     string // of what the command does, unless it is "go run"; "" if that is not known
}

// built returns a place with a command that starts the host. The program of "go run" or "go
// test" is built once, so that every start is fast, and so that the program is a key for
// its answers.
func built(ctx context.Context, b build) (*place, error) {
	words, err := text.ShellSplit(b.command)
	if err != nil {
		return nil, err
	}
	if !gobuild.OfGo(words) {
		if b.modfile != "" {
			return nil, notBuilt(b.command)
		}
		return &place{dir: b.dir, system: b.command, key: b.key}, nil
	}
	host, err := gobuild.Build{Dir: b.dir, Words: words, Out: b.out, Modfile: b.modfile, Overlay: b.overlay}.Program(ctx)
	if err != nil {
		return nil, err
	}
	key, err := hashOf(host.File, host.Arguments)
	if err != nil {
		return nil, err
	}
	return &place{dir: host.Dir, system: text.ShellJoin(append([]string{host.File}, host.Arguments...)...), key: key}, nil
}

// notBuilt returns the error of a command that builds no program.
func notBuilt(command string) error {
	return fmt.Errorf("the command of a system that is built against versions of a module is go run PACKAGE or go test PACKAGE, and not %s", command)
}

// hashOf names a program and its arguments.
func hashOf(program string, arguments []string) (string, error) {
	h := sha256.New()
	if err := files.Copy(h, program, files.Program); err != nil {
		return "", err
	}
	for _, a := range arguments {
		fmt.Fprintf(h, "\x00%s", a)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
