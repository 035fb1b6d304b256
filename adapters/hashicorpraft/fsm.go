package hashicorpraft

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"sync"

	"github.com/hashicorp/raft"
)

// machine is the state machine that the log is applied to. It keeps the newest value
// and a sum of all values, which two servers have in common at an index only if they
// have applied the same up to there.
type machine struct {
	fact  func(relation string, args ...any)
	mutex sync.Mutex
	applied
}

// applied is what a server has applied.
type applied struct {
	Index uint64 // of the newest value; 0: there is none
	Sum   uint64 // of all values and their indexes
}

// Apply applies an entry. The response is its index.
func (m *machine) Apply(entry *raft.Log) any {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	sum := fnv.New64a()
	fmt.Fprint(sum, m.Sum, " ", entry.Index, " ", string(entry.Data))
	m.applied = applied{entry.Index, sum.Sum64()}
	m.fact("applied", entry.Index, entry.Term, string(entry.Data), m.Sum)
	return entry.Index
}

// last returns the index of the newest value.
func (m *machine) last() uint64 {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.Index
}

// Snapshot returns what a snapshot has.
func (m *machine) Snapshot() (raft.FSMSnapshot, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.applied, nil
}

// Persist writes a snapshot.
func (a applied) Persist(sink raft.SnapshotSink) error {
	if err := json.NewEncoder(sink).Encode(a); err != nil {
		_ = sink.Cancel()
		return err
	}
	return sink.Close()
}

// Release does nothing.
func (applied) Release() {}

// Restore puts a snapshot in the place of what was applied.
func (m *machine) Restore(snapshot io.ReadCloser) error {
	defer snapshot.Close()
	var a applied
	if err := json.NewDecoder(snapshot).Decode(&a); err != nil {
		return fmt.Errorf("reading a snapshot: %w", err)
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.applied = a
	m.fact("restored", a.Index, a.Sum)
	return nil
}
