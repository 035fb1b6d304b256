package main

import (
	"fmt"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/client"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
)

// What the server has answered it still knows when its machine has crashed, at any time, and
// has started again: each answer is larger than the one before.
func TestKeepsCounts(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("ldfi runs servers on Linux")
	}
	client := process.Func(t, "client", func(t *testing.T) {
		last := 0
		for range 3 {
			n, ok := add(t)
			if !ok {
				return
			}
			client.Sometimes(true, "a visit was counted") // if it never is, ldfi test warns
			if n <= last {
				t.Fatalf("the answer was %d, and then %d", last, n)
			}
			last = n
		}
	})
	c := process.Cluster{
		Name:    "tally",
		Nodes:   []process.Node{{Name: "n1", File: "."}}, // this package, with its flags in Args
		Clients: []process.Node{client},
		Rounds:  80, // of 10 ms
		Calls:   6,  // it can crash before each of so many operations on files in a round
	}
	if err := c.Build(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	s, err := c.System()
	if err != nil {
		t.Fatal(err)
	}
	ldfitest.Run(t, s, ldfitest.Bounds(rounds.Bounds{Crashes: 1, Restarts: 1}), ldfitest.Executions(500))
}

// add adds one. It gives up when the server stays down, which breaks no promise.
func add(t *testing.T) (n int, ok bool) {
	client := http.Client{Timeout: 200 * time.Millisecond}
	for range 4 {
		answer, err := client.Post("http://n1:8080/visits", "", nil)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Fatal(answer.Status)
		}
		if _, err := fmt.Fscan(answer.Body, &n); err != nil {
			t.Fatal(err)
		}
		return n, true
	}
	return 0, false
}
