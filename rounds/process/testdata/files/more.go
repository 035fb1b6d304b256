package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// journal appends a line in each round, and tells how many there were at the start.
func journal(synced bool) {
	before, err := os.ReadFile("journal")
	if err != nil && !os.IsNotExist(err) {
		check(err)
	}
	n, whole := 0, 0
	for line := range bytes.Lines(before) {
		if n++; string(line) == fmt.Sprintf("%0700d\n", n) {
			whole++
		}
	}
	fmt.Println("has", whole)
	f, err := os.OpenFile("journal", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	check(err)
	for {
		n++
		_, err := fmt.Fprintf(f, "%0700d\n", n)
		check(err)
		if synced {
			err = f.Sync()
		}
		if errors.Is(err, syscall.EIO) {
			fmt.Println("failed", n)
		} else {
			check(err)
			fmt.Println("acked", n)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// outside tries to reach real files. The argument is one.
func outside(real string) {
	if _, err := os.Stat("/usr/bin"); err == nil {
		say("this sees the real file system, and does nothing to it")
		return
	}
	for _, name := range []string{real, filepath.Join("../..", real), "/etc/shadow", "../../etc/shadow", "/proc/self/root" + real, "/proc/1/cwd"} {
		_, err := os.ReadFile(name)
		say("read", errors.Is(err, os.ErrNotExist))
	}
	say("link", syscall.Symlink("/..", "up"))
	_, err := os.ReadFile("up" + real)
	say("read by a link", errors.Is(err, os.ErrNotExist))
	say("chroot", syscall.Chroot("/"))
	say("change", os.Truncate(real, 0) != nil, os.Remove(real) != nil, os.Chmod(real, 0) != nil)
	say("make", os.MkdirAll(filepath.Dir(real), 0o755), os.WriteFile(real, nil, 0o644), os.WriteFile("/etc/passwd", nil, 0o644))
	say("own", os.WriteFile("own", nil, 0o644), os.Symlink("/etc/hosts", "hosts"))
	say("link out", os.Link("/etc/hosts", "hard"), os.WriteFile("hosts", nil, 0o644), os.Chmod("hosts", 0o777))
	say("rename across", os.Rename("own", "/etc/hosts"), os.Rename("/etc/hosts", "own"), os.Rename("own", "../../../etc/own"))
	say("proc", os.WriteFile("/proc/self/comm", nil, 0o644), os.WriteFile("/proc/self/fd/1", nil, 0o644), os.Mkdir("/proc/2", 0o755))
	_, err = os.OpenFile("/dev/sda", os.O_RDWR, 0)
	say("disk", err, syscall.Mknod("sda", syscall.S_IFBLK|0o666, 8<<8), os.WriteFile("/dev/sda", nil, 0o644))
	_, err = os.ReadDir("/etc/ssl")
	say("allowed", err == nil || os.IsNotExist(err))
	say("remove", os.RemoveAll("/"))
	entries, err := os.ReadDir("/")
	for _, e := range entries {
		say("left", e.Name())
	}
	say("done", err)
}

// fill writes until there is no room.
func fill() {
	b := make([]byte, 1<<20)
	total := 0
	for i := 0; ; i++ {
		f, err := os.Create(fmt.Sprint("large", i))
		check(err)
		for range 100 {
			n, err := f.Write(b)
			total += n
			if err != nil {
				say("full", errors.Is(err, syscall.ENOSPC), total>>20)
				return
			}
		}
		f.Close()
		if i > 100 {
			say("10 GB")
			return
		}
	}
}

// many makes files, lists them, and removes them.
func many(n int) {
	check(os.Mkdir("many", 0o755))
	for i := range n {
		check(os.WriteFile(fmt.Sprint("many/", i), []byte("x"), 0o644))
	}
	entries, err := os.ReadDir("many")
	say("files", len(entries), err)
	say("removed", os.RemoveAll("many"))
}

// calls makes many calls.
func calls(n int) {
	f, err := os.Create("calls")
	check(err)
	b := make([]byte, 100)
	for i := range n {
		_, err := f.WriteAt(b, int64(i%1000)*100)
		check(err)
		_, err = f.ReadAt(b, int64(i%1000)*100)
		check(err)
	}
	for range n {
		_, err := os.Stat("calls")
		check(err)
	}
	say("called", 3*n)
}
