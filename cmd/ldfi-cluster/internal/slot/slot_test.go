//go:build linux

package slot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/stretchr/testify/require"
)

const build = "v1"

// aSlot is one whose ldfi is a fake, with a directory for slots in which nothing stays.
func aSlot(t *testing.T, change func(*Options)) *Slot {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	o := Options{Ldfi: self, Build: build, Dir: t.TempDir(), Grace: 100 * time.Millisecond, Hosts: true}
	if change != nil {
		change(&o)
	}
	s, err := New(o)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		entries, err := os.ReadDir(o.Dir)
		require.NoError(t, err)
		require.Empty(t, entries)
		requireNobody(t, s.dir.Path())
	})
	return s
}

// requireNobody demands that no process is left that a slot has started.
func requireNobody(t *testing.T, dir string) {
	t.Helper()
	require.Eventually(t, func() bool { return len(inhabitants(t, dir)) == 0 }, 5*time.Second, 10*time.Millisecond, "processes in %s", dir)
}

// inhabitants are the processes whose environment names a directory.
func inhabitants(t *testing.T, dir string) (pids []string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("looks for processes in /proc")
	}
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(t, err)
	for _, name := range all {
		if env, err := os.ReadFile(name); err == nil && bytes.Contains(env, []byte("HOME="+dir+"/")) {
			pids = append(pids, filepath.Base(filepath.Dir(name)))
		}
	}
	return pids
}

func aUnit(do, x string, files ...string) *work.Unit {
	text, err := json.Marshal(ask{do, x})
	check(err)
	u := &work.Unit{Kind: work.Search, Build: build, Ask: text, Files: map[string]string{}}
	for _, name := range files {
		u.Files[name] = work.Digest([]byte("content of " + name))
	}
	return u
}

// aHost is a unit with a program.
func aHost(do, x string, files ...string) *work.Unit {
	u := aUnit(do, x, files...)
	u.Platform = runtime.GOOS + "/" + runtime.GOARCH
	return u
}

// contents is what is in the files of units.
func contents(u *work.Unit) func(string) ([]byte, error) {
	return func(digest string) ([]byte, error) {
		for name, d := range u.Files {
			if d == digest {
				return []byte("content of " + name), nil
			}
		}
		return nil, errors.New("there is no such file")
	}
}

func result(t *testing.T, s *Slot, u *work.Unit) *work.Result {
	t.Helper()
	r, err := s.Do(t.Context(), u, 0, contents(u))
	require.NoError(t, err)
	require.Equal(t, u.Address(), r.Address)
	require.Equal(t, build, r.Build)
	require.Positive(t, r.Elapsed)
	return r
}

// seen is what a unit sees that is done.
func seen(t *testing.T, s *Slot, u *work.Unit) *world {
	t.Helper()
	r := result(t, s, u)
	require.Empty(t, r.Failure, r.Log)
	require.True(t, r.Final)
	require.Zero(t, r.Tries)
	w := &world{}
	require.NoError(t, json.Unmarshal(r.Answer, w))
	return w
}

// requireFailure demands that a unit cannot be done, and that the next one can.
func requireFailure(t *testing.T, s *Slot, u *work.Unit, reason string) *work.Result {
	t.Helper()
	r := result(t, s, u)
	require.Contains(t, r.Failure, reason)
	require.Equal(t, 1, r.Tries)
	require.Empty(t, r.Answer)
	require.False(t, r.Final)
	seen(t, s, aUnit("look", ""))
	return r
}

// Units are done one after the other by one process.
func TestUnits(t *testing.T) {
	s := aSlot(t, func(o *Options) { o.Cores = 3 })
	first := seen(t, s, aUnit("look", "", "a.ded", "x/y/b.ded"))
	require.Equal(t, 3, first.Cores)
	require.Zero(t, first.Limit)
	require.Equal(t, []string{
		".",
		"files", "files/a.ded -r-------- content of a.ded", "files/x", "files/x/y", "files/x/y/b.ded -r-------- content of x/y/b.ded",
		"home", "lock -rw------- ", "tmp",
	}, first.Files)
	second := seen(t, s, aUnit("look", "", "c.ded"))
	require.Equal(t, first.Process, second.Process)
	require.Equal(t, []string{".", "files", "files/c.ded -r-------- content of c.ded", "home", "lock -rw------- ", "tmp"}, second.Files)
}

// An error of the question is no fault of who does it: nobody has to try again.
func TestWrongQuestion(t *testing.T) {
	s := aSlot(t, nil)
	r := result(t, s, aUnit("wrong", "x"))
	require.Equal(t, "there is no relation x", r.Failure)
	require.Equal(t, "doing wrong\n", r.Log)
	require.True(t, r.Final)
	require.Zero(t, r.Tries)
}

// Nothing of what the worker knows is seen by what it starts.
func TestEnvironment(t *testing.T) {
	t.Setenv("LDFI_NKEY", "secret")
	s := aSlot(t, func(o *Options) { o.Memory = 1 << 30 })
	w := seen(t, s, aUnit("look", ""))
	dir := w.Dir
	require.Equal(t, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir + "/home", "TMPDIR=" + dir + "/tmp", "GOMEMLIMIT=966367638"}, w.Env)
	require.Equal(t, "ldfi-slot-", strings.TrimRight(filepath.Base(dir), "0123456789"))
}

// What a worker allows is demanded of units, and who asks is told what to do.
func TestRefused(t *testing.T) {
	s := aSlot(t, func(o *Options) { o.Hosts = false })
	long := strings.Repeat("x", 300)
	for reason, change := range map[string]func(*work.Unit){
		"start the worker with --allow-hosts":        func(u *work.Unit) { u.Platform = runtime.GOOS + "/" + runtime.GOARCH },
		"has a program for plan9/x":                  func(u *work.Unit) { u.Platform = "plan9/x" },
		"is of the ldfi v0, and the worker has v1":   func(u *work.Unit) { u.Build = "v0" },
		`the kind "x", which is not known`:           func(u *work.Unit) { u.Kind = "x" },
		`"../a", which is no name of a file`:         func(u *work.Unit) { u.Files["../a"] = work.Digest(nil) },
		"cannot be written: ":                        func(u *work.Unit) { u.Files[long] = work.Digest([]byte("content of " + long)) },
		`"a/b", and with "a", which cannot be a dir`: func(u *work.Unit) { u.Files["a/b"] = work.Digest(nil) },
	} {
		u := aUnit("look", "", "a")
		change(u)
		requireFailure(t, s, u, reason)
	}
}

// Programs are started from a directory in which nobody has written before, and in a new
// process.
func TestHosts(t *testing.T) {
	s := aSlot(t, nil)
	w := seen(t, s, aHost("shell", "test -x program && ! test -w . || echo x > y", "program"))
	require.Contains(t, w.Files, "files/program -r-x------ content of program")
	require.NotEqual(t, w.Process, seen(t, s, aHost("look", "")).Process)
}

// Nobody else reads what the worker was started with.
func TestConcealed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("the superuser reads everything")
	}
	s := aSlot(t, nil)
	require.Contains(t, requireFailure(t, s, aHost("shell", "cat /proc/"+strconv.Itoa(os.Getpid())+"/environ"), "exit code").Log, "Permission denied")
}

// Every limit that is met says what it is, how much it was, and how to raise it.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, do, x string
		change      func(*Options)
		limit       time.Duration
		reason      string
	}{
		{"time of the worker", "sleep", "", func(o *Options) { o.Time = 100 * time.Millisecond }, time.Hour,
			"it took longer than the 100ms that the worker gives a unit, and did not stop within 100ms more: start the worker with a larger --time"},
		{"time that was given", "sleep", "", func(o *Options) { o.Time = time.Hour }, 100 * time.Millisecond,
			"it did not stop when the 100ms that it was given were over, nor within 100ms more"},
		{"memory", "eat", "", func(o *Options) { o.Memory = 100 << 20 }, 0,
			"MiB of memory, and the worker gives a unit 100.0 MiB: start the worker with a larger --memory"},
		{"files", "look", "", func(o *Options) { o.Files = 10 }, 0,
			"it has more than 10 bytes in files, which is the most that a worker takes"},
		{"answer", "flood", "", func(o *Options) { o.Answer = 1 << 20 }, 0,
			"its answer is longer than 1.0 MiB, which is the most that a worker takes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := aSlot(t, c.change)
			u := aUnit(c.do, c.x, "a file")
			r, err := s.Do(t.Context(), u, c.limit, contents(u))
			require.NoError(t, err)
			require.Contains(t, r.Failure, c.reason)
			require.Equal(t, 1, r.Tries)
			s.options.Time = 0 // the next one may take longer on this machine
			seen(t, s, aUnit("look", ""))
		})
	}
}

// A unit that stops in time says what it knows, and that it was the worker who stopped it.
func TestStopsInTime(t *testing.T) {
	s := aSlot(t, func(o *Options) { o.Time = 200 * time.Millisecond; o.Grace = 10 * time.Second })
	u := aUnit("stop in time", "")
	for limit, log := range map[time.Duration]string{
		0:                      "the worker gives a unit 200ms (--time): this is what was known by then\n",
		time.Hour:              "the worker gives a unit 200ms (--time): this is what was known by then\n",
		100 * time.Millisecond: "",
	} {
		r, err := s.Do(t.Context(), u, limit, contents(u))
		require.NoError(t, err)
		require.Equal(t, json.RawMessage(`"so far"`), r.Answer)
		require.False(t, r.Final)
		require.Equal(t, log, r.Log)
	}
}

// The memory of all that a unit starts counts, wherever it has gone.
func TestMemoryOfWhatItStarts(t *testing.T) {
	s := aSlot(t, func(o *Options) { o.Memory = 200 << 20 })
	requireFailure(t, s, aHost("shell", "setsid sh -c 'x=x; while true; do x=$x$x; done'"), "of memory, and the worker gives a unit 200.0 MiB")
}

// What the units before hold is not the fault of a unit.
func TestMemoryOfTheUnitsBefore(t *testing.T) {
	s := aSlot(t, func(o *Options) { o.Memory = 400 << 20 })
	first := seen(t, s, aUnit("hold", "120"))
	require.Equal(t, first.Process, seen(t, s, aUnit("look", "")).Process)
	// This one would have too little beside what is there: a new process does it again.
	second := seen(t, s, aUnit("hold", "300"))
	require.NotEqual(t, first.Process, second.Process)
	// Nor does a process go on that holds much.
	require.NotEqual(t, second.Process, seen(t, s, aUnit("look", "")).Process)
}

// However a process misbehaves, its unit fails with what is wrong, and the next one is done.
func TestMisbehaviour(t *testing.T) {
	s := aSlot(t, func(o *Options) { o.Time = time.Second })
	for _, c := range []struct{ do, x, reason, log string }{
		{"crash", "", "has ended without an answer, with exit code 2", "something is wrong inside"},
		{"leave", "", "has ended without an answer, with exit code 3", "doing leave"},
		{"die", "", "was killed, as the system does when it runs out of memory", "doing die"},
		{"shell", "kill $PPID; sleep 10", "was ended by signal 15", "doing shell"},
		{"close", "", "longer than the 1s", "doing close"},
		{"write", "", "longer than the 1s", "doing write"},
		{"write", "half", "longer than the 1s", ""},
		{"write", "nonsense\n", "has said what is no answer: \"nonsense\"", ""},
		{"write", "\n", "has said what is no answer: \"\"", ""},
		{"write", "null\n", "has said what is no answer: \"null\"", ""},
		{"write", "{}\n", "has said what is no answer: \"{}\"", ""},
		{"write", `{"answer":1,"error":"x"}` + "\n", "has said what is no answer: ", ""},
		{"write", `{"answer":` + "\n", "has said what is no answer: ", ""},
		{"write", "\x1b[2J\n", `has said what is no answer: "\x1b[2J"`, ""},
		{"write", strings.Repeat("x", 1000) + "\n", "has said what is no answer: ", ""},
	} {
		require.Contains(t, requireFailure(t, s, aUnit(c.do, c.x), c.reason).Log, c.log)
	}
}

// A process that says more than it was asked is not asked again.
func TestSaysTooMuch(t *testing.T) {
	s := aSlot(t, func(o *Options) { o.Time = 10 * time.Second })
	for _, more := range []string{"{\"answer\":2}\n", "{"} {
		r := result(t, s, aUnit("write", "{\"answer\":1}\n"+more))
		if r.Failure == "" { // the second answer came too late to be noticed
			require.Equal(t, json.RawMessage("1"), r.Answer)
		}
		seen(t, s, aUnit("look", ""))
	}
}

// The log is the end of what was written, in whole lines.
func TestLog(t *testing.T) {
	s := aSlot(t, nil)
	r := requireFailure(t, s, aUnit("chatter", ""), "exit code 3")
	require.True(t, strings.HasPrefix(r.Log, "...\nline "), r.Log[:20])
	require.True(t, strings.HasSuffix(r.Log, "line 99998\nline 99999\n"))
	require.InDelta(t, 64<<10, len(r.Log), 20)
}

// A unit that is not needed any more is killed at once, with all that it has started.
func TestCancel(t *testing.T) {
	s := aSlot(t, nil)
	for _, u := range []*work.Unit{aUnit("sleep", ""), aHost("shell", "setsid sleep 1000 & sleep 1000")} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(200*time.Millisecond, cancel)
		begun := time.Now()
		_, err := s.Do(ctx, u, 0, contents(u))
		require.ErrorIs(t, err, context.Canceled)
		require.Less(t, time.Since(begun), 2*time.Second)
		require.Empty(t, inhabitants(t, s.dir.Path()))
		seen(t, s, aUnit("look", ""))
	}
}

// What a unit leaves behind is gone when the next one begins: also what is in a session of
// its own, has no parent any more, has closed its output, or has protected its files.
func TestLeftBehind(t *testing.T) {
	s := aSlot(t, nil)
	for _, how := range []string{
		"sleep 1000 &",
		"(setsid sleep 1000 &) &",
		"(setsid nohup sleep 1000 < /dev/null > /dev/null 2>&1 &) &",
		"(trap '' TERM INT HUP; setsid sh -c 'while true; do sleep 1000; done' &) &",
		"mkdir -p x/y ../home/z; echo > x/y/file; chmod 500 x/y x; rm -f ../files/a; ln -s / ../tmp/root; chmod 0 ../home; ln -s ../lock ../new",
		"mv ../files ../elsewhere; ln -s /etc ../files",
	} {
		result(t, s, aHost("shell", how, "a"))
		require.Empty(t, inhabitants(t, s.dir.Path()), how)
		require.Equal(t, []string{".", "files", "home", "lock -rw------- ", "tmp"}, seen(t, s, aUnit("look", "")).Files, how)
	}
}

// A process that was started by one which is to do further units ends before them.
func TestLeftBehindByTheProcess(t *testing.T) {
	s := aSlot(t, nil)
	first := seen(t, s, aUnit("shell", "setsid sleep 1000 &"))
	require.NotEqual(t, first.Process, seen(t, s, aUnit("look", "")).Process)
	require.Len(t, inhabitants(t, s.dir.Path()), 2) // the process and its keeper
}

// Who cannot get the files of a unit says so, and not that the unit is wrong.
func TestNoFiles(t *testing.T) {
	s := aSlot(t, nil)
	u := aUnit("look", "", "a")
	_, err := s.Do(t.Context(), u, 0, func(string) ([]byte, error) { return nil, errors.New("there is no connection") })
	require.EqualError(t, err, "fetching the file a of a unit: there is no connection")
	_, err = s.Do(t.Context(), u, 0, func(string) ([]byte, error) { return []byte("other"), nil })
	require.ErrorContains(t, err, "its content is not the one that was asked for")
}

// A worker without ldfi does not spoil units.
func TestNoLdfi(t *testing.T) {
	_, err := New(Options{Ldfi: filepath.Join(t.TempDir(), "ldfi")})
	require.ErrorContains(t, err, "looking for ldfi, which does units")
	ldfi := filepath.Join(t.TempDir(), "ldfi")
	require.NoError(t, os.WriteFile(ldfi, []byte("no program"), 0o700))
	s := aSlot(t, func(o *Options) { o.Ldfi = ldfi })
	u := aUnit("look", "")
	_, err = s.Do(t.Context(), u, 0, contents(u))
	require.ErrorContains(t, err, "starting ldfi, which does units: ")
	require.ErrorContains(t, err, ldfi)
}

// A worker that is killed leaves nothing running, and the next one removes its directory.
func TestKilledWorker(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	worker := exec.Command(self, "worker", dir)
	require.NoError(t, worker.Start())
	var slots []string
	require.Eventually(t, func() bool {
		slots, err = filepath.Glob(filepath.Join(dir, "ldfi-slot-*"))
		return err == nil && len(slots) == 1 && len(inhabitants(t, slots[0])) == 5 // keeper, ldfi, shell and what it started
	}, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, worker.Process.Kill())
	require.Error(t, worker.Wait())
	requireNobody(t, slots[0])
	lock := flock.New(filepath.Join(slots[0], files.Lock))
	require.Eventually(t, func() bool { // the lock of a process goes a moment after what shows it
		free, err := lock.TryLock()
		return err == nil && free
	}, 5*time.Second, time.Millisecond)
	require.NoError(t, lock.Close())
	s := aSlot(t, func(o *Options) { o.Dir = dir })
	require.NoDirExists(t, slots[0])
	seen(t, s, aUnit("look", ""))
}

// beWorker does a unit that never ends.
func beWorker(dir string) {
	self, err := os.Executable()
	check(err)
	s, err := New(Options{Ldfi: self, Build: build, Dir: dir, Hosts: true})
	check(err)
	u := aHost("shell", "(setsid sleep 1000 &) & sleep 1000")
	_, err = s.Do(context.Background(), u, 0, contents(u))
	check(fmt.Errorf("it ended: %w", err))
}
