// Raft-boltdb is a member of a cluster of hashicorp/raft, with a log of raft-boltdb and
// snapshots in files. Whoever leads appends entries, and says which are acknowledged, with the
// number that they have; all say what they apply. Entries with the same number have to be the
// same.
//
//	raft-boltdb n1:7000 n1:7000,n2:7000,n3:7000 /data
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
	raftboltdb "github.com/hashicorp/raft-boltdb/v2"
)

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	if err := member(os.Args[1], strings.Split(os.Args[2], ","), os.Args[3]); err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
}

func member(address string, all []string, dir string) error {
	store, err := raftboltdb.NewBoltStore(filepath.Join(dir, "log"))
	if err != nil {
		return fmt.Errorf("opening the log: %w", err)
	}
	snapshots, err := raft.NewFileSnapshotStoreWithLogger(dir, 2, hclog.NewNullLogger())
	if err != nil {
		return fmt.Errorf("opening the snapshots: %w", err)
	}
	transport, err := transport(address)
	if err != nil {
		return err
	}
	c := raft.DefaultConfig()
	c.LocalID, c.Logger = raft.ServerID(address), hclog.NewNullLogger()
	c.SnapshotThreshold, c.SnapshotInterval, c.TrailingLogs = 8, time.Second, 3
	if there, err := raft.HasExistingState(store, store, snapshots); err != nil {
		return fmt.Errorf("looking for a log: %w", err)
	} else if !there {
		var servers []raft.Server
		for _, a := range all {
			servers = append(servers, raft.Server{ID: raft.ServerID(a), Address: raft.ServerAddress(a)})
		}
		if err := raft.BootstrapCluster(c, store, store, snapshots, transport, raft.Configuration{Servers: servers}); err != nil {
			return fmt.Errorf("bootstrapping: %w", err)
		}
	}
	r, err := raft.NewRaft(c, &machine{}, store, store, snapshots, transport)
	if err != nil {
		return fmt.Errorf("starting: %w", err)
	}
	for ; ; time.Sleep(100 * time.Millisecond) {
		if r.State() != raft.Leader {
			continue
		}
		entry := fmt.Sprint(address, " ", time.Now().UnixMilli())
		if f := r.Apply([]byte(entry), time.Second); f.Error() == nil {
			slog.Info("acknowledged", fmt.Sprint(f.Response()), entry)
		}
	}
}

// transport listens at the port of an address.
func transport(address string) (*raft.NetworkTransport, error) {
	advertise, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, err
	}
	return raft.NewTCPTransportWithLogger(address, advertise, 3, time.Second, hclog.NewNullLogger())
}

// machine has the entries that were applied, and says each.
type machine struct {
	mu      sync.Mutex
	entries []string
}

func (m *machine) Apply(l *raft.Log) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries = append(m.entries, string(l.Data))
	slog.Info("applied", fmt.Sprint(len(m.entries)), string(l.Data))
	return len(m.entries)
}

func (m *machine) Snapshot() (raft.FSMSnapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, err := json.Marshal(m.entries)
	return snapshot(b), err
}

func (m *machine) Restore(from io.ReadCloser) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries = nil
	if err := json.NewDecoder(from).Decode(&m.entries); err != nil {
		return err
	}
	slog.Info("restored", "entries", len(m.entries))
	for i, entry := range m.entries {
		slog.Info("applied", fmt.Sprint(i+1), entry)
	}
	return from.Close()
}

type snapshot []byte

func (s snapshot) Persist(to raft.SnapshotSink) error {
	if _, err := to.Write(s); err != nil {
		return to.Cancel()
	}
	return to.Close()
}

func (snapshot) Release() {}
