package work_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/stretchr/testify/require"
)

// playing, in the environment, makes this program ldfi-cluster, as it is in a scene.
const playing = "COORDINATOR_TEST_SCENE"

func TestMain(m *testing.M) {
	if scene := os.Getenv(playing); scene != "" {
		os.Exit(newActor().play(scene))
	}
	os.Exit(m.Run())
}

// actor is a ldfi-cluster whose workers are all in its head.
type actor struct{ orders *bufio.Scanner }

func newActor() *actor {
	orders := bufio.NewScanner(os.Stdin)
	orders.Buffer(nil, 1<<24)
	return &actor{orders}
}

func (a *actor) play(scene string) int {
	if want := []string{"carry", "--nats", "nats://here"}; !slices.Equal(os.Args[1:], want) {
		fmt.Fprintf(os.Stderr, "called with %q\n", os.Args[1:])
		return 2
	}
	switch scene {
	case "unreachable":
		fmt.Fprintln(os.Stderr, "nobody listens")
		a.report(work.Report{Error: "connecting to nats://here: nobody listens"})
		return 1
	case "speechless":
		return 0
	case "silent":
		select {}
	}
	if first := a.order(); first == nil || first.Build != "b1" {
		fmt.Fprintln(os.Stderr, "the first order does not say who asks")
		return 2
	}
	a.report(work.Report{Crew: &work.Workers{Workers: []work.Worker{
		{Name: "one", Build: "b1", Slots: 3}, {Name: "two", Build: "b1", Slots: 2}, {Name: "old", Build: "b0", Slots: 8},
	}}})
	switch scene {
	case "backwards":
		a.backwards(5)
	case "refusing":
		a.answer(a.next(), func(r *work.Report) { *r = work.Report{Number: r.Number, Refused: "the store is full"} })
	case "mistaken":
		a.answer(a.next(), func(r *work.Report) { r.Result.Address = strings.Repeat("0", 64) })
		a.answer(a.next(), func(r *work.Report) { r.Result.Build = "b0" })
	case "garbled":
		a.next()
		fmt.Println("panic: \x1b[2J" + strings.Repeat("a", 1000))
		select {}
	case "deadly":
		a.next()
		fmt.Fprintln(os.Stderr, "fatal error: all is lost")
		return 7
	case "cancelled":
		u := a.next()
		if o := a.order(); o == nil || o.Cancel != u.Number {
			return 2
		}
		a.answer(u, nil) // which comes too late
		a.answer(a.next(), nil)
	case "counting":
		a.counting(3)
	case "lying", "accused":
		return a.lies(scene == "accused")
	case "failing":
		a.answer(a.next(), func(r *work.Report) {
			r.Result.Answer, r.Result.Failure, r.Result.Tries, r.Result.Log = nil, "the process was killed", 3, "out of memory"
		})
		a.answer(a.next(), func(r *work.Report) { r.Result.Worker = "two" })
		a.answer(a.next(), nil)
		a.answer(a.next(), nil)
		a.answer(a.next(), func(r *work.Report) { r.Before = true })
	case "strangers":
		for {
			time.Sleep(50 * time.Millisecond)
			a.report(work.Report{Crew: &work.Workers{}})
		}
	case "stubborn":
		select {}
	case "sulking":
		a.drain()
		fmt.Fprintln(os.Stderr, "taking back units: the server is gone")
		return 1
	}
	a.drain()
	return 0
}

// lies answers all units as a worker whom somebody else may have accused. When it ends it says
// who is accused here.
func (a *actor) lies(accused bool) (code int) {
	for o := a.order(); o != nil; o = a.order() {
		if o.Unit != nil {
			a.answer(o, func(r *work.Report) { r.Result.Worker, r.Result.Final, r.Accused = "liar", o.Limit == 0, accused })
		}
		if o.Distrust != "" {
			fmt.Fprintf(os.Stderr, "distrusts %s\n", o.Distrust)
			code = 1
		}
	}
	return code
}

func (a *actor) drain() {
	for a.order() != nil {
	}
}

func (a *actor) order() *work.Order {
	var o work.Order
	if !a.orders.Scan() || json.Unmarshal(a.orders.Bytes(), &o) != nil {
		return nil
	}
	return &o
}

// next returns the next order of a unit.
func (a *actor) next() *work.Order {
	for {
		if o := a.order(); o == nil || o.Unit != nil {
			return o
		}
	}
}

func (a *actor) report(r work.Report) {
	line, err := work.WriteLine(r)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(line)
}

// answer says what became of a unit: its question is the answer.
func (a *actor) answer(o *work.Order, edit func(*work.Report)) {
	if o == nil { // there are no more
		return
	}
	r := work.Report{Number: o.Number, Result: &work.Result{Address: o.Unit.Address(), Answer: o.Unit.Ask, Final: true, Worker: "one", Build: o.Unit.Build}}
	if edit != nil {
		edit(&r)
	}
	a.report(r)
}

// backwards answers so many units, the last one first.
func (a *actor) backwards(n int) {
	var all []*work.Order
	for range n {
		all = append(all, a.next())
	}
	for _, o := range slices.Backward(all) {
		a.answer(o, nil)
	}
}

// counting answers how often each file was sent before a unit, by digest.
func (a *actor) counting(units int) {
	seen := map[string]int{}
	for units > 0 {
		o := a.order()
		if o == nil {
			return
		}
		if o.File != nil {
			seen[string(o.File.Content)]++
		}
		if o.Unit == nil {
			continue
		}
		units--
		a.answer(o, func(r *work.Report) { r.Result.Answer, _ = json.Marshal(seen) })
	}
}

// begin starts a coordinator whose ldfi-cluster plays a scene.
func begin(t *testing.T, scene string, changes ...func(*work.Options)) (*work.Coordinator, error) {
	t.Helper()
	t.Setenv(playing, scene)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // by which a child ends at once
	own, err := os.Executable()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o := work.Options{Server: "nats://here", Program: own, Build: "b1", Version: "v1"}
	for _, change := range changes {
		change(&o)
	}
	return work.Start(ctx, o)
}

func begun(t *testing.T, scene string, changes ...func(*work.Options)) *work.Coordinator {
	t.Helper()
	c, err := begin(t, scene, changes...)
	require.NoError(t, err)
	return c
}

// question is a unit whose answer is a number.
func question(n int, files ...string) *work.Unit {
	u := &work.Unit{Kind: work.Search, Build: "b1", Files: map[string]string{}, Ask: json.RawMessage(fmt.Sprint(n))}
	for _, text := range files {
		u.Files[text] = work.Digest([]byte(text))
	}
	return u
}

// nothing is what is in no file.
func nothing(string) ([]byte, error) { return nil, errors.New("there is no file") }

// Several ask at a time, and each gets what it asked for, whatever comes first.
func TestAnyOrder(t *testing.T) {
	c := begun(t, "backwards")
	require.Equal(t, 5, c.Slots()) // of those that are this ldfi
	var all sync.WaitGroup
	for n := range 5 {
		all.Go(func() {
			r, err := c.Do(t.Context(), question(n), 0, nothing)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(n), string(r.Answer))
		})
	}
	all.Wait()
	require.NoError(t, c.Close())
}

// A unit that nobody needs any more is taken back, and its answer belongs to nobody.
func TestCancel(t *testing.T) {
	c := begun(t, "cancelled")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := c.Do(ctx, question(1), 0, nothing)
	require.Equal(t, context.DeadlineExceeded, err)
	r, err := c.Do(t.Context(), question(2), 0, nothing)
	require.NoError(t, err)
	require.Equal(t, "2", string(r.Answer))
	require.NoError(t, c.Close())
}

// What the server does not take, and what is no result of the unit, is for the caller to do.
func TestRefused(t *testing.T) {
	c := begun(t, "refusing")
	_, err := c.Do(t.Context(), question(1), 0, nothing)
	require.Equal(t, &work.RefusedError{Reason: "the store is full"}, err)
	require.NoError(t, c.Close())
	c = begun(t, "mistaken")
	_, err = c.Do(t.Context(), question(1), 0, nothing)
	require.ErrorAs(t, err, new(*work.RefusedError))
	require.ErrorContains(t, err, "what one made of it is the result of another unit")
	_, err = c.Do(t.Context(), question(1), 0, nothing)
	require.ErrorAs(t, err, new(*work.RefusedError))
	require.ErrorContains(t, err, "what one made of it was made by another ldfi")
	require.NoError(t, c.Close())
}

// A file is sent once, and before the units that need it, however many these are.
func TestFilesAreSentOnce(t *testing.T) {
	c := begun(t, "counting")
	var reads atomic.Int64
	read := func(digest string) ([]byte, error) {
		reads.Add(1)
		for _, text := range []string{"a", "b"} {
			if work.Digest([]byte(text)) == digest {
				return []byte(text), nil
			}
		}
		return nil, errors.New("there is no such file")
	}
	var all sync.WaitGroup
	for n := range 3 {
		all.Go(func() {
			r, err := c.Do(t.Context(), question(n, "a", "b"), 0, read)
			require.NoError(t, err)
			seen := map[string]int{}
			require.NoError(t, json.Unmarshal(r.Answer, &seen))
			require.Equal(t, map[string]int{"a": 1, "b": 1}, seen)
		})
	}
	all.Wait()
	require.EqualValues(t, 2, reads.Load())
	require.NoError(t, c.Close())
}

// A file that cannot be read, or that is another one by now, is an error; the next who
// needs it tries again.
func TestFilesThatChange(t *testing.T) {
	c := begun(t, "counting")
	_, err := c.Do(t.Context(), question(1, "a"), 0, nothing)
	require.EqualError(t, err, "sending a to the workers: there is no file")
	_, err = c.Do(t.Context(), question(1, "a"), 0, func(string) ([]byte, error) { return []byte("b"), nil })
	require.EqualError(t, err, "sending a to the workers: it has changed meanwhile: run ldfi again")
	r, err := c.Do(t.Context(), question(1, "a"), 0, func(string) ([]byte, error) { return []byte("a"), nil })
	require.NoError(t, err)
	require.JSONEq(t, `{"a": 1}`, string(r.Answer))
	require.NoError(t, c.Close())
}

// However the child ends, who waits hears why, and so does who comes later.
func TestDeath(t *testing.T) {
	for scene, why := range map[string]string{
		"garbled": `ldfi-cluster writes what this ldfi does not understand (invalid character 'p' looking for beginning of value): "panic: \x1b[2Jaaaaaaaaa`,
		"deadly":  "ldfi-cluster: exit status 7; it said last: fatal error: all is lost",
	} {
		c := begun(t, scene)
		var all sync.WaitGroup
		var mutex sync.Mutex
		said := map[string]int{}
		for range 3 {
			all.Go(func() {
				_, err := c.Do(t.Context(), question(1), 0, nothing)
				mutex.Lock()
				defer mutex.Unlock()
				said[err.Error()]++
			})
		}
		all.Wait()
		require.Len(t, said, 1)
		require.Contains(t, slices.Collect(maps.Keys(said))[0], why)
		_, err := c.Do(t.Context(), question(2), 0, nothing)
		require.ErrorContains(t, err, why)
		require.NoError(t, c.Close()) // it was said
	}
}

// A server that cannot be reached is known at once.
func TestNobodyThere(t *testing.T) {
	_, err := begin(t, "unreachable")
	require.EqualError(t, err, "connecting to nats://here: nobody listens")
	_, err = begin(t, "speechless")
	require.EqualError(t, err, "ldfi-cluster: it ended by itself, and said nothing")
}

// A child that does not end is killed; who waits for a unit does not wait for that.
func TestStubborn(t *testing.T) {
	c := begun(t, "stubborn")
	back := make(chan error, 1)
	go func() {
		_, err := c.Do(t.Context(), question(1), 0, nothing)
		back <- err
	}()
	time.Sleep(10 * time.Millisecond)
	start := time.Now()
	require.ErrorContains(t, c.Close(), "ldfi-cluster did not end, and was killed")
	require.Less(t, time.Since(start), 20*time.Second)
	require.ErrorContains(t, <-back, "the workers are not asked any more")
}

// What the child complains about at its end is not lost.
func TestSulking(t *testing.T) {
	require.EqualError(t, begun(t, "sulking").Close(), "ldfi-cluster: exit status 1: taking back units: the server is gone")
}

// Who is interrupted while the server does not answer does not wait for it.
func TestInterruptedStart(t *testing.T) {
	t.Setenv(playing, "silent")
	own, err := os.Executable()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = work.Start(ctx, work.Options{Server: "nats://here", Program: own, Build: "b1"})
	require.Equal(t, context.DeadlineExceeded, err)
}

// A unit that leads out of its directory is not handed out.
func TestWrongUnit(t *testing.T) {
	c := begun(t, "refusing")
	u := question(1)
	u.Files["../x"] = work.Digest(nil)
	_, err := c.Do(t.Context(), u, 0, nothing)
	require.ErrorContains(t, err, "no name of a file in its directory")
	require.Equal(t, "here: nothing was handed out", c.Computed())
	require.NoError(t, c.Close())
}
