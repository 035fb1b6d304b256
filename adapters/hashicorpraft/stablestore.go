package hashicorpraft

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/raft"

	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// stableStore keeps the term and the vote in a journal, whose records are keys and
// values.
type stableStore struct {
	mutex   sync.Mutex
	journal *journal
	values  map[string][]byte

	candidate struct{ address, name string } // voted for last
}

// stableRecord is a record of the journal.
type stableRecord struct {
	Key   string
	Value []byte
}

func openStableStore(d *disk.Disk) (s *stableStore, err error) {
	s = &stableStore{values: map[string][]byte{}}
	s.journal, err = openJournal(d, "stable", s.contents, func(record []byte) error {
		var r stableRecord
		err := decode(record, &r)
		s.values[r.Key] = r.Value
		return err
	})
	return s, err
}

func (s *stableStore) contents() [][]byte {
	var records [][]byte
	for _, key := range slices.Sorted(maps.Keys(s.values)) {
		records = append(records, encode(nil, stableRecord{key, s.values[key]}))
	}
	return records
}

// errNotFound has the text by which the library knows it.
var errNotFound = errors.New("not found")

// Set stores a value.
func (s *stableStore) Set(key, value []byte) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := stableRecord{string(key), slices.Clone(value)}
	if err := s.journal.append(encode(nil, r)); err != nil {
		return fmt.Errorf("storing %s: %w", key, err)
	}
	s.values[r.Key] = r.Value
	return nil
}

// Get reads a value.
func (s *stableStore) Get(key []byte) ([]byte, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	value, ok := s.values[string(key)]
	if !ok {
		return nil, errNotFound
	}
	return slices.Clone(value), nil
}

// SetUint64 stores a number.
func (s *stableStore) SetUint64(key []byte, value uint64) error {
	return s.Set(key, binary.BigEndian.AppendUint64(nil, value))
}

// GetUint64 reads a number.
func (s *stableStore) GetUint64(key []byte) (uint64, error) {
	value, err := s.Get(key)
	if err != nil {
		return 0, err
	}
	if len(value) != 8 {
		return 0, fmt.Errorf("%s is %d bytes, and no number", key, len(value))
	}
	return binary.BigEndian.Uint64(value), nil
}

// term returns the term of the server. The library stores it before anything else.
func (s *stableStore) term() uint64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.number("CurrentTerm")
}

// number returns a number that the library has stored, 0 if it has not.
func (s *stableStore) number(key string) uint64 {
	if value := s.values[key]; len(value) == 8 {
		return binary.BigEndian.Uint64(value)
	}
	return 0
}

// vote returns the term in which the server has voted last, and for whom.
func (s *stableStore) vote() (term uint64, candidate string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	address, ok := s.values["LastVoteCand"]
	if !ok {
		return 0, ""
	}
	if string(address) != s.candidate.address {
		s.candidate.address = string(address)
		s.candidate.name = nameOf(raft.ServerAddress(address))
	}
	return s.number("LastVoteTerm"), s.candidate.name
}
