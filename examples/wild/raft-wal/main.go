// Raft-wal writes to a log of hashicorp/raft-wal. What it does has numbers: it appends
// entries, takes away the last ones, as a follower does whose leader has others, and the
// first ones, as a snapshot lets it. At its start it says up to which number of these the
// log has what they leave. A crash must leave what it has acknowledged, in a log that it can
// open and read.
package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
	wal "github.com/hashicorp/raft-wal"
)

// most is how many changes there are.
const most = 40

// change is one: entries that are appended, or how many are taken away at an end.
type change struct {
	entries     []string
	last, first int
}

// changeOf returns what a number changes.
func changeOf(n int) (c change) {
	switch {
	case n%6 == 4:
		c.last = 2
	case n%12 == 5:
		c.first = 2
	default:
		for i := range 1 + n%2 {
			c.entries = append(c.entries, fmt.Sprint(n, ".", i, " ", strings.Repeat("x", 100*(n%4))))
		}
	}
	return c
}

// log is what has to be there: entries, and the index of the first one.
type log struct {
	first   uint64
	entries []string
}

func (l *log) change(c change) {
	l.entries = append(l.entries[c.first:len(l.entries)-c.last], c.entries...)
	l.first += uint64(c.first)
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil))) // others set that of package log
	if err := keep(os.Args[1]); err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
	select {}
}

// keep changes the log in a directory for as long as there are changes.
func keep(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w, err := wal.Open(dir, wal.WithSegmentSize(2048), wal.WithLogger(hclog.NewNullLogger()))
	if err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	there, err := read(w)
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	want, is, has := log{first: 1}, log{first: 1}, -1
	for n := range most + 1 {
		if n > 0 {
			want.change(changeOf(n))
		}
		if slices.Equal(want.entries, there.entries) && (want.first == there.first || len(there.entries) == 0) {
			is, has = log{want.first, slices.Clone(want.entries)}, n
		}
	}
	if has < 0 {
		return fmt.Errorf("the log has what no changes leave: from %d on %.20q", there.first, there.entries)
	}
	slog.Info("has", "changes", has)
	for n := has + 1; n <= most; n++ {
		c := changeOf(n)
		last := is.first + uint64(len(is.entries)) - 1
		switch {
		case c.last > 0:
			err = w.DeleteRange(last-uint64(c.last)+1, last)
		case c.first > 0:
			err = w.DeleteRange(is.first, is.first+uint64(c.first)-1)
		default:
			var all []*raft.Log
			for i, e := range c.entries {
				all = append(all, &raft.Log{Index: last + 1 + uint64(i), Term: 1, Data: []byte(e)})
			}
			err = w.StoreLogs(all)
		}
		if err != nil {
			return fmt.Errorf("change %d: %w", n, err)
		}
		is.change(c)
		slog.Info("acknowledged", "change", n)
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// read returns the entries of a log.
func read(w *wal.WAL) (l log, err error) {
	first, err := w.FirstIndex()
	last, failed := w.LastIndex()
	if err := errors.Join(err, failed); err != nil {
		return l, err
	}
	l.first = first
	for i := first; i > 0 && i <= last; i++ {
		var e raft.Log
		if err := w.GetLog(i, &e); err != nil {
			return l, fmt.Errorf("entry %d of %d to %d: %w", i, first, last, err)
		}
		l.entries = append(l.entries, string(e.Data))
	}
	return l, nil
}
