package disk_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logged writes the log that a program in another process sends.
type logged struct {
	log  []byte
	last uint64
	dirs map[string]uint64 // and files, by their names
}

func (l *logged) put(kind byte, numbers ...uint64) {
	l.log = append(l.log, kind)
	for _, n := range numbers {
		l.log = binary.LittleEndian.AppendUint64(l.log, n)
	}
}

func (l *logged) edit(name string, to uint64) {
	l.log = binary.LittleEndian.AppendUint64(l.log, l.dirs[path.Dir(name)])
	l.log = binary.LittleEndian.AppendUint64(l.log, to)
	l.log = binary.LittleEndian.AppendUint16(l.log, uint16(len(path.Base(name))))
	l.log = append(l.log, path.Base(name)...)
}

func (l *logged) create(name string, mode uint32) {
	l.last++
	l.dirs[name] = l.last
	l.put('N', l.last)
	l.log = append(binary.LittleEndian.AppendUint32(l.log, mode), 'E', 1)
	l.edit(name, l.last)
}

func (l *logged) write(name string, at int, text []byte) {
	l.put('W', l.dirs[name], uint64(at))
	l.log = append(binary.LittleEndian.AppendUint32(l.log, uint32(len(text))), text...)
}

func (l *logged) sync(name string) {
	l.put('S', l.dirs[name])
	l.log = append(l.log, 0)
}

func TestALogDoesWhatTheOperationsDo(t *testing.T) {
	crashes := map[bool]int{} // by whether something was lost
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		direct, replayed := disk.New(), disk.New()
		l := &logged{last: 1, dirs: map[string]uint64{"/": 1}}
		syncDirs := func(dir string) { // all of them: only a log makes the name of what is synced durable
			for ; ; dir = path.Dir(dir) {
				require.NoError(t, direct.SyncDir(dir))
				l.sync(dir)
				if dir == "/" {
					return
				}
			}
		}
		names := []string{"/a", "/b", "/d", "/d/a", "/d/b"}
		for range 60 {
			name := names[random.IntN(len(names))]
			isDir := name == "/d"
			_, there := l.dirs[name]
			_, parent := l.dirs[path.Dir(name)]
			switch op := random.IntN(8); {
			case !parent:
			case !there && isDir:
				require.NoError(t, direct.Mkdir(name, 0o755))
				l.create(name, 0o040755)
			case !there:
				f, err := direct.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o644)
				require.NoError(t, err)
				require.NoError(t, f.Close())
				l.create(name, 0o100644)
			case op == 0 && !isDir:
				require.NoError(t, direct.Remove(name))
				l.log = append(l.log, 'E', 1)
				l.edit(name, 0)
				delete(l.dirs, name)
			case op == 1 && !isDir:
				to := names[random.IntN(len(names))]
				_, parent := l.dirs[path.Dir(to)]
				if to == "/d" || to == name || !parent {
					continue
				}
				require.NoError(t, direct.Rename(name, to))
				l.log = append(l.log, 'E', 2)
				l.edit(name, 0)
				l.edit(to, l.dirs[name])
				l.dirs[to] = l.dirs[name]
				delete(l.dirs, name)
			case op == 2:
				syncDirs(path.Dir(name))
			case op == 3 && !isDir:
				syncDirs(path.Dir(name))
				f, err := direct.Open(name)
				require.NoError(t, err)
				require.NoError(t, f.Sync())
				l.sync(name)
			case op == 4 && !isDir:
				f, err := direct.OpenFile(name, os.O_WRONLY, 0)
				require.NoError(t, err)
				length := random.Int64N(2000)
				require.NoError(t, f.Truncate(length))
				l.put('T', l.dirs[name], uint64(length))
			case !isDir:
				f, err := direct.OpenFile(name, os.O_WRONLY, 0)
				require.NoError(t, err)
				text, at := make([]byte, 1+random.IntN(2000)), random.IntN(3000)
				for i := range text {
					text[i] = byte(random.Uint32())
				}
				_, err = f.WriteAt(text, int64(at))
				require.NoError(t, err)
				l.write(name, at, text)
			}
		}
		require.NoError(t, replay(replayed, l.log))
		require.Equal(t, direct.Fingerprint(), replayed.Fingerprint(), "seed %d", seed)
		outcome := []string{disk.Lost, disk.Kept, disk.Torn}[seed%3]
		before, differ := treeOf(t, direct), direct.Remember()
		left, err := direct.Crash(outcome, rand.New(rand.NewPCG(seed, 1)))
		require.NoError(t, err)
		other, err := replayed.Crash(outcome, rand.New(rand.NewPCG(seed, 1)))
		require.NoError(t, err)
		require.Equal(t, left.Fingerprint(), other.Fingerprint(), "seed %d, %s", seed, outcome)
		after := treeOf(t, left)
		lost := slices.DeleteFunc(slices.Sorted(maps.Keys(before)), func(name string) bool {
			text, there := after[name]
			return before[name] == nil || there && bytes.Equal(text, before[name])
		})
		require.ElementsMatch(t, lost, differ(left), "seed %d, %s", seed, outcome)
		crashes[len(lost) > 0]++

		again := disk.New()
		require.NoError(t, replay(again, other.Image()))
		again, err = again.Crash(disk.Kept, nil)
		require.NoError(t, err)
		require.Equal(t, left.Fingerprint(), again.Fingerprint(), "the image of the disk is equal to it")
	}
	require.Greater(t, min(crashes[false], crashes[true]), 20)
}

func TestASyncOfANewFileMakesItsNameDurable(t *testing.T) {
	d := disk.New()
	l := &logged{last: 1, dirs: map[string]uint64{"/": 1}}
	l.create("/d", 0o040755)
	l.create("/d/new", 0o100644)
	l.write("/d/new", 0, []byte("text"))
	l.create("/d/other", 0o100644)
	l.sync("/d/new")
	l.log = append(l.log, 'E', 2)
	l.edit("/d/new", 0)
	l.edit("/d/renamed", l.dirs["/d/new"])
	require.NoError(t, replay(d, l.log))
	assert.Equal(t, []string{"", "/d", "/d/new"}, lost(t, d), "a rename needs a sync of its own")
}

func TestASyncOfARenamedFileMakesItsNewNameDurable(t *testing.T) {
	d := disk.New()
	l := &logged{last: 1, dirs: map[string]uint64{"/": 1}}
	l.create("/a", 0o100644)
	l.create("/d", 0o040755)
	l.create("/d/b", 0o100644)
	l.sync("/a")
	l.sync("/d/b")
	l.log = append(l.log, 'E', 2)
	l.edit("/a", 0)
	l.edit("/d/b", l.dirs["/a"])
	l.create("/d/c", 0o100644)
	l.create("/e", 0o100644)
	l.sync("/a") // by the number that it has had before
	require.NoError(t, replay(d, l.log))
	assert.Equal(t, []string{"", "/d", "/d/b"}, lost(t, d), "its old name is gone, and what came later is not durable")
}

// lost returns the names that a crash leaves that loses what is not durable.
func lost(t *testing.T, d *disk.Disk) []string {
	left, err := d.Crash(disk.Lost, nil)
	require.NoError(t, err)
	return slices.Sorted(maps.Keys(treeOf(t, left)))
}

func TestASyncOfANewDirectoryMakesItsNameDurable(t *testing.T) {
	d := disk.New()
	l := &logged{last: 1, dirs: map[string]uint64{"/": 1}}
	l.create("/d", 0o040755)
	l.create("/d/deep", 0o040755)
	l.create("/d/deep/a", 0o100644)
	l.create("/d/other", 0o100644)
	l.sync("/d/deep")
	require.NoError(t, replay(d, l.log))
	left, err := d.Crash(disk.Lost, nil)
	require.NoError(t, err)
	_, err = left.Stat("/d/deep/a")
	assert.NoError(t, err)
	_, err = left.Stat("/d/other")
	assert.ErrorIs(t, err, os.ErrNotExist, "what comes later needs a sync of its directory")
}

func TestAForgottenFileTakesNoMemory(t *testing.T) {
	d := disk.New()
	l := &logged{last: 1, dirs: map[string]uint64{"/": 1}}
	l.create("/a", 0o100644)
	l.write("/a", 0, []byte("text"))
	l.log = append(l.log, 'E', 1)
	l.edit("/a", 0)
	l.put('F', 2)
	require.NoError(t, replay(d, l.log))
	assert.ErrorContains(t, replay(d, l.log[len(l.log)-9:]), "there is no inode 2")
}

func FuzzReplay(f *testing.F) {
	l := &logged{last: 1, dirs: map[string]uint64{"/": 1}}
	l.create("/d", 0o040755)
	l.create("/d/a", 0o100644)
	l.write("/d/a", 100, []byte("text"))
	l.put('T', 3, 50)
	l.sync("/d/a")
	l.sync("/d")
	l.log = append(l.log, 'A', 1)
	f.Add(l.log)
	f.Add([]byte("E\x02"))
	f.Add(fmt.Appendf(nil, "W%021d", 0))
	f.Fuzz(func(t *testing.T, log []byte) {
		if len(log) > 1<<12 {
			t.Skip()
		}
		d := disk.New()
		if replay(d, log) != nil {
			return
		}
		left, err := d.Crash(disk.Torn, rand.New(rand.NewPCG(1, 2)))
		require.NoError(t, err)
		again := disk.New()
		require.NoError(t, replay(again, left.Image()))
	})
}

func replay(d *disk.Disk, log []byte) error {
	_, err := d.Replay(log, nil)
	return err
}
