package disk_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// letters writes what is in a file by sectors: its letters, and its length.
func letters(b []byte) string {
	var out strings.Builder
	for s := range slices.Chunk(b, sector) {
		c := slices.Compact(slices.Clone(s))
		out.WriteString(strings.ReplaceAll(string(c), "\x00", "0"))
	}
	return fmt.Sprintf("%s %d", out.String(), len(b))
}

func filled(letter string, n int) []byte { return bytes.Repeat([]byte(letter), n) }

// drawn returns the different files that torn crashes leave of what is done.
func drawn(t *testing.T, seeds uint64, do func(d *disk.Disk, f *disk.File)) []string {
	var all []string
	for seed := range seeds {
		d := disk.New()
		f, err := d.Create("f")
		require.NoError(t, err)
		_, err = f.Write(filled("a", 2*sector))
		require.NoError(t, err)
		require.NoError(t, f.Sync())
		require.NoError(t, d.SyncDir("/"))
		do(d, f)
		next, err := d.Crash(disk.Torn, rand.New(rand.NewPCG(seed, 0)))
		require.NoError(t, err)
		all = append(all, letters(treeOf(t, next)["/f"]))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Torn reaches all that the package promises, and nothing else.
func TestTornReachesItsCorners(t *testing.T) {
	for _, c := range []struct {
		what string
		do   func(d *disk.Disk, f *disk.File)
		want []string
	}{
		{"nothing is done", func(*disk.Disk, *disk.File) {}, []string{"aa 1024"}},
		{"written over", func(_ *disk.Disk, f *disk.File) {
			_, _ = f.WriteAt(filled("b", 2*sector), 0)
		}, []string{"aa 1024", "ab 1024", "ba 1024", "bb 1024"}},
		{"appended", func(_ *disk.Disk, f *disk.File) {
			_, _ = f.Write(filled("b", sector+8))
		}, []string{"aa 1024", "aa0 1536", "aa00 1544", "aa0b 1544", "aab 1536", "aab0 1544", "aabb 1544"}},
		{"in two writes, in any order", func(_ *disk.Disk, f *disk.File) {
			_, _ = f.WriteAt(filled("b", 4), sector)
			_, _ = f.WriteAt(filled("c", 4), 0)
		}, []string{"aba 1024", "caa 1024", "caba 1024", "aa 1024"}},
		{"cut and written again: what was cut off is not there again", func(_ *disk.Disk, f *disk.File) {
			_ = f.Truncate(0)
			_, _ = f.WriteAt(filled("b", 8), 0)
		}, []string{" 0", "0 8", "aa 1024", "b 8"}},
		{"a failed sync", func(d *disk.Disk, f *disk.File) {
			_, _ = f.WriteAt(filled("b", 2*sector), 0)
			d.FailSync(true)
			_ = f.Sync()
			d.FailSync(false)
			_, _ = f.WriteAt(filled("c", 8), 0)
		}, []string{"aa 1024", "cba 1024"}}, // a sector is written with all that is seen in it
	} {
		slices.Sort(c.want)
		require.Equal(t, c.want, drawn(t, 3000, c.do), c.what)
	}
}

// Names are left in their order, whole renames or nothing of them.
func TestTornNames(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(2000) {
		d := disk.New()
		require.NoError(t, d.Mkdir("x", 0o755))
		require.NoError(t, d.SyncDir("/"))
		for _, name := range []string{"1", "2", "x/3"} {
			_, err := d.Create(name)
			require.NoError(t, err)
		}
		require.NoError(t, d.Rename("2", "x/2"))
		next, err := d.Crash(disk.Torn, rand.New(rand.NewPCG(seed, 0)))
		require.NoError(t, err)
		var names []string
		for name := range treeOf(t, next) {
			names = append(names, name)
		}
		slices.Sort(names)
		seen[strings.Join(names, " ")] = true
	}
	require.Equal(t, map[string]bool{
		" /x": true, " /1 /x": true, " /1 /2 /x": true,
		" /x /x/3": true, " /1 /x /x/3": true, " /1 /2 /x /x/3": true,
		" /1 /x /x/2 /x/3": true,
	}, seen)
}

// The same random numbers leave the same.
func TestTornRepeats(t *testing.T) {
	for seed := range uint64(20) {
		var all [2]left
		for i := range all {
			x := start(t, seed, false)
			for range 60 {
				x.step()
			}
			next, err := x.disk.Crash(disk.Torn, rand.New(rand.NewPCG(seed, 9)))
			require.NoError(t, err)
			all[i] = treeOf(t, next)
		}
		require.Equal(t, all[0], all[1])
	}
}

// As a careful server does it: a file is replaced as a whole, whatever a crash leaves.
func TestReplacedAsAWhole(t *testing.T) {
	for seed := range uint64(300) {
		d := disk.New()
		for i, letter := range []string{"a", "b"} {
			f, err := d.OpenFile("tmp", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
			require.NoError(t, err)
			_, err = f.Write(filled(letter, 3*sector))
			require.NoError(t, err)
			require.NoError(t, f.Sync())
			require.NoError(t, d.Rename("tmp", "f"))
			if i == 0 {
				require.NoError(t, d.SyncDir("/"))
			}
		}
		next, err := d.Crash(disk.Torn, rand.New(rand.NewPCG(seed, 0)))
		require.NoError(t, err)
		require.Contains(t, []string{"aaa 1536", "bbb 1536"}, letters(treeOf(t, next)["/f"]))
	}
}

// Two disks have one fingerprint if the same is seen on them, durable, and not yet
// durable, however it came about.
func TestFingerprint(t *testing.T) {
	do := func(steps ...func(d *disk.Disk)) string {
		d := disk.New()
		for _, step := range steps {
			step(d)
		}
		return d.Fingerprint()
	}
	write := func(name, what string) func(d *disk.Disk) {
		return func(d *disk.Disk) {
			f, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
			require.NoError(t, err)
			_, err = f.Write([]byte(what))
			require.NoError(t, err)
		}
	}
	sync := func(name string) func(d *disk.Disk) {
		return func(d *disk.Disk) {
			f, err := d.Open(name)
			require.NoError(t, err)
			require.NoError(t, f.Sync())
		}
	}
	different := [][]func(d *disk.Disk){
		{},
		{write("a", "x")},
		{write("a", "y")},
		{write("b", "x")},
		{write("a", "x"), sync("a")},
		{write("a", "x"), sync("/")},
		{write("a", "x"), sync("a"), sync("/")},
		{write("a", "x"), sync("a"), sync("/"), write("a", "x")},
		{write("a", "x"), sync("/"), write("a", "x"), sync("a")},
		{func(d *disk.Disk) { d.FailSync(true) }},
		{func(d *disk.Disk) { _ = d.Mkdir("a", 0o755) }},
	}
	names := map[string]int{}
	for i, steps := range different {
		names[do(steps...)] = i
		require.Equal(t, do(steps...), do(steps...))
	}
	require.Len(t, names, len(different))
	require.Equal(t, do(write("a", "x"), sync("a"), sync("/"), write("b", "x"), sync("b"), sync("/")),
		do(write("b", "x"), sync("b"), sync("/"), write("a", "x"), sync("a"), sync("/")))
}
