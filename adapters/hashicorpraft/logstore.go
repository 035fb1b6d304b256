package hashicorpraft

import (
	"fmt"
	"sync"

	"github.com/hashicorp/raft"

	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// logStore keeps the log in a journal, whose records are entries and deletions, and in
// memory. As the library allows, the log may have gaps.
type logStore struct {
	mutex       sync.Mutex
	journal     *journal
	entries     map[uint64]*raft.Log
	first, last uint64 // 0 in an empty log
}

// logRecord is a record of the journal.
type logRecord struct {
	Entry    []*raft.Log // at most one
	Min, Max uint64      // deleted
}

func openLogStore(d *disk.Disk) (s *logStore, err error) {
	s = &logStore{entries: map[uint64]*raft.Log{}}
	s.journal, err = openJournal(d, "log", s.contents, func(record []byte) error {
		var r logRecord
		err := decode(record, &r)
		s.apply(r)
		return err
	})
	return s, err
}

func (s *logStore) contents() [][]byte {
	var records [][]byte
	for i := s.first; i > 0 && i <= s.last; i++ {
		if e := s.entries[i]; e != nil {
			records = append(records, encode(nil, logRecord{Entry: []*raft.Log{e}}))
		}
	}
	return records
}

func (s *logStore) apply(r logRecord) {
	for _, e := range r.Entry {
		s.entries[e.Index] = e
		if s.first == 0 || e.Index < s.first {
			s.first = e.Index
		}
		s.last = max(s.last, e.Index)
	}
	if r.Max > 0 {
		s.forget(r.Min, r.Max)
	}
}

func (s *logStore) forget(low, high uint64) {
	for i := max(low, s.first); i > 0 && i <= min(high, s.last); i++ {
		delete(s.entries, i)
	}
	for s.first > 0 && s.first <= s.last && s.entries[s.first] == nil {
		s.first++
	}
	for s.last >= s.first && s.last > 0 && s.entries[s.last] == nil {
		s.last--
	}
	if len(s.entries) == 0 {
		s.first, s.last = 0, 0
	}
}

// FirstIndex returns the index of the first entry.
func (s *logStore) FirstIndex() (uint64, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.first, nil
}

// LastIndex returns the index of the last entry.
func (s *logStore) LastIndex() (uint64, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.last, nil
}

// GetLog reads an entry.
func (s *logStore) GetLog(index uint64, entry *raft.Log) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	e, ok := s.entries[index]
	if !ok {
		return raft.ErrLogNotFound
	}
	*entry = *e
	return nil
}

// StoreLog stores an entry.
func (s *logStore) StoreLog(entry *raft.Log) error { return s.StoreLogs([]*raft.Log{entry}) }

// StoreLogs stores entries.
func (s *logStore) StoreLogs(entries []*raft.Log) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	records := make([]logRecord, len(entries))
	for i, e := range entries {
		own := *e
		records[i].Entry = []*raft.Log{&own}
	}
	return s.store(records...)
}

// DeleteRange deletes entries.
func (s *logStore) DeleteRange(low, high uint64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.store(logRecord{Min: low, Max: high})
}

func (s *logStore) store(records ...logRecord) error {
	texts := make([][]byte, len(records))
	for i, r := range records {
		texts[i] = encode(nil, r)
	}
	if err := s.journal.append(texts...); err != nil {
		return fmt.Errorf("storing the log: %w", err)
	}
	for _, r := range records {
		s.apply(r)
	}
	return nil
}
