package gobuild

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/text"
)

// Build says how to make the program that a command of Go runs.
type Build struct {
	Dir     string   // in which the command is run
	Words   []string // of the command
	Out     string   // where what is built may lie
	Modfile string   // of the Go module, if it is not its own
	Overlay string   // files that are not where the Go module has them, in the form of go build; "": none
}

// Program is what was built.
type Program struct {
	Dir       string // in which it is run
	File      string // absolute
	Arguments []string
}

// OfGo tells whether a command is one that builds a program: go run or go test.
func OfGo(words []string) bool {
	_, ok := ParseCommand(words)
	return ok
}

// Patience is how long building a program may take.
const Patience = 10 * time.Minute

// LateError says that something was not built in the time that it may take.
type LateError struct{}

func (*LateError) Error() string { return fmt.Sprintf("it is not built after %s", Patience) }

// Patiently lets something be built for as long as that may take.
func Patiently[T any](ctx context.Context, build func(context.Context) (T, error)) (T, error) {
	within, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	built, err := build(within)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		err = &LateError{}
	}
	return built, err
}

// Program builds the program of "go run" or "go test".
func (b Build) Program(ctx context.Context) (*Program, error) {
	host, ok := ParseCommand(b.Words)
	if !ok {
		return nil, fmt.Errorf("%s builds no program", text.ShellJoin(b.Words...))
	}
	out, err := filepath.Abs(b.Out)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(out, host.File)
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	args := slices.Concat(host.Build, host.Flags, []string{"-trimpath", "-buildvcs=false", "-o", file})
	var module []string
	if b.Modfile != "" {
		module = append(module, "-mod=mod", "-modfile="+b.Modfile)
	}
	list, environ, err := b.overlaid(ctx, host, module)
	if err != nil {
		return nil, err
	}
	if list != "" {
		module = append(module, "-overlay="+list)
	}
	if _, err := RunGo(ctx, b.Dir, out, environ, slices.Concat(args, module, host.Packages)...); err != nil {
		return nil, err
	}
	dir := b.Dir
	if host.Test { // which runs where its package is
		found, err := RunGo(ctx, b.Dir, out, environ, slices.Concat([]string{"list", "-f", "{{.Dir}}"}, host.Flags, module, host.Packages)...)
		if err != nil {
			return nil, err
		}
		dir = strings.TrimRight(found, "\r\n")
	}
	return &Program{Dir: dir, File: file, Arguments: host.Arguments}, nil
}

// RunGo runs go in a directory and returns what it writes to standard output.
// Its error is what it has to say, which begins with what is wrong. What go leaves
// behind when it is stopped lies in the temporary directory.
func RunGo(ctx context.Context, dir, temporary string, environ []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	if i := slices.IndexFunc(environ, func(v string) bool { return strings.HasPrefix(v, "GOROOT=") }); i >= 0 { // which has a go of its own
		cmd = exec.CommandContext(ctx, filepath.Join(strings.TrimPrefix(environ[i], "GOROOT="), "bin", "go"), args...)
	}
	cmd.Dir = dir
	cmd.Env = append(slices.Concat(os.Environ(), environ), "GOTMPDIR="+temporary)
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-modfile=") }) {
		cmd.Env = append(cmd.Env, "GOWORK=off") // go takes either
	}
	text, err := Output(ctx, cmd, telling)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("go %s: %w", args[0], err)
	}
	return text, err
}

// Output runs a command and returns what it writes to standard output. Its error
// is what the command has to say on standard error, if there is something.
func Output(ctx context.Context, cmd *exec.Cmd, said func(string) string) (string, error) {
	subprocess.Separate(cmd)
	cmd.Cancel = func() error { return subprocess.Kill(cmd) }
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
