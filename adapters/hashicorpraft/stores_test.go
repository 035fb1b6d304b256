package hashicorpraft

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/hashicorp/raft"
	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// stores are the stores of a server, and what they have to have.
type stores struct {
	log    *logStore
	stable *stableStore
	model  *raft.InmemStore
	next   uint64 // index
}

func openStores(t *testing.T, d *disk.Disk, model *raft.InmemStore, next uint64) *stores {
	log, err := openLogStore(d)
	require.NoError(t, err)
	stable, err := openStableStore(d)
	require.NoError(t, err)
	return &stores{log, stable, model, next}
}

// step does something at random to the stores and to the model. What fails is not done
// to the model.
func (s *stores) step(t *testing.T, random *rand.Rand) {
	first, _ := s.model.FirstIndex()
	last, _ := s.model.LastIndex()
	switch random.IntN(5) {
	case 0, 1:
		var entries []*raft.Log
		for i := range 1 + random.IntN(3) {
			entries = append(entries, &raft.Log{Index: s.next + uint64(i), Term: 1 + s.next/10, Data: []byte(fmt.Sprint(random.IntN(1000)))})
		}
		if s.log.StoreLogs(entries) == nil {
			require.NoError(t, s.model.StoreLogs(entries))
			s.next += uint64(len(entries))
		}
	case 2:
		if last > first { // the end, of another leader
			from := first + 1 + uint64(random.IntN(int(last-first)))
			if s.log.DeleteRange(from, last) == nil {
				require.NoError(t, s.model.DeleteRange(from, last))
				s.next = from
			}
		}
	case 3:
		if last > first { // the beginning, of which there is a snapshot
			to := first + uint64(random.IntN(int(last-first)))
			if s.log.DeleteRange(first, to) == nil {
				require.NoError(t, s.model.DeleteRange(first, to))
			}
		}
	case 4:
		term := random.Uint64N(9)
		if s.stable.SetUint64([]byte("CurrentTerm"), term) == nil {
			require.NoError(t, s.model.SetUint64([]byte("CurrentTerm"), term))
		}
	}
}

func (s *stores) check(t *testing.T) {
	first, _ := s.model.FirstIndex()
	last, _ := s.model.LastIndex()
	is, err := s.log.FirstIndex()
	require.NoError(t, err)
	require.Equal(t, first, is)
	is, err = s.log.LastIndex()
	require.NoError(t, err)
	require.Equal(t, last, is)
	for i := first; i > 0 && i <= last; i++ {
		var want, have raft.Log
		require.NoError(t, s.model.GetLog(i, &want))
		require.NoError(t, s.log.GetLog(i, &have))
		require.Equal(t, want, have)
	}
	require.ErrorIs(t, s.log.GetLog(last+1, new(raft.Log)), raft.ErrLogNotFound)
	term, err := s.model.GetUint64([]byte("CurrentTerm"))
	require.NoError(t, err)
	require.Equal(t, term, s.stable.term())
}

// What the stores have confirmed is there after any crash, also where syncs fail: they
// are as the library's own, which are in memory.
func TestStores(t *testing.T) {
	for _, outcome := range []string{disk.Lost, disk.Kept, disk.Torn} {
		for seed := range uint64(200) {
			random := rand.New(rand.NewPCG(seed, 1))
			d := disk.New()
			s := openStores(t, d, raft.NewInmemStore(), 1)
			for range 60 {
				switch n := random.IntN(20); {
				case n == 0:
					var err error
					d, err = d.Crash(outcome, random)
					require.NoError(t, err)
					s = openStores(t, d, s.model, s.next)
				case n < 3:
					d.FailSync(true)
					s.step(t, random)
					d.FailSync(false)
					// What was not confirmed may or may not be there after a crash: write it anew.
					require.NoError(t, s.log.journal.rewrite())
					require.NoError(t, s.stable.journal.rewrite())
				default:
					s.step(t, random)
				}
				s.check(t)
			}
		}
	}
}

// A torn record at the end of a journal is not read, nor are zeros.
func TestTornJournal(t *testing.T) {
	d := disk.New()
	s, err := openStableStore(d)
	require.NoError(t, err)
	require.NoError(t, s.SetUint64([]byte("CurrentTerm"), 7))
	require.NoError(t, s.Set([]byte("x"), []byte("y")))
	text, err := readFile(d, "stable")
	require.NoError(t, err)
	for n := range len(text) {
		_, err := replaceFile(d, "stable", append(text[:n:n], make([]byte, len(text)-n)...))
		require.NoError(t, err)
		s, err := openStableStore(d)
		require.NoError(t, err)
		require.Contains(t, []uint64{0, 7}, s.term())
		require.NoError(t, s.Set([]byte("after"), []byte("z")))
		s, err = openStableStore(d)
		require.NoError(t, err)
		value, err := s.Get([]byte("after"))
		require.NoError(t, err)
		require.Equal(t, "z", string(value))
	}
}

// After a crash the stores say nothing, because nobody sees what they do.
func TestStoresAfterCrash(t *testing.T) {
	d := disk.New()
	s := openStores(t, d, raft.NewInmemStore(), 1)
	_, err := d.Crash(disk.Lost, nil)
	require.NoError(t, err)
	require.NoError(t, s.stable.SetUint64([]byte("CurrentTerm"), 1))
	require.NoError(t, s.log.StoreLog(&raft.Log{Index: 1}))
}

// Snapshots are listed newest first, the two newest are kept, and what was begun only
// is none.
func TestSnapshots(t *testing.T) {
	d := disk.New()
	s := snapshotStore{d}
	servers := raft.Configuration{Servers: []raft.Server{{ID: "a", Address: "a:7000"}, {Suffrage: raft.Nonvoter, ID: "b", Address: "b:7000"}}}
	for index := range uint64(4) {
		sink, err := s.Create(1, 9+index, 2, servers, 3, nil)
		require.NoError(t, err)
		_, err = fmt.Fprint(sink, "state ", index)
		require.NoError(t, err)
		require.NoError(t, sink.Close())
		canceled, err := s.Create(1, 100, 2, servers, 3, nil)
		require.NoError(t, err)
		require.NoError(t, canceled.Cancel())
		require.NoError(t, canceled.Close())
	}
	d, err := d.Crash(disk.Lost, nil)
	require.NoError(t, err)
	s = snapshotStore{d}
	list, err := s.List()
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, []uint64{12, 11}, []uint64{list[0].Index, list[1].Index})
	require.Equal(t, servers, list[0].Configuration)
	meta, source, err := s.Open(list[0].ID)
	require.NoError(t, err)
	data, err := io.ReadAll(source)
	require.NoError(t, err)
	require.Equal(t, "state 3", string(data))
	require.EqualValues(t, len(data), meta.Size)
	_, _, err = s.Open("snapshot-none")
	require.Error(t, err)
}
