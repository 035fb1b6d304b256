package virtual_test

import (
	"errors"
	"syscall"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
	"github.com/stretchr/testify/require"
)

// diary is a server that creates a file at each request, and syncs it if it is
// asked to. It writes a last one when it is stopped.
type diary struct{ machine *virtual.Machine }

func (d *diary) Request(r system.Request) {
	_, err := d.machine.Disk().Create(r.Payload.(string))
	if err == nil && r.Payload == "synced" {
		err = d.machine.Disk().SyncDir("/")
	}
	d.machine.Reply(r, errors.Is(err, syscall.EIO))
}

func (d *diary) Report(m *virtual.Machine) {
	entries, err := m.Disk().ReadDir("/")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		m.Fact("has", e.Name())
	}
}

func (d *diary) Stop() {
	if _, err := d.machine.Disk().Create("last"); !errors.Is(err, disk.ErrCrashed) {
		panic(err)
	}
}

// A machine has one disk, from which a crash takes what the schedule says.
func TestDisk(t *testing.T) {
	s := &system.System{
		Name: "diary", Processes: []string{"a"}, Rounds: 4,
		New: virtual.New(virtual.Options{Disk: true, Start: func(m *virtual.Machine) (virtual.Server, error) { return &diary{m}, nil }}),
		Requests: []system.Request{
			{Round: 1, Process: "a", Payload: "synced"},
			{Round: 2, Process: "a", Payload: "later"},
		},
	}
	for _, story := range []struct{ schedule, has, failed string }{
		{"", `("a", "synced")@1 ("a", "later")@2 ("a", "synced")@2 ("a", "later")@3 ("a", "synced")@3 ("a", "later")@4 ("a", "synced")@4`, `("a", 1, "false")@1 ("a", 2, "false")@2`},
		{"crash a@3; restart a@4", `("a", "synced")@1 ("a", "later")@2 ("a", "synced")@2 ("a", "synced")@4`, `("a", 1, "false")@1 ("a", 2, "false")@2`},
		{"crash a@3/kept; restart a@4", `("a", "synced")@1 ("a", "later")@2 ("a", "synced")@2 ("a", "later")@4 ("a", "synced")@4`, `("a", 1, "false")@1 ("a", 2, "false")@2`},
		{"seed 1; crash a@3/torn; restart a@4", `("a", "synced")@1 ("a", "later")@2 ("a", "synced")@2 ("a", "synced")@4`, `("a", 1, "false")@1 ("a", 2, "false")@2`},
		{"seed 2; crash a@3/torn; restart a@4", `("a", "synced")@1 ("a", "later")@2 ("a", "synced")@2 ("a", "later")@4 ("a", "synced")@4`, `("a", 1, "false")@1 ("a", 2, "false")@2`},
		{"failsync a@1; crash a@3; restart a@4", `("a", "synced")@1 ("a", "later")@2 ("a", "synced")@2`, `("a", 1, "true")@1 ("a", 2, "false")@2`},
		{"failsync a@2; crash a@3; restart a@4", `("a", "synced")@1 ("a", "later")@2 ("a", "synced")@2 ("a", "synced")@4`, `("a", 1, "false")@1 ("a", 2, "false")@2`},
	} {
		e := run(t, s, story.schedule)
		require.Equal(t, story.has, facts(e, "has"), story.schedule)
		require.Equal(t, story.failed, facts(e, "reply"), story.schedule)
	}
}
