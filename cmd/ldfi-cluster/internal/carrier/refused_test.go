package carrier_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/members"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// A unit of which every try comes to nothing is set aside after three, with the reason and
// the log. The others go on.
func TestPoison(t *testing.T) {
	t.Parallel()
	p, tries := newPlace(t), atomic.Int64{}
	p.hire("one", 2, func(ctx context.Context, u *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
		if string(u.Ask) == `{"n":7}` {
			tries.Add(1)
			return &work.Result{Failure: "the process crashed", Log: "panic: at the disco", Tries: 1}, nil
		}
		return echo(ctx, u, nil)
	})
	a := p.ask()
	for n := range int64(20) {
		a.unit(n + 1)
	}
	all := a.all(20, 20*time.Second)
	poison := all[7].Result
	require.EqualValues(t, 3, tries.Load())
	require.Equal(t, 3, poison.Tries)
	require.False(t, poison.Final)
	require.Equal(t, "the process crashed (one); the process crashed (one); the process crashed (one)", poison.Failure)
	require.Equal(t, "panic: at the disco", poison.Log)
	wait(t, 5*time.Second, "it is gone", func() bool { return p.waiting() == 0 })
	a.end()
}

// A unit with which workers vanish is set aside too.
func TestWorkersVanish(t *testing.T) {
	if !*long {
		t.Skip("takes half a minute: run with -args -long")
	}
	t.Parallel()
	p := newPlace(t)
	a := p.ask()
	for i := range 3 {
		s := &stuck{}
		_, vanish := p.hire(fmt.Sprint("mortal", i), 1, s.do)
		if i == 0 {
			a.unit(1)
		}
		wait(t, 15*time.Second, "the unit is begun", func() bool { return s.begun.Load() == 1 })
		vanish()
	}
	r := a.next(15 * time.Second).Result
	require.Equal(t, 3, r.Tries)
	require.Contains(t, r.Failure, "the worker was gone while it did it (mortal2)")
	a.end()
}

// An error of the question is an answer: nobody tries again.
func TestErrorOfTheQuestion(t *testing.T) {
	t.Parallel()
	p, tries := newPlace(t), atomic.Int64{}
	p.hire("one", 1, func(context.Context, *work.Unit, func(string) ([]byte, error)) (*work.Result, error) {
		tries.Add(1)
		return &work.Result{Failure: "no such process", Final: true}, nil
	})
	a := p.ask()
	a.unit(1)
	r := a.next(5 * time.Second).Result
	require.Equal(t, "no such process", r.Failure)
	require.Zero(t, r.Tries)
	require.EqualValues(t, 1, tries.Load())
	a.end()
}

// Units that the store has no room for are refused, and no others.
func TestFullStore(t *testing.T) {
	t.Parallel()
	p := newPlaceOf(t, 8<<20) // of which a quarter is for units
	a := p.ask()
	for n := range int64(10) {
		a.order(work.Order{Number: n + 1, Unit: &work.Unit{Kind: work.Search, Build: build, Ask: fmt.Appendf(nil, `"%d%s"`, n, strings.Repeat("x", 500_000))}})
	}
	for range 6 {
		require.Contains(t, a.next(5*time.Second).Refused, "the store of the server is full")
	}
	p.hire("one", 1, echo)
	for range 4 {
		require.NotNil(t, a.next(5*time.Second).Result)
	}
	a.unit(11)
	require.NotNil(t, a.next(5*time.Second).Result)
	a.end()
}

// Results that the server has no room for go past it: old ones make room, and one that is too
// large is for who asks.
func TestLargeResults(t *testing.T) {
	t.Parallel()
	p := newPlaceOf(t, 8<<20)
	p.hire("one", 1, func(_ context.Context, u *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
		size := 700_000
		if string(u.Ask) == `{"n":5}` {
			size = 14_000_000
		}
		noise := make([]byte, size) // which nothing makes shorter
		rand.Read(noise)
		answer, err := json.Marshal(noise)
		if string(u.Ask) == `{"n":6}` {
			answer = fmt.Appendf(nil, `"%s"`, strings.Repeat("x", 14_000_000))
		}
		return &work.Result{Answer: answer, Final: true}, err
	})
	a := p.ask()
	for n := range int64(10) {
		a.unit(n + 1)
	}
	all := a.all(10, 20*time.Second)
	require.Contains(t, all[5].Refused, "larger than what the server takes")
	require.Len(t, all[6].Result.Answer, 14_000_002, "what repeats itself is not large")
	delete(all, 5)
	delete(all, 6)
	for _, r := range all {
		var noise []byte
		require.NoError(t, json.Unmarshal(r.Result.Answer, &noise))
		require.Len(t, noise, 700_000)
	}
	a.end()
}

// A file that does not fit lets the units be refused that name it.
func TestFiles(t *testing.T) {
	t.Parallel()
	p := newPlaceOf(t, 8<<20) // of which a fifth is for files
	p.hire("one", 1, func(_ context.Context, u *work.Unit, file func(string) ([]byte, error)) (*work.Result, error) {
		content, err := file(u.Files["a"])
		answer, _ := json.Marshal(string(content))
		return &work.Result{Answer: answer, Final: true}, err
	})
	a := p.ask()
	small, large := []byte("hello"), bytes.Repeat([]byte("x"), 3<<20)
	for i, content := range [][]byte{small, large} {
		a.order(work.Order{File: &work.File{Digest: work.Digest(content), Content: content}})
		a.order(work.Order{Number: int64(i + 1), Unit: &work.Unit{Kind: work.Search, Build: build, Ask: []byte("1"), Files: map[string]string{"a": work.Digest(content)}}})
	}
	all := a.all(2, 10*time.Second)
	require.JSONEq(t, `"hello"`, string(all[1].Result.Answer))
	require.Contains(t, all[2].Refused, "the store of the server is full")
	a.end()
}

// A unit whose file is gone is for who asks.
func TestFileIsGone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	a := p.ask()
	content := []byte("hello")
	u := &work.Unit{Kind: work.Search, Build: build, Ask: []byte("1"), Files: map[string]string{"a": work.Digest(content)}}
	a.order(work.Order{File: &work.File{Digest: work.Digest(content), Content: content}})
	a.order(work.Order{Number: 1, Unit: u})
	wait(t, 5*time.Second, "the unit is there", func() bool { return p.waiting() == 1 })
	js, err := jetstream.New(p.connect())
	require.NoError(t, err)
	files, err := js.ObjectStore(t.Context(), "ldfi-files")
	require.NoError(t, err)
	require.NoError(t, files.Delete(t.Context(), work.Digest(content)))
	p.hire("one", 1, func(_ context.Context, u *work.Unit, file func(string) ([]byte, error)) (*work.Result, error) {
		_, err := file(u.Files["a"])
		return nil, err
	})
	require.Contains(t, a.next(5*time.Second).Refused, "a file of it is not on the server any more")
	wait(t, 5*time.Second, "the unit is gone", func() bool { return p.waiting() == 0 })
	a.end()
}

// A worker that says that it does a unit, and then neither does it nor brings anything, does
// not keep it for ever.
func TestSilentWorker(t *testing.T) {
	if !*long {
		t.Skip("takes half a minute: run with -args -long")
	}
	t.Parallel()
	p := newPlace(t)
	nc := p.connect()
	s, err := store.Open(t.Context(), nc)
	require.NoError(t, err)
	queue, err := s.Queue(t.Context(), build, "")
	require.NoError(t, err)
	a := p.ask()
	a.unit(1)
	m, err := queue.Next()
	require.NoError(t, err)
	taken, err := store.Take(m)
	require.NoError(t, err)
	require.NoError(t, members.SayBegun(nc, taken.Job, members.Begun{ID: "x", Name: "silent", Address: taken.Address, Sequence: taken.Sequence}))
	require.NoError(t, taken.Finish())
	p.hire("one", 1, echo)
	require.Equal(t, "one", a.next(30*time.Second).Result.Worker)
	a.end()
}

// A unit that is ordered, taken back and ordered again, many times and fast, is done in the end.
func TestOrderedAgain(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.hire("one", 2, func(ctx context.Context, u *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
			return echo(ctx, u, nil)
		}
	})
	a := p.ask()
	const units, times = 10, 20
	for i := range int64(times) {
		for n := range int64(units) {
			a.order(work.Order{Unit: question(n), Number: 1 + n + units*i})
		}
		time.Sleep(time.Duration(i%4) * time.Millisecond)
		if i < times-1 {
			for n := range int64(units) {
				a.order(work.Order{Cancel: 1 + n + units*i})
			}
		}
	}
	last := map[int64]bool{}
	for len(last) < units {
		if r := a.next(7 * time.Second); r.Number > units*(times-1) {
			last[r.Number] = true
		}
	}
	a.end()
}

// A unit goes only to a worker of the same ldfi, and a program only to one that starts it.
func TestWhoDoesWhat(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.hireOne("one", echo, func(o *options) { o.Hosts = true; o.Platform = "plan9/amd64" })
	p.hireOne("two", echo, func(o *options) { o.Hosts = true })
	p.hireOne("three", echo, nil)
	p.hireOne("old", echo, func(o *options) { o.Hosts = true; o.Build = "v0" })
	a := p.ask()
	for n := range int64(50) {
		u := question(n)
		u.Platform = "linux/amd64"
		a.order(work.Order{Number: n + 1, Unit: u})
	}
	for _, r := range a.all(50, 10*time.Second) {
		require.Equal(t, "two", r.Result.Worker)
	}
	var names []string
	for _, w := range a.workers.Load().Workers {
		names = append(names, w.Name+" "+w.Build)
	}
	require.Equal(t, []string{"old v0", "one v1", "three v1", "two v1"}, names)
	a.end()
}

// An answer that a limit made is for who has set that limit.
func TestLimits(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.hireOne("one", nil, func(o *options) { o.Slots[0] = timed{} })
	a, b := p.ask(), p.ask()
	a.order(work.Order{Number: 1, Unit: question(1), Limit: time.Second})
	a.order(work.Order{Number: 2, Unit: question(1)})
	all := a.all(2, 10*time.Second)
	require.Equal(t, `"1s"`, string(all[1].Result.Answer))
	require.Equal(t, `"0s"`, string(all[2].Result.Answer))
	b.order(work.Order{Number: 1, Unit: question(1), Limit: time.Minute})
	require.Equal(t, `"0s"`, string(b.next(10*time.Second).Result.Answer), "what is final needs no limit")
	for n := range int64(50) {
		a.order(work.Order{Number: 100 + n, Unit: question(100 + n), Limit: time.Second})
		b.order(work.Order{Number: 100 + n, Unit: question(100 + n)})
	}
	for _, r := range b.all(50, 10*time.Second) {
		require.Equal(t, `"0s"`, string(r.Result.Answer))
	}
	a.all(50, 10*time.Second)
	a.end()
	b.end()
}

// timed answers with its limit.
type timed struct{}

func (timed) Do(_ context.Context, _ *work.Unit, limit time.Duration, _ func(string) ([]byte, error)) (*work.Result, error) {
	return &work.Result{Answer: fmt.Appendf(nil, "%q", limit), Final: limit == 0}, nil
}

func (timed) Close() error { return nil }

// Whatever others write into the streams: nobody falls over, and no unit comes to anything
// that is not its result.
func TestHostile(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	nc := p.connect()
	u := question(1)
	token, platform := store.Token(build), "any"
	text, err := json.Marshal(u)
	require.NoError(t, err)
	outside, err := json.Marshal(&work.Unit{Kind: work.Search, Build: build, Ask: []byte("1"), Files: map[string]string{"../../etc/passwd": work.Digest(nil)}})
	require.NoError(t, err)
	for _, m := range []*nats.Msg{
		{Subject: "ldfi.unit." + token + "." + platform + ".job.x", Data: []byte("{")},
		{Subject: "ldfi.unit." + token + "." + platform + ".job." + question(2).Address(), Data: text},
		{Subject: "ldfi.unit." + token + "." + platform + ".job." + work.Digest(outside), Data: outside},
		{Subject: "ldfi.unit." + token + "." + platform + ".a.b.c.d.e", Data: text},
		{Subject: "ldfi.unit." + token + "." + platform + ".job." + u.Address(), Data: text, Header: nats.Header{"Ldfi-Limit": {"-1"}}},
		{Subject: "ldfi.unit." + token + "." + platform + ".job.deep", Data: bytes.Repeat([]byte("["), 1<<20)},
		{Subject: "ldfi.unit." + token + "." + platform + ".job.huge", Data: bytes.Repeat([]byte("x"), 7<<20)},
		{Subject: "ldfi.unit." + token + "." + platform + ".job.empty"},
		{Subject: "ldfi.crew.x", Data: []byte(`{"id":"x","slots":-1}`)},
		{Subject: "ldfi.crew.y", Data: []byte(`{"id":"y","name":"y","build":"v1","slots":1,"units":[{"job":"j","sequence":1}]}`)},
		{Subject: "ldfi.crew.z", Data: []byte(`null`)},
		{Subject: "ldfi.cancel", Data: []byte(`{"sequence":-1}`)},
	} {
		require.NoError(t, nc.PublishMsg(m))
	}
	require.NoError(t, nc.Flush())
	p.hire("one", 1, echo)
	wait(t, 10*time.Second, "all is thrown away", func() bool { return p.waiting() == 0 })
	a := p.ask()
	a.unit(1)
	require.JSONEq(t, `{"n":1}`, string(a.next(5*time.Second).Result.Answer))
	a.end()
}

// A worker that writes what is no result costs a try.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	nc := p.connect()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	tries := atomic.Int64{}
	lies := []string{"{", `null`, `{"address":"x","answer":1,"final":true,"worker":"liar"}`}
	p.hire("liar", 1, func(_ context.Context, u *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
		n := tries.Add(1)
		kv, err := js.KeyValue(t.Context(), "ldfi-jobs")
		require.NoError(t, err)
		jobs, err := kv.Keys(t.Context())
		require.NoError(t, err)
		require.Len(t, jobs, 1)
		require.NoError(t, nc.Publish("$KV.ldfi-results.final."+store.Token(build)+"."+u.Address()+"."+jobs[0]+"."+store.Token("liar"), []byte(lies[n-1])))
		require.NoError(t, nc.Flush())
		return nil, errors.New("nothing")
	})
	a := p.ask()
	a.unit(1)
	r := a.next(20 * time.Second).Result
	require.Equal(t, 3, r.Tries)
	require.Contains(t, r.Failure, "what came back is no result")
	a.end()
}

// What a worker said that two have found to lie is forgotten, and asked again, also by others.
// The worker ends. The word of one is heard, and ends nothing: not of an honest one either.
func TestLiar(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	lies := func(context.Context, *work.Unit, func(string) ([]byte, error)) (*work.Result, error) {
		return &work.Result{Answer: []byte(`"lie"`), Final: true}, nil
	}
	end, _ := p.hire("liar", 1, lies)
	a := p.ask()
	for n := range int64(10) {
		a.unit(n + 1)
	}
	for _, r := range a.all(10, 10*time.Second) {
		require.False(t, r.Accused)
	}
	a.order(work.Order{Distrust: "liar"})
	a.end()

	b := p.ask()
	for n := range int64(10) {
		b.unit(n + 1)
	}
	for _, r := range b.all(10, 10*time.Second) {
		require.JSONEq(t, `"lie"`, string(r.Result.Answer))
		require.True(t, r.Before && r.Accused, "nothing is forgotten by the word of one, who is heard")
	}
	require.Len(t, b.workers.Load().Workers, 1, "nor has the worker ended")
	b.order(work.Order{Distrust: "liar"})
	wait(t, 5*time.Second, "it has ended", func() bool { return len(b.workers.Load().Workers) == 0 })
	end()
	left, _ := p.left.Load("liar")
	require.ErrorContains(t, left.(error), "what liar says is not true: two who asked")
	b.end()

	p.hire("honest", 1, echo)
	c := p.ask()
	for n := range int64(10) {
		c.unit(n + 1)
	}
	for n, r := range c.all(10, 10*time.Second) {
		require.JSONEq(t, fmt.Sprintf(`{"n":%d}`, n), string(r.Result.Answer))
	}
	c.order(work.Order{Distrust: "honest"})
	c.order(work.Order{Distrust: "honest"}) // said twice it is the word of one
	c.end()
	d := p.ask()
	for n := range int64(20) {
		d.unit(n + 1)
	}
	for n, r := range d.all(20, 10*time.Second) {
		require.JSONEq(t, fmt.Sprintf(`{"n":%d}`, n), string(r.Result.Answer))
		require.Equal(t, "honest", r.Result.Worker)
	}
	d.end()
}
