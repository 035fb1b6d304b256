package memberlist

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Every packet of an execution in which much happens can be read.
func TestText(t *testing.T) {
	s := System([]string{"a", "b", "c"}, nil)
	schedule, err := rounds.ParseSchedule("crash c@100; restart c@250; isolate a@51..90")
	require.NoError(t, err)
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	said := map[string]bool{}
	for _, m := range e.Messages {
		text := m.Args[1].Text()
		require.NotContains(t, text, "bytes", "%s", m)
		said[text] = true
	}
	for _, want := range []string{"ping b 1", "ack 1", "push/pull join a/1 alive", "suspect c/1 by ", "indirect ping ", "dead "} {
		require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(said)), func(text string) bool { return strings.Contains(text, want) }), "%s in %v", want, said)
	}
}

// No bytes confuse it.
func TestTextOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = byte(r.Uint32())
			if r.IntN(2) == 0 {
				b[i] = []byte{0, 3, 4, 6, 7, 12, 0x81, 0x83, 0xa1, 0xdf, 0xdd, 0xc6, 0xff}[r.IntN(13)]
			}
		}
		text(b)
	}
}

func TestMessagePack(t *testing.T) {
	for name, c := range map[string]struct {
		bytes []byte
		want  any
	}{
		"small":     {[]byte{5}, int64(5)},
		"negative":  {[]byte{0xff}, int64(-1)},
		"two bytes": {[]byte{0xcd, 1, 2}, int64(258)},
		"signed":    {[]byte{0xd0, 0xfe}, int64(-2)},
		"text":      {[]byte{0xa2, 'a', 'b'}, "ab"},
		"bytes":     {[]byte{0xc4, 1, 'b'}, "b"},
		"long text": {[]byte{0xda, 0, 1, 'x'}, "x"},
		"a list":    {[]byte{0x92, 1, 0xc3}, []any{int64(1), true}},
		"a map":     {[]byte{0x82, 0xa1, 'a', 1, 0xa1, 'b', 0xc0}, map[string]any{"a": int64(1), "b": nil}},
		"a float":   {[]byte{0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0}, 1.5},
	} {
		value, rest, ok := read(c.bytes, 0)
		require.True(t, ok, name)
		require.Empty(t, rest, name)
		require.Equal(t, c.want, value, name)
	}
	for _, b := range [][]byte{nil, {0xa2, 'a'}, {0x92, 1}, {0x81, 0xa1, 'a'}, {0xcd, 1}, {0xc1}, {0xdd, 0xff, 0xff, 0xff, 0xff}} {
		_, _, ok := read(b, 0)
		require.False(t, ok, "%v", b)
	}
}
