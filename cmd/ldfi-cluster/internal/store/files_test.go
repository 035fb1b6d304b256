package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/broker"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/stretchr/testify/require"
)

// A file comes back as it was put. What is too long for a worker, or is not what its name
// says, does not.
func TestFile(t *testing.T) {
	server, err := broker.Start(broker.Options{Address: "127.0.0.1:0", Dir: t.TempDir(), Limit: 1 << 30})
	require.NoError(t, err)
	defer server.Stop()
	nc, err := connection.Open("test", connection.Options{URL: "nats://" + server.Address().String()})
	require.NoError(t, err)
	defer nc.Close()
	s, err := store.Open(t.Context(), nc)
	require.NoError(t, err)

	content := make([]byte, 1<<20)
	digest := work.Digest(content)
	_, err = s.File(t.Context(), digest)
	require.ErrorIs(t, err, store.ErrNoFile)
	require.NoError(t, s.PutFile(t.Context(), digest, content))
	back, err := s.File(t.Context(), digest)
	require.NoError(t, err)
	require.Equal(t, content, back)

	// Whoever does not need a file any more does not wait for it.
	for i := range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Duration(i)*5*time.Microsecond, cancel)
		start := time.Now()
		if _, err := s.File(ctx, digest); err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		require.Less(t, time.Since(start), 3*time.Second)
		cancel()
	}

	require.NoError(t, store.PutAs(t.Context(), s, work.Digest([]byte("a")), []byte("b")))
	_, err = s.File(t.Context(), work.Digest([]byte("a")))
	require.ErrorContains(t, err, "is another one")

	_, err = store.Limited(s, len(content)-1).File(t.Context(), digest)
	require.ErrorContains(t, err, "which is the most that is taken")
}
