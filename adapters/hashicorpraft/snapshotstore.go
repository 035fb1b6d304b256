package hashicorpraft

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/raft"

	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// snapshotStore keeps the newest snapshots, each in a file with two records: what is
// to be known of it, and what is in it.
type snapshotStore struct{ disk *disk.Disk }

const (
	snapshotPrefix = "snapshot-"
	keptSnapshots  = 2
)

// Create begins a snapshot.
func (s snapshotStore) Create(version raft.SnapshotVersion, index, term uint64, configuration raft.Configuration, configurationIndex uint64, _ raft.Transport) (raft.SnapshotSink, error) {
	return &snapshotSink{disk: s.disk, meta: raft.SnapshotMeta{
		Version: version, ID: fmt.Sprintf("%s%d-%d", snapshotPrefix, term, index),
		Index: index, Term: term, Configuration: configuration, ConfigurationIndex: configurationIndex,
	}}, nil
}

// List returns the snapshots, the newest first.
func (s snapshotStore) List() ([]*raft.SnapshotMeta, error) {
	all, err := listSnapshots(s.disk)
	return all[:min(len(all), keptSnapshots)], err
}

func listSnapshots(d *disk.Disk) (all []*raft.SnapshotMeta, err error) {
	entries, err := d.ReadDir("/")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), snapshotPrefix) && !strings.HasSuffix(e.Name(), ".new") {
			meta, _, err := readSnapshot(d, e.Name())
			if err != nil {
				return nil, err
			}
			all = append(all, meta)
		}
	}
	slices.SortFunc(all, func(a, b *raft.SnapshotMeta) int {
		return cmp.Or(cmp.Compare(b.Term, a.Term), cmp.Compare(b.Index, a.Index))
	})
	return all, nil
}

// Open opens a snapshot.
func (s snapshotStore) Open(id string) (*raft.SnapshotMeta, io.ReadCloser, error) {
	meta, data, err := readSnapshot(s.disk, id)
	return meta, io.NopCloser(bytes.NewReader(data)), err
}

func readSnapshot(d *disk.Disk, id string) (meta *raft.SnapshotMeta, data []byte, err error) {
	text, err := readFile(d, id)
	if err != nil {
		return nil, nil, err
	}
	first, size := parseRecord(text)
	data, _ = parseRecord(text[size:])
	if first == nil || data == nil {
		return nil, nil, fmt.Errorf("%s is no whole snapshot", id)
	}
	meta = new(raft.SnapshotMeta)
	return meta, data, json.Unmarshal(first, meta)
}

// snapshotSink takes a snapshot, which is there when it is closed.
type snapshotSink struct {
	disk *disk.Disk
	meta raft.SnapshotMeta
	data []byte
	over bool
}

// ID returns the name of the snapshot.
func (s *snapshotSink) ID() string { return s.meta.ID }

// Write appends to the snapshot.
func (s *snapshotSink) Write(p []byte) (int, error) {
	s.data = append(s.data, p...)
	return len(p), nil
}

// Cancel gives the snapshot up.
func (s *snapshotSink) Cancel() error {
	s.over = true
	return nil
}

// Close stores the snapshot, and removes those that are no longer kept.
func (s *snapshotSink) Close() error {
	if s.over {
		return nil
	}
	s.over, s.meta.Size = true, int64(len(s.data))
	meta, err := json.Marshal(s.meta)
	if err != nil {
		return err
	}
	if _, err := replaceFile(s.disk, s.meta.ID, appendRecord(appendRecord(nil, meta), s.data)); err != nil {
		return unlessCrashed(err)
	}
	all, err := listSnapshots(s.disk)
	if err != nil {
		return unlessCrashed(err)
	}
	for _, old := range all[min(len(all), keptSnapshots):] {
		if err := s.disk.Remove(old.ID); err != nil {
			return unlessCrashed(err)
		}
	}
	return nil
}
