// Package wal is a server with a write-ahead log, and six mistakes that such servers
// are known for. Its tests show which faults of a disk bring them out.
package wal

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// Mistakes are what may be wrong with a server. The zero value is right.
type Mistakes struct {
	NoSync       bool // it does not sync what it has written
	NoSyncDir    bool // it does not sync the directory of a new log
	IgnoresError bool // it takes no notice of a sync that fails
	SyncsAgain   bool // it takes the next success of a sync for one of what it wrote before
	KeepsTail    bool // it writes on behind what a crash has left of the last entry
	Locks        bool // it does not start if a file says that it runs
}

// System returns a system of one server, of which clients ask to store something.
func System(name string, mistakes Mistakes) *system.System {
	s := &system.System{
		Name: name, Processes: []string{"a"}, Rounds: 10,
		New: virtual.New(virtual.Options{Disk: true, Start: func(m *virtual.Machine) (virtual.Server, error) { return start(m, mistakes) }}),
		Properties: []property.Property{rules.New("what is acknowledged is stored", `
			violation(X) :- request(P, I, X, _), reply(P, I, "ok", N), serves(P, M), M > N, !stored(P, X, M).`)},
	}
	for i, entry := range []string{"red", "green", "blue"} {
		s.Requests = append(s.Requests, system.Request{Round: 1 + 4*i, Process: "a", Payload: entry})
	}
	return s
}

// server stores entries in a file, one after the other, each as a line of JSON. What
// has come in 20 milliseconds is synced and acknowledged together.
type server struct {
	Mistakes
	machine  *virtual.Machine
	log      *disk.File
	entries  []string
	requests chan system.Request
	waiting  []system.Request // written, but not acknowledged
	failed   error            // from then on; what is on the disk shows only after a restart
	done     chan struct{}
}

func start(m *virtual.Machine, mistakes Mistakes) (*server, error) {
	s := &server{Mistakes: mistakes, machine: m, requests: make(chan system.Request), done: make(chan struct{})}
	var err error
	if s.log, err = m.Disk().OpenFile("log", os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, err
	}
	if !s.NoSyncDir {
		s.failed = m.Disk().SyncDir("/")
	}
	if err := s.recover(); err != nil {
		s.failed = err
	}
	if s.Locks {
		if _, err := m.Disk().OpenFile("lock", os.O_CREATE|os.O_EXCL, 0o644); err != nil {
			return nil, err
		}
	}
	go s.run()
	return s, nil
}

// recover reads the log, and cuts off what a crash has left of the last entry.
func (s *server) recover() error {
	lines, end := bufio.NewReader(s.log), int64(0)
	for {
		line, err := lines.ReadBytes('\n')
		var entry string
		if err != nil || json.Unmarshal(line, &entry) != nil {
			break
		}
		s.entries = append(s.entries, entry)
		end += int64(len(line))
	}
	if s.KeepsTail {
		return nil
	}
	return errors.Join(s.log.Truncate(end), s.log.Sync())
}

func (s *server) run() {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case r := <-s.requests:
			s.store(r)
		case <-ticker.C:
			s.commit()
		case <-s.done:
			return
		}
	}
}

func (s *server) store(r system.Request) {
	_, err := fmt.Fprintf(s.log, "%q", r.Payload)
	if err == nil {
		_, err = io.WriteString(s.log, "\n")
	}
	s.failed = cmp.Or(s.failed, err)
	s.entries = append(s.entries, r.Payload.(string))
	s.waiting = append(s.waiting, r)
}

// commit syncs what was written, and acknowledges it.
func (s *server) commit() {
	if s.failed == nil && len(s.waiting) > 0 && !s.NoSync {
		err := s.log.Sync()
		if err != nil && s.SyncsAgain {
			return // and acknowledges it with the next sync
		}
		if !s.IgnoresError {
			s.failed = err
		}
	}
	answer := "ok"
	if s.failed != nil {
		answer = "failed"
	}
	for _, r := range s.waiting {
		s.machine.Reply(r, answer)
	}
	s.waiting = nil
}

// Request is called for what a client asks, Report at the end of each round, Stop when
// the server is to end.
func (s *server) Request(r system.Request) {
	select {
	case s.requests <- r:
	case <-s.done:
	}
}

func (s *server) Report(m *virtual.Machine) {
	m.Fact("serves")
	for _, entry := range s.entries {
		m.Fact("stored", entry)
	}
}

func (s *server) Stop() { close(s.done) }
