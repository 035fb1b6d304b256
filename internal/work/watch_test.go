package work

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func aWatch() *watch {
	return &watch{build: "b1", version: "v1", server: shown("nats://me:secret@host:4222"), said: map[string]bool{}}
}

func workersOf(workers ...Worker) Workers { return Workers{Workers: workers} }

// What is missing is said once, with what to type, and not before workers had time to come.
func TestNobodyYet(t *testing.T) {
	w := aWatch()
	lines, err := w.look(time.Second, workersOf(), nil)
	require.NoError(t, err)
	require.Empty(t, lines)
	lines, err = w.look(2*time.Second, workersOf(), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"there is no worker yet, and this waits for one; start it, on any machine that reaches the server (away from the server with the key: --nkey FILE), by\n  ldfi worker --nats nats://host:4222"}, lines)
	lines, err = w.look(3*time.Second, workersOf(), nil)
	require.NoError(t, err)
	require.Empty(t, lines)
}

// A worker of another version is named; only if there are no others it makes no sense to wait.
func TestOtherVersions(t *testing.T) {
	old, other, same := Worker{Name: "a/1", Build: "b0", Version: "v0"}, Worker{Name: "b/2", Build: "b2", Version: "v1"}, Worker{Name: "c/3", Build: "b1"}
	w := aWatch()
	lines, err := w.look(0, workersOf(old, other), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"the worker a/1 is ldfi v0, and gets nothing to do: this is v1", "the worker b/2 is ldfi v1, but another build of it, and gets nothing to do: this is v1"}, lines)
	_, err = w.look(2*time.Second, workersOf(old, other), nil)
	require.EqualError(t, err, "all workers of nats://host:4222 are another ldfi than this one, v1: install the same on their machines")
	w = aWatch()
	_, err = w.look(time.Second, workersOf(old, same), nil)
	require.NoError(t, err)
	lines, err = w.look(3*time.Second, workersOf(old), nil) // which may come back
	require.NoError(t, err)
	require.Empty(t, lines)
}

// Units that start programs wait for a worker that may, on the same platform.
func TestNoHosts(t *testing.T) {
	timid, brave := Worker{Build: "b1", Platform: "linux/amd64"}, Worker{Build: "b1", Platform: "linux/arm64", Hosts: true}
	w := aWatch()
	lines, err := w.look(3*time.Second, workersOf(timid, brave), map[string]int{"linux/amd64": 2, "linux/arm64": 1})
	require.NoError(t, err)
	require.Equal(t, []string{"no worker starts programs for linux/amd64, which 2 units wait for; start one on such a machine (away from the server with the key: --nkey FILE) by\n  ldfi worker --nats nats://host:4222 --allow-hosts"}, lines)
	timid.Hosts = true
	lines, err = aWatch().look(3*time.Second, workersOf(timid), map[string]int{"linux/amd64": 1})
	require.NoError(t, err)
	require.Empty(t, lines)
}

// A lost connection is said each time, and nothing is said of who is not seen meanwhile.
func TestLostConnection(t *testing.T) {
	w := aWatch()
	for _, lost := range []bool{true, true, false, true} {
		was := w.lost
		lines, err := w.look(3*time.Second, Workers{Lost: lost, Workers: []Worker{{Build: "b1"}}}, nil)
		require.NoError(t, err)
		if lost && !was {
			require.Equal(t, []string{"the connection to nats://host:4222 is lost: waiting for it"}, lines)
		} else {
			require.Empty(t, lines)
		}
	}
}
