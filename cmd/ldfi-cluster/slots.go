package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/worker"
	"github.com/lineage-driven/ldfi/internal/unit"
)

// makeSlots makes the slots of a worker.
func (f *workerFlags) makeSlots(program ldfi) []worker.Slot {
	var all []worker.Slot
	for range f.slots {
		all = append(all, child{program, f})
	}
	return all
}

// child does each unit by a process of its own.
type child struct {
	ldfi  ldfi
	flags *workerFlags
}

// Do does a unit.
func (c child) Do(ctx context.Context, u *unit.Unit, limit time.Duration, file func(digest string) ([]byte, error)) (*unit.Result, error) {
	dir, err := os.MkdirTemp("", "ldfi-unit-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, digest := range u.Files {
		content, err := file(digest)
		if err != nil {
			return nil, err
		}
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, content, 0o700); err != nil {
			return nil, err
		}
	}
	line, err := unit.WriteLine(unit.Task{Unit: u, Dir: dir, Hosts: c.flags.hosts, Limit: limit})
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, c.flags.time)
	defer cancel()
	cmd := exec.CommandContext(limited, c.ldfi.Path, "unit")
	var log bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, bytes.NewReader(line), &log
	begun := time.Now()
	text, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r, done := &unit.Result{Elapsed: time.Since(begun)}, unit.Done{}
	if err == nil {
		err = json.Unmarshal(text, &done)
	}
	if err != nil {
		r.Failure, r.Tries, r.Log = fmt.Sprintf("ldfi ended: %v", err), 1, log.String()
		return r, nil
	}
	r.Answer, r.Final, r.Failure = done.Answer, done.Final, done.Error
	return r, nil
}

// Close does nothing: all is gone when a unit has ended.
func (child) Close() error { return nil }
