package disk_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

var long = flag.Int("long", 60, "random sequences of operations, with a crash at every point")

// tested is a disk, a naive journal of it, and a folder of the real file system on
// which the same is done.
type tested struct {
	*testing.T
	random  *rand.Rand
	disk    *disk.Disk
	journal *journal
	folder  string
	open    []opened
	failing bool
	did     []string
}

type opened struct {
	file  *disk.File
	real  *os.File
	inode int
	flag  int
}

func start(t *testing.T, seed uint64, real bool) *tested {
	x := &tested{T: t, random: rand.New(rand.NewPCG(seed, 1)), disk: disk.New(), journal: newJournal()}
	if real {
		x.folder = t.TempDir()
	}
	return x
}

// same requires that something went as it did on the real file system, if that is compared.
func (x *tested) same(err, real error) {
	x.Helper()
	if x.folder == "" {
		return
	}
	var want, got syscall.Errno
	if errors.As(real, &want) {
		require.ErrorAs(x, err, &got, "%v: real: %v", x.did, real)
		if want != syscall.ENOTEMPTY && want != syscall.EEXIST || got != syscall.ENOTEMPTY && got != syscall.EEXIST {
			require.Equal(x, want, got, "%v: real: %v, here: %v", x.did, real, err)
		}
		return
	}
	require.Equal(x, real == nil, err == nil, "%v: real: %v, here: %v", x.did, real, err)
}

func (x *tested) path() string {
	names := []string{"/a", "/b", "/d", "/e"}
	path := names[x.random.IntN(4)]
	if x.random.IntN(2) == 0 {
		path += names[x.random.IntN(4)]
	}
	return path
}

// step does one random operation.
func (x *tested) step() {
	path, other := x.path(), x.path()
	real := filepath.Join(x.folder, path)
	note := func(format string, args ...any) { x.did = append(x.did, fmt.Sprintf(format, args...)) }
	seen := x.journal.seen()
	change := func(edits ...naiveEdit) {
		x.journal.names = append(x.journal.names, naming{kind: "change", edits: edits})
	}
	switch pick := x.random.IntN(20); {
	case pick < 2:
		note("mkdir %s", path)
		err := x.disk.Mkdir(path, 0o755)
		if x.folder != "" {
			x.same(err, os.Mkdir(real, 0o755))
		}
		if err == nil {
			dir, name := seen.parent(path)
			change(naiveEdit{dir, name, x.journal.inode(true)})
		}
	case pick < 3:
		note("remove %s", path)
		err := x.disk.Remove(path)
		if x.folder != "" {
			x.same(err, os.Remove(real))
		}
		if err == nil {
			dir, name := seen.parent(path)
			change(naiveEdit{dir, name, 0})
		}
	case pick < 6:
		note("rename %s %s", path, other)
		err := x.disk.Rename(path, other)
		if x.folder != "" {
			x.same(err, os.Rename(real, filepath.Join(x.folder, other)))
		}
		if err == nil && seen[path] != seen[other] {
			from, old := seen.parent(path)
			to, name := seen.parent(other)
			change(naiveEdit{from, old, 0}, naiveEdit{to, name, seen[path]})
		}
	case pick < 8:
		note("syncdir %s", path)
		x.syncDir(path, seen)
	case pick < 9:
		x.failing = !x.failing
		x.disk.FailSync(x.failing)
		note("failing %v", x.failing)
	case pick < 13 || len(x.open) == 0:
		x.openFile(path, seen, note)
	default:
		x.use(&x.open[x.random.IntN(len(x.open))], note)
	}
}

func (x *tested) syncDir(path string, seen tree) {
	if x.random.IntN(2) == 0 {
		path = ""
	}
	err := x.disk.SyncDir("/" + path)
	inode, there := seen[path]
	if !there || !x.journal.dirs[inode] {
		require.Error(x, err)
		require.NotErrorIs(x, err, syscall.EIO)
		return
	}
	x.journal.names = append(x.journal.names, naming{kind: x.synced(err), dir: inode})
}

func (x *tested) synced(err error) string {
	if x.failing {
		require.ErrorIs(x, err, syscall.EIO)
		return "failed"
	}
	require.NoError(x, err)
	return "sync"
}

func (x *tested) openFile(path string, seen tree, note func(string, ...any)) {
	flags := []int{os.O_RDWR | os.O_CREATE, os.O_RDWR, os.O_RDWR | os.O_APPEND | os.O_CREATE, os.O_RDONLY, os.O_WRONLY | os.O_CREATE | os.O_EXCL, os.O_RDWR | os.O_CREATE | os.O_TRUNC, os.O_RDWR | os.O_SYNC}
	flag := flags[x.random.IntN(len(flags))]
	note("open %s %#x", path, flag)
	f, err := x.disk.OpenFile(path, flag, 0o644)
	var real *os.File
	if x.folder != "" {
		var realErr error
		real, realErr = os.OpenFile(filepath.Join(x.folder, path), flag, 0o644)
		x.same(err, realErr)
	}
	if err != nil {
		return
	}
	inode, there := seen[path]
	switch {
	case !there:
		inode = x.journal.inode(false)
		dir, name := seen.parent(path)
		x.journal.names = append(x.journal.names, naming{kind: "change", edits: []naiveEdit{{dir, name, inode}}})
	case x.journal.dirs[inode]:
		return
	case flag&os.O_TRUNC != 0 && len(x.sees(inode)) > 0:
		x.touch(inode, touch{kind: "truncate"})
	}
	x.open = append(x.open, opened{f, real, inode, flag})
}

func (x *tested) sees(inode int) []byte {
	f := x.journal.files[inode]
	return f.sees(len(f.done))
}

func (x *tested) touch(inode int, t touch) {
	f := &x.journal.files[inode]
	f.done = append(f.done, t)
}

func (x *tested) use(o *opened, note func(string, ...any)) {
	var err, real error
	var done touch
	at, n := x.random.IntN(3*sector), 1+x.random.IntN(2*sector)
	data := make([]byte, n)
	for i := range data {
		data[i] = byte('a' + x.random.IntN(26))
	}
	switch pick := x.random.IntN(10); {
	case pick < 3:
		note("write %d bytes", n)
		if done = (touch{kind: "write", at: len(x.sees(o.inode)), data: data}); o.flag&os.O_APPEND == 0 {
			at, err := o.file.Seek(0, io.SeekCurrent)
			require.NoError(x, err)
			done.at = int(at)
		}
		_, err = o.file.Write(data)
		if o.real != nil {
			_, real = o.real.Write(data)
		}
	case pick < 6:
		note("write %d bytes at %d", n, at)
		done = touch{kind: "write", at: at, data: data}
		_, err = o.file.WriteAt(data, int64(at))
		if o.real != nil {
			_, real = o.real.WriteAt(data, int64(at))
		}
	case pick < 7:
		note("truncate to %d", at)
		done = touch{kind: "truncate", at: at}
		err = o.file.Truncate(int64(at))
		if o.real != nil {
			real = o.real.Truncate(int64(at))
		}
	default:
		note("sync")
		x.touch(o.inode, touch{kind: x.synced(o.file.Sync())})
		return
	}
	written := err == nil
	if x.failing && o.flag&os.O_SYNC != 0 && errors.Is(err, syscall.EIO) {
		written, err = true, nil
	}
	x.same(err, real)
	if written {
		x.touch(o.inode, done)
		if o.flag&os.O_SYNC != 0 {
			kind := "sync"
			if x.failing {
				kind = "failed"
			}
			x.touch(o.inode, touch{kind: kind})
		}
	}
}

// tree reads everything that is on a disk.
func treeOf(t require.TestingT, d *disk.Disk) left {
	all := left{"": nil}
	var walk func(path string)
	walk = func(path string) {
		entries, err := d.ReadDir("/" + path)
		require.NoError(t, err)
		for _, e := range entries {
			name := path + "/" + e.Name()
			if e.IsDir() {
				all[name] = nil
				walk(name)
				continue
			}
			f, err := d.Open(name)
			require.NoError(t, err)
			b, err := io.ReadAll(f)
			require.NoError(t, err)
			all[name] = b
		}
	}
	walk("")
	return all
}

// What is seen is what a real file system shows, and so are the errors.
func TestAsOnRealFiles(t *testing.T) {
	for seed := range uint64(30) {
		x := start(t, seed, true)
		for range 150 {
			x.step()
		}
		want := left{}
		require.NoError(t, filepath.WalkDir(x.folder, func(path string, e fs.DirEntry, err error) error {
			name := path[len(x.folder):]
			if want[name] = nil; !e.IsDir() {
				want[name], err = os.ReadFile(path)
			}
			return err
		}))
		require.Equal(t, want, treeOf(t, x.disk), x.did)
		for _, o := range x.open {
			if o.flag&os.O_WRONLY == 0 {
				want, err := os.ReadFile(fmt.Sprintf("/proc/self/fd/%d", o.real.Fd()))
				if errors.Is(err, fs.ErrNotExist) {
					continue // not on this system
				}
				require.NoError(t, err)
				got, err := io.ReadAll(io.NewSectionReader(o.file, 0, 1<<20))
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
			require.NoError(t, o.real.Close())
		}
	}
}

// Random operations, a crash at every point, with every outcome: it leaves what the
// naive journal says that it leaves, or permits. Then the machine goes on.
func TestCrashAtEveryPoint(t *testing.T) {
	for seed := range uint64(*long) {
		for point := range 25 {
			for _, outcome := range []string{disk.Lost, disk.Kept, disk.Torn, disk.Torn, disk.Torn} {
				x := start(t, seed, false)
				x.random = rand.New(rand.NewPCG(seed, 2))
				for range point {
					x.step()
				}
				x.crash(outcome, rand.New(rand.NewPCG(seed, x.random.Uint64())))
				for range 10 { // the next life
					x.step()
				}
				x.crash(outcome, rand.New(rand.NewPCG(seed, x.random.Uint64())))
			}
		}
	}
}

// crash crashes the disk, checks what is left, and goes on with that.
func (x *tested) crash(outcome string, random *rand.Rand) {
	if _, pending := x.journal.pending(); len(pending) > 10 {
		x.Logf("%d changes are too many to enumerate", len(pending))
		return
	}
	next, err := x.disk.Crash(outcome, random)
	require.NoError(x, err)
	got := treeOf(x, next)
	if outcome == disk.Torn {
		require.True(x, x.journal.permits(got), "%v: %v", x.did, got)
	} else {
		require.Equal(x, x.journal.exactly(outcome == disk.Kept), got, "%s: %v", outcome, x.did)
		require.True(x, x.journal.permits(got), "%s is one of the torn ones: %v", outcome, x.did)
	}
	x.disk, x.journal, x.open, x.failing = next, journalOf(x.journal, got), nil, false
	x.did = append(x.did, "crash "+outcome)
}

// journalOf returns a journal that begins with what is on a disk.
func journalOf(last *journal, got left) *journal {
	j := newJournal()
	t := tree{"": 0}
	var paths []string
	for path := range got {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		if path == "" {
			continue
		}
		dir, name := t.parent(path)
		t[path] = j.inode(got[path] == nil)
		j.files[t[path]].begin = got[path]
		j.names = append(j.names, naming{kind: "change", edits: []naiveEdit{{dir, name, t[path]}}}, naming{kind: "sync", dir: dir})
	}
	return j
}

// Everything on a disk fails once the machine has crashed.
func TestFenced(t *testing.T) {
	d := disk.New()
	f, err := d.Create("f")
	require.NoError(t, err)
	next, err := d.Crash(disk.Kept, nil)
	require.NoError(t, err)
	for what, do := range map[string]func() error{
		"write":    func() error { _, err := f.Write([]byte("late")); return err },
		"write at": func() error { _, err := f.WriteAt([]byte("late"), 0); return err },
		"read":     func() error { _, err := f.Read(make([]byte, 1)); return err },
		"read at":  func() error { _, err := f.ReadAt(make([]byte, 1), 0); return err },
		"seek":     func() error { _, err := f.Seek(0, 0); return err },
		"stat":     func() error { _, err := f.Stat(); return err },
		"truncate": func() error { return f.Truncate(0) },
		"sync":     f.Sync,
		"close":    f.Close,
		"create":   func() error { _, err := d.Create("g"); return err },
		"remove":   func() error { return d.Remove("f") },
		"rename":   func() error { return d.Rename("f", "g") },
		"mkdir":    func() error { return d.Mkdir("d", 0o755) },
		"mkdirall": func() error { return d.MkdirAll("d/e", 0o755) },
		"readdir":  func() error { _, err := d.ReadDir("/"); return err },
		"statname": func() error { _, err := d.Stat("f"); return err },
		"syncdir":  func() error { return d.SyncDir("/") },
		"crash":    func() error { _, err := d.Crash(disk.Lost, nil); return err },
	} {
		require.ErrorIs(t, do(), disk.ErrCrashed, what)
	}
	require.Equal(t, left{"": nil, "/f": {}}, treeOf(t, next))
}

func TestCrashThatCannotBe(t *testing.T) {
	d := disk.New()
	_, err := d.Crash("tron", nil)
	require.EqualError(t, err, `crash of a disk: no outcome "tron": there are lost, kept and torn`)
	_, err = d.Crash(disk.Torn, nil)
	require.ErrorContains(t, err, "there are no random numbers")
	_, err = d.Crash(disk.Lost, nil)
	require.NoError(t, err)
}

// Renames of directories of which some were lost by failed syncs may leave a directory
// in two places, even within itself: it stays in one.
func TestDirectoryInTwoPlaces(t *testing.T) {
	d := disk.New()
	require.NoError(t, d.MkdirAll("b/a", 0o755))
	require.NoError(t, d.SyncDir("/"))
	require.NoError(t, d.SyncDir("b"))
	d.FailSync(true)
	require.NoError(t, d.Rename("b/a", "a"))
	require.Error(t, d.SyncDir("/"))
	require.NoError(t, d.Rename("b", "c"))
	require.Error(t, d.SyncDir("/"))
	d.FailSync(false)
	require.NoError(t, d.Rename("c", "a/b"))
	require.NoError(t, d.SyncDir("a"))
	next, err := d.Crash(disk.Lost, nil)
	require.NoError(t, err)
	require.Equal(t, left{"": nil, "/b": nil, "/b/a": nil}, treeOf(t, next))
}

// Goroutines share a disk (with -race).
func TestConcurrent(t *testing.T) {
	d := disk.New()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 50 {
				f, err := d.OpenFile("log", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
				if err != nil {
					return // the machine has crashed
				}
				_, _ = f.Write([]byte("0123456789"))
				_ = f.Sync()
				_, _ = d.Create(fmt.Sprint(i))
				_ = d.SyncDir("/")
				d.FailSync(k%2 == 0)
			}
		})
	}
	wg.Go(func() { _, _ = d.Crash(disk.Torn, rand.New(rand.NewPCG(1, 1))) })
	wg.Wait()
}

// A write that fails does not move where a file is read.
func TestAppendToAFileForReading(t *testing.T) {
	d := disk.New()
	f, err := d.Create("f")
	require.NoError(t, err)
	_, err = f.Write([]byte("text"))
	require.NoError(t, err)
	f, err = d.OpenFile("f", os.O_RDONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = f.Write([]byte("x"))
	require.ErrorIs(t, err, syscall.EBADF)
	p := make([]byte, 9)
	n, err := f.Read(p)
	require.NoError(t, err)
	require.Equal(t, "text", string(p[:n]))
}
