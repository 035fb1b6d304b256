package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/internal/work/worker"
)

// fakeCluster is a ldfi-cluster carry whose only worker is in its head, and which is as
// LDFI_TEST_CLUSTER says: it does units, with a connection to a server or without (lost),
// fails, refuses them or dies of them.
func fakeCluster() {
	report := func(r work.Report) {
		line, err := work.WriteLine(r)
		if err != nil {
			panic(err)
		}
		os.Stdout.Write(line)
	}
	orders := bufio.NewReader(os.Stdin)
	files := map[string][]byte{}
	crew := &work.Workers{Workers: []work.Worker{{Name: "far/1", Slots: 2}}, Lost: os.Getenv("LDFI_TEST_CLUSTER") == "lost"}
	for {
		line, err := orders.ReadBytes('\n')
		if err != nil {
			return
		}
		var o work.Order
		if err := json.Unmarshal(line, &o); err != nil {
			panic(err)
		}
		switch {
		case o.Build != "":
			crew.Workers[0].Build = o.Build
			report(work.Report{Crew: crew})
		case o.File != nil:
			files[o.File.Digest] = o.File.Content
		case o.Unit != nil:
			report(fakeReport(&o, files))
		}
	}
}

// fakeReport is what becomes of a unit.
func fakeReport(o *work.Order, files map[string][]byte) work.Report {
	r := work.Report{Number: o.Number}
	result := &work.Result{Address: o.Unit.Address(), Worker: "far/1", Build: o.Unit.Build}
	switch os.Getenv("LDFI_TEST_CLUSTER") {
	case "refuses":
		r.Refused = "the store of the server is full"
		return r
	case "dies":
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(9)
	case "fails":
		result.Failure, result.Tries, result.Log = "it took more than 2 GiB of memory", 3, "first line\n\x1b[2Jlast line\n"
	default:
		w := worker.Worker{Build: o.Unit.Build}
		dir, err := os.MkdirTemp("", "fake-cluster-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		if err := worker.Unpack(dir, o.Unit, func(digest string) ([]byte, error) { return files[digest], nil }); err != nil {
			panic(err)
		}
		d := w.Do(context.Background(), &work.Task{Unit: o.Unit, Dir: dir})
		result.Answer, result.Final, result.Failure = d.Answer, d.Final, d.Error
	}
	r.Result = result
	return r
}
