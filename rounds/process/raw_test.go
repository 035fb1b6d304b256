package process_test

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/stretchr/testify/require"
)

// step is a step with random events. Of some of them a part is missing, or other bytes are
// there.
func step(random *rand.Rand, now *int64, spoilt bool) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(*now))
	*now += random.Int64N(int64(time.Second))
	b = append(binary.LittleEndian.AppendUint64(b, uint64(*now)), byte(random.IntN(4)))
	for range random.IntN(5) {
		kinds := "UDDDwARTBBBBcXIi"
		if spoilt {
			kinds += "S\x00?"
		}
		id := []uint64{0, 1, 2, 1<<32 + 1, 1<<32 + 2}[random.IntN(5)]
		bytes := make([]byte, random.IntN(30))
		for i := range bytes {
			bytes[i] = byte(random.IntN(256))
		}
		kind := kinds[random.IntN(len(kinds))]
		switch kind {
		case 'U', 'D':
			bytes = append([]byte{10, 0, 0, 2, 5, 0, 10, 0, 0, 1, 80, 0}, bytes...)
		case 'w':
			bytes = []byte{byte(random.IntN(9)), 0, 0, 0}
		}
		b = binary.LittleEndian.AppendUint64(append(b, kind), id)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(bytes)))
		b = append(b, bytes...)
	}
	if spoilt {
		for range random.IntN(3) {
			b[16+random.IntN(len(b)-16)] = byte(random.IntN(256))
		}
		b = b[:random.IntN(len(b)+1)]
	}
	return b
}

// A node that is sent random steps answers each, or ends and says that no driver sends
// that; it neither panics nor hangs.
func TestRandomFramesToANode(t *testing.T) {
	file := built(t, "./testdata/same/node")
	server := process.Cluster{Nodes: []process.Node{{Name: "a", File: file}}}
	client := process.Cluster{Nodes: []process.Node{{Name: "a", File: file}, {Name: "b", File: file}, {Name: "c", File: file, Args: []string{"a:80", "b:80"}}}}
	answered, refused := 0, 0
	for i := range *long * 2 {
		random := rand.New(rand.NewPCG(uint64(i), 28))
		r, err := process.StartRaw([]process.Cluster{server, client}[i%2])
		require.NoError(t, err)
		stop := time.AfterFunc(time.Minute, r.Kill)
		now := int64(0)
		for n := 0; n < 20; n++ {
			b := step(random, &now, n == 19 || random.IntN(20) == 0)
			if _, err := r.Socket.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)); err != nil {
				break
			}
			var length [4]byte
			if _, err := io.ReadFull(r.Socket, length[:]); err != nil {
				break
			}
			_, err := io.CopyN(io.Discard, r.Socket, int64(binary.LittleEndian.Uint32(length[:])))
			require.NoError(t, err)
			answered++
		}
		status, printed := r.Ends()
		require.True(t, stop.Stop(), "the node of %d hangs", i)
		switch status {
		case 98:
			require.Equal(t, "ldfi: a node was sent what no driver sends\n", printed)
			refused++
		default: // its driver is gone, or a signal has ended it
			require.Empty(t, printed, i)
			require.True(t, status == 97 || status >= 128, "%d: %d", i, status)
		}
	}
	t.Logf("%d steps were answered, %d nodes refused one", answered, refused)
	require.Greater(t, answered, *long*10)
	require.Greater(t, refused, *long/4)
}
