package main

import (
	"flag"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/client"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/stretchr/testify/require"
)

var async = flag.Bool("async", false, "test the server with the mistake that it can make")

// What n1 has acknowledged, n2 has when n1 crashes.
func TestSurvivesCrash(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	client := process.Func(t, "client", func(t *testing.T) {
		http.DefaultClient.Timeout = 300 * time.Millisecond
		put, err := http.NewRequest("PUT", "http://n1:8080/x", strings.NewReader("1"))
		require.NoError(t, err)
		if answer, err := http.DefaultClient.Do(put); err != nil || answer.StatusCode != http.StatusOK {
			return // nothing was promised
		}
		client.Sometimes(true, "a write was acknowledged") // if it never is, ldfi test warns
		time.Sleep(100 * time.Millisecond)
		answer, err := http.Get("http://n2:8080/x")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, answer.StatusCode, "what was stored is lost")
	})
	c := process.Cluster{Name: "kvd", Rounds: 50, Clients: []process.Node{client}}
	for _, name := range []string{"n1", "n2"} {
		args := []string{"-others", "{others:8080}", fmt.Sprintf("-async=%t", *async)}
		c.Nodes = append(c.Nodes, process.Node{Name: name, File: ".", Args: args})
	}
	require.NoError(t, c.Build(t.Context(), ""))
	s, err := c.System()
	require.NoError(t, err)
	executions := 40 // few, for a test that runs with every change; all schedules are 151
	if *async {
		executions = 200
	}
	ldfitest.Run(t, s, ldfitest.Bounds(rounds.Bounds{Crashes: 1, NeverCrash: []string{"n2"}}), ldfitest.Strategy("enumerate"), ldfitest.Executions(executions))
}
