package bisect

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gocommand"
	"github.com/lineage-driven/ldfi/internal/processgroup"
	"github.com/lineage-driven/ldfi/internal/shellwords"
)

// build says how to get at the host of a version.
type build struct {
	dir     string // in which the command is run
	command string // as the user gives it
	out     string // where what is built may lie
	modfile string // of the Go module, if it is not its own
	overlay string // files that are not where the Go module has them, in the form of go build; "": none
	key     string // of what the command does, unless it is "go run"; "" if that is not known
}

// built returns a place with a command that starts the host. The program of "go run"
// or "go test" is built once, so that every start is fast, and so that what is built
// names what the answers depend on.
func built(ctx context.Context, b build) (*place, error) {
	words, err := shellwords.Split(b.command)
	if err != nil {
		return nil, err
	}
	host, ok := gocommand.Parse(words)
	if !ok {
		if b.modfile != "" {
			return nil, notBuilt(b.command)
		}
		return &place{dir: b.dir, system: b.command, key: b.key}, nil
	}
	out, err := filepath.Abs(b.out)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(out, host.File)
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	args := slices.Concat(host.Build, host.Flags, []string{"-trimpath", "-buildvcs=false", "-o", file})
	var module []string
	if b.modfile != "" {
		module = append(module, "-mod=mod", "-modfile="+b.modfile)
	}
	list, environ, err := b.overlaid(ctx, host, module)
	if err != nil {
		return nil, err
	}
	if list != "" {
		module = append(module, "-overlay="+list)
	}
	if _, err := goCommand(ctx, b.dir, out, environ, slices.Concat(args, module, host.Packages)...); err != nil {
		return nil, err
	}
	dir := b.dir
	if host.Test { // which runs where its package is
		found, err := goCommand(ctx, b.dir, out, environ, slices.Concat([]string{"list", "-f", "{{.Dir}}"}, host.Flags, module, host.Packages)...)
		if err != nil {
			return nil, err
		}
		dir = strings.TrimRight(found, "\r\n")
	}
	key, err := hashOf(file, host.Arguments)
	if err != nil {
		return nil, err
	}
	return &place{dir: dir, system: shellwords.Join(append([]string{file}, host.Arguments...)...), key: key}, nil
}

// notBuilt is the error of a command of which no program can be built.
func notBuilt(command string) error {
	return fmt.Errorf("the command of a system that is built against versions of a module is go run PACKAGE or go test PACKAGE, and not %s", command)
}

// goCommand runs go in a directory and returns what it writes to standard output.
// Its error is what it has to say, which begins with what is wrong. What go leaves
// behind when it is stopped lies in the temporary directory.
func goCommand(ctx context.Context, dir, temporary string, environ []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	if i := slices.IndexFunc(environ, func(v string) bool { return strings.HasPrefix(v, "GOROOT=") }); i >= 0 { // which has a go of its own
		cmd = exec.CommandContext(ctx, filepath.Join(strings.TrimPrefix(environ[i], "GOROOT="), "bin", "go"), args...)
	}
	cmd.Dir = dir
	cmd.Env = append(slices.Concat(os.Environ(), environ), "GOTMPDIR="+temporary)
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-modfile=") }) {
		cmd.Env = append(cmd.Env, "GOWORK=off") // go takes either
	}
	text, err := output(ctx, cmd, telling)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("go %s: %w", args[0], err)
	}
	return text, err
}

// output runs a command and returns what it writes to standard output. Its error
// is what the command has to say on standard error, if there is something.
func output(ctx context.Context, cmd *exec.Cmd, said func(string) string) (string, error) {
	processgroup.Separate(cmd)
	cmd.Cancel = func() error { return processgroup.Kill(cmd) }
	cmd.WaitDelay = 5 * time.Second // for programs that left its group, and on a busy machine for the end of its output
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err == nil {
		return stdout.String(), nil
	}
	if text := said(stderr.String()); text != "" {
		err = errors.New(text)
	}
	return "", cmp.Or(ctx.Err(), err)
}

// telling returns the lines of the go command that say what is wrong.
func telling(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || slices.ContainsFunc(idle, func(begin string) bool { return strings.HasPrefix(line, begin) }) {
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// idle are beginnings of lines that say what go is doing.
var idle = []string{"# ", "go: downloading ", "go: finding ", "go: found ", "go: added ", "go: upgraded ", "go: downgraded "}

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
