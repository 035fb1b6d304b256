// Tidwall-wal writes to a log of tidwall/wal. What it does has numbers: it appends entries, and
// takes away the last ones or the first ones. At its start it says up to which number the log
// has what these leave. A crash must leave what it has acknowledged, which are entries, in a
// log that it can open.
//
// Its arguments are a directory, how many changes it makes, and "append" if it takes nothing
// away.
package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/wal"
)

// change is one: entries that are appended, or how many are taken away at an end.
type change struct {
	entries     []string
	last, first int
}

// changeOf returns what a number changes. Some four of them fill a segment.
func changeOf(n int) change {
	switch {
	case len(os.Args) == 3 && n%6 == 4:
		return change{last: 2}
	case len(os.Args) == 3 && n%12 == 9:
		return change{first: 1}
	}
	return change{entries: []string{fmt.Sprint(n, " ", strings.Repeat("x", 300*(n%4)))}}
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
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	most, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = keep(os.Args[1], most)
	}
	if err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
	select {}
}

// keep makes changes of the log in a directory until there are so many.
func keep(dir string, most int) error {
	o := *wal.DefaultOptions
	o.SegmentSize = 2048
	w, err := wal.Open(dir, &o)
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
			err = w.TruncateBack(last - uint64(c.last))
		case c.first > 0:
			err = w.TruncateFront(is.first + uint64(c.first))
		default:
			err = w.Write(last+1, []byte(c.entries[0]))
		}
		if err != nil {
			return fmt.Errorf("change %d: %w", n, err)
		}
		is.change(c)
		if len(c.entries) > 0 {
			slog.Info("acknowledged", "change", n)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// read returns the entries of a log.
func read(w *wal.Log) (l log, err error) {
	first, err := w.FirstIndex()
	last, failed := w.LastIndex()
	if err := errors.Join(err, failed); err != nil {
		return l, err
	}
	l.first = first
	for i := first; i > 0 && i <= last; i++ {
		e, err := w.Read(i)
		if err != nil {
			return l, fmt.Errorf("entry %d of %d to %d: %w", i, first, last, err)
		}
		l.entries = append(l.entries, string(e))
	}
	return l, nil
}
