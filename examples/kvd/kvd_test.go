package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/stretchr/testify/require"
)

// What n1 has acknowledged, n2 has when n1 crashes.
func TestSurvivesCrash(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	client := process.Func(t, "client", func(t *testing.T) {
		http.DefaultClient.Timeout = 100 * time.Millisecond
		put, err := http.NewRequest("PUT", "http://n1:8080/x", strings.NewReader("1"))
		require.NoError(t, err)
		if answer, err := http.DefaultClient.Do(put); err != nil || answer.StatusCode != http.StatusOK {
			return // nothing was promised
		}
		answer, err := http.Get("http://n2:8080/x")
		require.NoError(t, err)
		value, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, "1", string(value))
	})
	c := process.Cluster{Name: "kvd", Rounds: 60, Clients: []process.Node{client}}
	for _, name := range []string{"n1", "n2"} {
		c.Nodes = append(c.Nodes, process.Node{Name: name, File: ".", Args: []string{"-others", "{others:8080}"}})
	}
	require.NoError(t, c.Build(t.Context(), ""))
	s, err := c.System()
	require.NoError(t, err)
	ldfitest.Run(t, s, ldfitest.Bounds(rounds.Bounds{Crashes: 1, NeverCrash: []string{"n2"}}), ldfitest.Executions(20))
}
