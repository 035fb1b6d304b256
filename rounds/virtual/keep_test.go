package virtual_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// memory is where a server keeps something in place of a disk.
type memory struct{ noted []string }

func (m *memory) Copy() *memory { return &memory{append([]string{}, m.noted...)} }

// keeper notes each round in memory, and in a file. It notes a last one when it is stopped.
type keeper struct {
	machine *virtual.Machine
	memory  *memory
	plain   *[]string // has no Copy
}

func startKeeper(m *virtual.Machine) (virtual.Server, error) {
	k := &keeper{machine: m}
	k.memory = m.Keep("memory", func() any { return &memory{} }).(*memory)
	k.plain = m.Keep("plain", func() any { return new([]string) }).(*[]string)
	return k, nil
}

func (k *keeper) note(what string) {
	k.memory.noted = append(k.memory.noted, what)
	*k.plain = append(*k.plain, what)
	name := filepath.Join(k.machine.Dir(), "noted")
	before, _ := os.ReadFile(name)
	if err := os.WriteFile(name, append(before, what...), 0o600); err != nil {
		panic(err)
	}
}

func (k *keeper) Report(m *virtual.Machine) {
	k.note(fmt.Sprint(m.Round()))
	file, err := os.ReadFile(filepath.Join(m.Dir(), "noted"))
	m.Fact("has", strings.Join(k.memory.noted, ""), string(file), strings.Join(*k.plain, ""), err == nil)
	m.Fact("dir", m.Dir())
}

func (k *keeper) Stop() { k.note("!") }

// What a server keeps in memory, or in its directory, outlives a crash, but for what it
// does after it, and no execution. Nothing is left afterwards.
func TestKeep(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := &system.System{
		Name: "keepers", Processes: []string{"a", "B/.."}, Rounds: 6,
		New: virtual.New(virtual.Options{Start: startKeeper}),
	}
	dirs := map[string]bool{}
	for range 3 {
		e := run(t, s, "crash a@3; restart a@5")
		has := facts(e, "has")
		require.Contains(t, has, `("a", "1", "1", "1", "true")@1`)
		require.Contains(t, has, `("a", "125", "125", "12!5", "true")@5`, "what was done after the crash is gone, where it can be")
		require.Contains(t, has, `("B/..", "123456", "123456", "123456", "true")@6`)
		for _, f := range e.Facts {
			if f.Relation == "dir" {
				dirs[f.Args[1].Text()] = true
			}
		}
		left, err := os.ReadDir(os.TempDir())
		require.NoError(t, err)
		require.Empty(t, left)
	}
	require.Len(t, dirs, 2, "one for each machine, with the same name in each execution")
}

// Where there can be no directory, the execution is an error, and no finding.
func TestNoDir(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "not there"))
	s := clocks()
	s.New = virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
		m.Dir()
		return startClock(m)
	}})
	_, err := s.Run(t.Context(), parse(t, ""), system.RunOptions{})
	require.ErrorContains(t, err, "the directory of machine a (Machine.Dir): ")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A server that needs the overlay is refused without it, in one sentence.
func TestNeedsOverlay(t *testing.T) {
	s := clocks()
	s.New = virtual.New(virtual.Options{Start: startClock, Overlay: true})
	_, err := s.Run(t.Context(), parse(t, ""), system.RunOptions{})
	if bubble.Exact() {
		require.NoError(t, err)
		return
	}
	require.ErrorContains(t, err, `the server needs the overlay of the standard library (Overlay), and this program was built without it: run "ldfi test" in place of go test`)
	require.NotContains(t, err.Error(), "\n")
}
