// Command files does random operations on files, by package os and by system calls, and
// prints what they return. As a node and on a real file system that is the same.
package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func main() {
	syscall.Umask(0o022)
	switch os.Args[1] {
	case "random":
		seed, _ := strconv.ParseUint(os.Args[2], 10, 64)
		sequences, _ := strconv.Atoi(os.Args[3])
		randomly(seed, sequences)
		deep()
		say("done")
	case "journal":
		journal(os.Args[2] == "synced")
	case "outside":
		outside(os.Args[2])
	case "fill":
		fill()
	case "many":
		n, _ := strconv.Atoi(os.Args[2])
		many(n)
	case "calls":
		n, _ := strconv.Atoi(os.Args[2])
		calls(n)
	}
}

func randomly(seed uint64, sequences int) {
	for i := range sequences {
		dir, err := filepath.Abs(fmt.Sprint("run", i))
		check(err)
		check(os.Mkdir(dir, 0o755))
		check(os.Chdir(dir))
		(&run{random: rand.New(rand.NewPCG(seed, uint64(i))), top: dir, open: map[int]int{}}).all()
		check(os.Chdir(".."))
	}
}

var lines int

// say prints lines with numbers, as the facts of a round are in no order.
func say(values ...any) {
	for line := range strings.Lines(fmt.Sprintln(values...)) {
		lines++
		fmt.Printf("%07d %.900s\n", lines, strings.TrimRight(line, "\n"))
	}
}

func check(err error) {
	if err != nil {
		say("not possible:", err)
		os.Exit(1)
	}
}

type run struct {
	random *rand.Rand
	top    string
	open   map[int]int // descriptors by their number here
}

var names = []string{"a", "b", "c", "d1", "d1/a", "d1/d2", "d1/d2/c", "l", "../x", "d1/../b", "./a", "d1/", "a/", "l/a", ".", "d1/."}

func (r *run) name() string { return names[r.random.IntN(len(names))] }

// in limits a name to what this run has.
func (r *run) in() string {
	for {
		if n := r.name(); !strings.HasPrefix(n, "../") {
			return n
		}
	}
}

func (r *run) slot() (int, int) {
	n := r.random.IntN(4)
	fd, ok := r.open[n]
	if !ok {
		fd = 1 << 15
	}
	return n, fd
}

func (r *run) all() {
	for step := range 300 {
		op := r.random.IntN(len(operations))
		say(step, operations[op].name, operations[op].do(r))
	}
	for _, fd := range r.open {
		syscall.Close(fd)
	}
	say(tree(r.top))
}

// result writes an error by its number.
func result(err error, values ...any) string {
	var number syscall.Errno
	switch {
	case errors.As(err, &number):
		return fmt.Sprintf("%v %v", values, number.Error())
	case err != nil:
		return fmt.Sprintf("%v %v", values, err)
	}
	return fmt.Sprintf("%v", values)
}

func describe(st *syscall.Stat_t) string {
	links, size := st.Nlink, st.Size
	if st.Mode&syscall.S_IFMT == syscall.S_IFDIR {
		links, size = 0, 0 // file systems differ
	}
	return fmt.Sprintf("%o links %d size %d", st.Mode, links, size)
}

func tree(dir string) string {
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var st syscall.Stat_t
		if err := syscall.Lstat(path, &st); err != nil {
			return err
		}
		line := strings.TrimPrefix(path, dir) + " " + describe(&st)
		switch {
		case d.Type().IsRegular():
			_ = os.Chmod(path, 0o600)
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			h := fnv.New64()
			h.Write(b)
			line += fmt.Sprintf(" %x", h.Sum64())
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			line += fmt.Sprint(" to ", to, err)
		}
		all = append(all, line)
		return nil
	})
	return fmt.Sprint(strings.Join(all, "\n"), err)
}

func (r *run) bytes(most int) []byte {
	b := make([]byte, r.random.IntN(most))
	for i := range b {
		b[i] = byte(r.random.Uint32())
	}
	return b
}

var operations = []struct {
	name string
	do   func(r *run) string
}{
	{"open", (*run).doOpen}, {"open", (*run).doOpen}, {"open", (*run).doOpen}, {"open", (*run).doOpen},
	{"close", func(r *run) string {
		n, fd := r.slot()
		delete(r.open, n)
		return result(syscall.Close(fd), n)
	}},
	{"write", func(r *run) string {
		n, fd := r.slot()
		k, err := syscall.Write(fd, r.bytes(3000))
		return result(err, n, k)
	}},
	{"write much", func(r *run) string {
		n, fd := r.slot()
		k, err := syscall.Write(fd, make([]byte, r.random.IntN(1<<20)))
		return result(err, n, k)
	}},
	{"pwrite", func(r *run) string {
		n, fd := r.slot()
		k, err := syscall.Pwrite(fd, r.bytes(3000), r.random.Int64N(10000)-10)
		return result(err, n, k)
	}},
	{"read", func(r *run) string {
		n, fd := r.slot()
		b := make([]byte, r.random.IntN(3000))
		if isDirectory(fd) { // the error depends on what was read of it by getdents
			return ""
		}
		k, err := syscall.Read(fd, b)
		return result(err, n, k, sum(b))
	}},
	{"pread", func(r *run) string {
		n, fd := r.slot()
		b := make([]byte, r.random.IntN(3000))
		k, err := unix.Pread(fd, b, r.random.Int64N(10000)-10)
		return result(err, n, k, sum(b))
	}},
	{"readv", func(r *run) string {
		n, fd := r.slot()
		b := [][]byte{make([]byte, r.random.IntN(300)), make([]byte, r.random.IntN(300))}
		if isDirectory(fd) {
			return ""
		}
		k, err := unix.Readv(fd, b)
		return result(err, n, k, sum(b[0]), sum(b[1]))
	}},
	{"writev", func(r *run) string {
		n, fd := r.slot()
		k, err := unix.Writev(fd, [][]byte{r.bytes(300), r.bytes(300)})
		return result(err, n, k)
	}},
	{"preadv", func(r *run) string {
		n, fd := r.slot()
		b := [][]byte{make([]byte, r.random.IntN(300)), make([]byte, r.random.IntN(300))}
		if isDirectory(fd) {
			return ""
		}
		k, err := unix.Preadv(fd, b, r.random.Int64N(4000))
		return result(err, n, k, sum(b[0]), sum(b[1]))
	}},
	{"pwritev", func(r *run) string {
		n, fd := r.slot()
		k, err := unix.Pwritev(fd, [][]byte{r.bytes(300), r.bytes(300)}, r.random.Int64N(4000))
		return result(err, n, k)
	}},
	{"lseek", func(r *run) string {
		n, fd := r.slot()
		whence := r.random.IntN(4)
		if isDirectory(fd) || whence == 3 {
			whence = 9
		}
		at, err := syscall.Seek(fd, r.random.Int64N(5000)-500, whence)
		return result(err, n, at)
	}},
	{"ftruncate", func(r *run) string {
		n, fd := r.slot()
		return result(syscall.Ftruncate(fd, r.random.Int64N(10000)-10), n)
	}},
	{"truncate", func(r *run) string { return result(os.Truncate(r.in(), r.random.Int64N(10000))) }},
	{"fallocate", func(r *run) string {
		n, fd := r.slot()
		mode := []uint32{0, 1, 3, 16, 17, 2}[r.random.IntN(6)]
		return result(syscall.Fallocate(fd, mode, r.random.Int64N(5000)-10, r.random.Int64N(5000)), n, mode)
	}},
	{"fstat", func(r *run) string {
		n, fd := r.slot()
		var st syscall.Stat_t
		err := syscall.Fstat(fd, &st)
		return result(err, n, describe(&st))
	}},
	{"stat", func(r *run) string {
		var st syscall.Stat_t
		name := r.name()
		err := syscall.Stat(name, &st)
		return result(err, name, describe(&st))
	}},
	{"lstat", func(r *run) string {
		var st unix.Stat_t
		name := r.name()
		err := unix.Fstatat(unix.AT_FDCWD, name, &st, unix.AT_SYMLINK_NOFOLLOW)
		return result(err, name, describe((*syscall.Stat_t)(unsafe.Pointer(&st))))
	}},
	{"statx", func(r *run) string {
		var st unix.Statx_t
		name := r.name()
		err := unix.Statx(unix.AT_FDCWD, name, 0, unix.STATX_BASIC_STATS, &st)
		if st.Mode&syscall.S_IFMT == syscall.S_IFDIR {
			st.Size, st.Nlink = 0, 0
		}
		return result(err, name, st.Mode, st.Size, st.Nlink)
	}},
	{"readdir", func(r *run) string {
		name := r.in()
		entries, err := os.ReadDir(name)
		text := ""
		for _, e := range entries {
			text += fmt.Sprint(e.Name(), " ", e.Type(), ";")
		}
		return result(err, name, text)
	}},
	{"getdents", func(r *run) string {
		n, fd := r.slot()
		b := make([]byte, 4096)
		k, err := syscall.ReadDirent(fd, b)
		_, _, found := syscall.ParseDirent(b[:max(k, 0)], -1, nil)
		sort.Strings(found)
		return result(err, n, found)
	}},
	{"rename", func(r *run) string {
		from, to := r.in(), r.in()
		return result(os.Rename(from, to), from, to)
	}},
	{"rename", func(r *run) string {
		from, to := r.in(), r.in()
		return result(syscall.Rename(from, to), from, to)
	}},
	{"renameat2", func(r *run) string {
		from, to, flags := r.in(), r.in(), []uint{unix.RENAME_NOREPLACE, unix.RENAME_EXCHANGE}[r.random.IntN(2)]
		return result(unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags), from, to, flags)
	}},
	{"link", func(r *run) string {
		from, to := r.in(), r.in()
		return result(os.Link(from, to), from, to)
	}},
	{"symlink", func(r *run) string {
		from, to := r.in(), r.in()
		return result(os.Symlink(from, to), from, to)
	}},
	{"readlink", func(r *run) string {
		name := r.in()
		to, err := os.Readlink(name)
		return result(err, name, to)
	}},
	{"unlink", func(r *run) string {
		name := r.in()
		return result(syscall.Unlink(name), name)
	}},
	{"rmdir", func(r *run) string {
		name := r.in()
		return result(syscall.Rmdir(name), name)
	}},
	{"remove", func(r *run) string {
		name := r.in()
		return result(os.Remove(name), name)
	}},
	{"mkdir", func(r *run) string {
		name := r.in()
		return result(syscall.Mkdir(name, uint32(0o700|r.random.IntN(0o100))), name)
	}},
	{"mkdir", func(r *run) string {
		name := r.in()
		return result(os.MkdirAll(name, 0o777), name)
	}},
	{"chmod", func(r *run) string {
		name := r.in()
		return result(os.Chmod(name, 0o700|os.FileMode(r.random.IntN(0o100))), name)
	}},
	{"access", func(r *run) string {
		name := r.in()
		return result(unix.Access(name, unix.R_OK|unix.W_OK), name)
	}},
	{"fsync", func(r *run) string {
		n, fd := r.slot()
		return result(syscall.Fsync(fd), n)
	}},
	{"fdatasync", func(r *run) string {
		n, fd := r.slot()
		return result(unix.Fdatasync(fd), n)
	}},
	{"flock", func(r *run) string {
		n, fd := r.slot()
		how := []int{syscall.LOCK_EX, syscall.LOCK_SH, syscall.LOCK_UN}[r.random.IntN(3)]
		return result(syscall.Flock(fd, how|syscall.LOCK_NB), n, how)
	}},
	{"dup", func(r *run) string {
		n, fd := r.slot()
		copied, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			return result(err, n)
		}
		to := r.random.IntN(4)
		if before, ok := r.open[to]; ok {
			syscall.Close(before)
		}
		r.open[to] = copied
		return result(nil, n, to)
	}},
	{"flags", func(r *run) string {
		n, fd := r.slot()
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		onExec, err2 := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil {
			flags = 0
		}
		return result(err, n, flags&^0x8000, onExec, err2)
	}},
	{"copy", func(r *run) string {
		n, from := r.slot()
		m, to := r.slot()
		if from == to || sameFile(from, to) {
			return ""
		}
		k, err := unix.CopyFileRange(from, nil, to, nil, r.random.IntN(3000), 0)
		return result(err, n, m, k)
	}},
	{"sendfile", func(r *run) string {
		n, from := r.slot()
		m, to := r.slot()
		if sameFile(from, to) || isDirectory(from) || isDirectory(to) || appends(to) {
			return ""
		}
		k, err := syscall.Sendfile(to, from, nil, r.random.IntN(3000))
		return result(err, n, m, k)
	}},
	{"mmap", (*run).doMap},
	{"unnamed", func(r *run) string {
		fd, err := syscall.Open("d1", unix.O_TMPFILE|syscall.O_RDWR, 0o600)
		if err != nil {
			return result(err)
		}
		defer syscall.Close(fd)
		syscall.Write(fd, r.bytes(100))
		name := r.in()
		return result(unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW), name)
	}},
	{"times", func(r *run) string {
		name := r.in()
		at := time.Unix(r.random.Int64N(1e9), 5000)
		err := os.Chtimes(name, at, at)
		if err != nil {
			return result(err, name)
		}
		info, err := os.Stat(name)
		check(err)
		return result(nil, name, info.ModTime().UTC())
	}},
	{"chdir", func(r *run) string {
		name := []string{"d1", "..", "d1/d2", "a"}[r.random.IntN(4)]
		err := syscall.Chdir(name)
		wd, wdErr := syscall.Getwd()
		check(os.Chdir(r.top))
		return result(err, name, strings.TrimPrefix(wd, filepath.Dir(r.top)), wdErr)
	}},
	{"by package os", func(r *run) string {
		name := r.in()
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
		if err != nil {
			return result(err, name)
		}
		defer f.Close()
		_, err = f.Write(r.bytes(500))
		if err == nil {
			_, err = f.Seek(0, io.SeekStart)
		}
		if err != nil {
			return result(err, name)
		}
		b, err := io.ReadAll(f)
		return result(err, name, sum(b), f.Sync())
	}},
	{"copied by package os", func(r *run) string {
		name, to := r.in(), r.in()
		from, err := os.Open(name)
		if err != nil {
			return result(err, name)
		}
		defer from.Close()
		if a, err := os.Stat(name); err != nil || !a.Mode().IsRegular() {
			return ""
		} else if b, err := os.Stat(to); err == nil && os.SameFile(a, b) {
			return ""
		}
		f, err := os.Create(to)
		if err != nil {
			return result(err, to)
		}
		defer f.Close()
		n, err := io.Copy(f, from)
		return result(err, name, to, n)
	}},
}

func sum(b []byte) string {
	h := fnv.New32()
	h.Write(b)
	return fmt.Sprintf("%x", h.Sum32())
}

func isDirectory(fd int) bool {
	var st syscall.Stat_t
	return syscall.Fstat(fd, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFDIR
}

func sameFile(a, b int) bool {
	var x, y syscall.Stat_t
	return syscall.Fstat(a, &x) == nil && syscall.Fstat(b, &y) == nil && x.Ino == y.Ino
}

func appends(fd int) bool {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_APPEND != 0
}

func (r *run) doOpen() string {
	name := r.in()
	flags := []int{syscall.O_RDONLY, syscall.O_WRONLY, syscall.O_RDWR, syscall.O_RDWR}[r.random.IntN(4)]
	for _, more := range []int{syscall.O_CREAT, syscall.O_CREAT, syscall.O_EXCL, syscall.O_TRUNC, syscall.O_APPEND, syscall.O_SYNC, syscall.O_DIRECTORY, syscall.O_NOFOLLOW, syscall.O_CLOEXEC} {
		if r.random.IntN(5) == 0 || more == syscall.O_CREAT && r.random.IntN(2) == 0 {
			flags |= more
		}
	}
	if flags&(syscall.O_CREAT|syscall.O_DIRECTORY) == syscall.O_CREAT|syscall.O_DIRECTORY {
		flags &^= syscall.O_DIRECTORY // kernels differ
	}
	fd, err := syscall.Open(name, flags, 0o666)
	n := r.random.IntN(4)
	if err != nil {
		return result(err, n, name, flags)
	}
	if before, ok := r.open[n]; ok {
		syscall.Close(before)
	}
	r.open[n] = fd
	return result(nil, n, name, flags)
}

// doMap maps a file, and looks whether mapping and file see each other's writes.
func (r *run) doMap() string {
	n, fd := r.slot()
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil || st.Size < 100 || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return ""
	}
	b, err := syscall.Mmap(fd, 0, int(st.Size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return result(err, n)
	}
	defer syscall.Munmap(b)
	before := sum(b)
	k, writeErr := syscall.Pwrite(fd, []byte("written"), 10)
	seen := string(b[10:17])
	copy(b[50:], "mapped")
	err = unix.Msync(b, unix.MS_SYNC)
	got := make([]byte, 6)
	m, readErr := syscall.Pread(fd, got, 50)
	return result(err, n, before, k, writeErr, fmt.Sprintf("%q %q", seen, got), m, readErr)
}

// deep reads with arguments on stacks of all depths.
func deep() {
	check(os.WriteFile("deep", []byte("0123456789abcdef0123456789abcdef"), 0o644))
	f, err := os.Open("deep")
	check(err)
	wrong := 0
	for depth := range 600 {
		done := make(chan int)
		go func() { done <- down(depth, int(f.Fd())) }()
		wrong += <-done
	}
	say("deep", wrong)
}

func down(depth, fd int) int {
	var b [32]byte
	if depth > 0 {
		n := down(depth-1, fd)
		return n + int(b[0])
	}
	wrong := 0
	n, _, err := syscall.Syscall6(syscall.SYS_PREAD64, uintptr(fd), uintptr(unsafe.Pointer(&b)), 32, 0, 0, 0)
	if n != 32 || err != 0 || string(b[:]) != "0123456789abcdef0123456789abcdef" {
		wrong++
	}
	var c [32]byte
	n, _, err2 := unix.Syscall6(unix.SYS_PREAD64, uintptr(fd), uintptr(unsafe.Pointer(&c)), 32, 0, 0, 0)
	if n != 32 || err2 != 0 || c != b {
		wrong++
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Size != 32 {
		wrong++
	}
	return wrong
}
