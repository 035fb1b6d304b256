package gobuild

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed probe/main.go.txt
var probe []byte

// Probe is a program that does in bubbles all that could differ between two executions.
type Probe struct{ file string }

// Build builds the program in a folder, with the overlay.
func (r Ready) Build(ctx context.Context, folder string, flags ...string) (Probe, error) {
	release := strings.TrimPrefix(r.Go.Release(), "go")
	for name, text := range map[string]string{"go.mod": "module probe\n\ngo " + release + "\n", "main.go": string(probe)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return Probe{}, err
		}
	}
	p := Probe{filepath.Join(folder, "probe.exe")}
	args := slices.Concat([]string{"build", "-o", p.file}, flags, []string{"."})
	c := exec.CommandContext(ctx, filepath.Join(r.Go.Root, "bin", "go"), args...)
	c.Dir, c.Env = folder, append(r.Environment(os.Environ()), "GOWORK=off", "GOTOOLCHAIN=local")
	if out, err := c.CombinedOutput(); err != nil {
		return Probe{}, fmt.Errorf("building a program with the overlay: %w\n%s", err, bytes.TrimSpace(out))
	}
	return p, nil
}

// Ways is in which ways executions went, and how often each.
type Ways map[string]int

// Execute executes the program in several processes at the same time, n times in each,
// with a seed and an order of goroutines (0: none is drawn).
func (p Probe) Execute(ctx context.Context, processes, n int, seed, order uint64) (Ways, error) {
	found, errs := make([]Ways, processes), make([]error, processes)
	var wait sync.WaitGroup
	for i := range processes {
		wait.Go(func() { found[i], errs[i] = p.execute(ctx, n, seed, order) })
	}
	wait.Wait()
	all := Ways{}
	for i := range processes {
		if errs[i] != nil {
			return nil, errs[i]
		}
		for way := range maps.Keys(found[i]) {
			all[way] += found[i][way]
		}
	}
	return all, nil
}

func (p Probe) execute(ctx context.Context, n int, seed, order uint64) (Ways, error) {
	out, err := exec.CommandContext(ctx, p.file, strconv.Itoa(n), strconv.FormatUint(seed, 10), strconv.FormatUint(order, 10)).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("executing a program with the overlay: %w\n%s", err, bytes.TrimSpace(out))
	}
	ways := Ways{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		way, times, _ := strings.Cut(line, " ")
		if way == "disturbed" { // by a machine that let it wait for ten seconds
			continue
		}
		if ways[way], err = strconv.Atoi(times); err != nil {
			return nil, fmt.Errorf("executing a program with the overlay: it says %q", line)
		}
	}
	return ways, nil
}
