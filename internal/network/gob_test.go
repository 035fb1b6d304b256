package network

import (
	"bytes"
	"encoding/gob"
	"net"
	"net/rpc"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type inner struct {
	Names []string
	Ages  map[string]int
	At    [2]float64
}

type outer struct {
	Key   string
	Blob  []byte
	In    *inner
	Any   any
	When  time.Time
	Ready bool
	Cash  uint
}

// encoded is what an encoder writes of values, each by itself.
func encoded(t *testing.T, values ...any) (all []string) {
	t.Helper()
	var b bytes.Buffer
	e := gob.NewEncoder(&b)
	for _, v := range values {
		require.NoError(t, e.Encode(v))
		all = append(all, b.String())
		b.Reset()
	}
	return all
}

// Values are told by the names of their types and members, as the stream itself defines
// them: later values do not define them again.
func TestGob(t *testing.T) {
	said := encoded(t, outer{Key: "x", In: &inner{Names: []string{"a", "b c"}, Ages: map[string]int{"a": -7}, At: [2]float64{0.5, 2}}},
		outer{Blob: []byte("y"), Any: 17, Ready: true, Cash: 300}, outer{}, "text", 12, outer{When: time.Unix(1, 0).UTC()})
	c := begin(nil)
	require.Equal(t, "gob outer{Key: x, In: inner{Names: [a, b c], Ages: {a: -7}, At: [0.5, 2]}}", c.say(0, said[0]))
	require.Equal(t, "gob outer{Blob: y, Any: 17, Ready: true, Cash: 300}", c.say(0, said[1]))
	require.Equal(t, "gob outer{}", c.say(0, said[2]))
	require.Equal(t, "gob text", c.say(0, said[3]))
	require.Equal(t, "gob 12", c.say(0, said[4]))
	require.Contains(t, c.say(0, said[5]), "gob outer{When: Time of 15 bytes ")

	c = begin(nil)
	half := len(said[0]) / 2
	require.Contains(t, c.say(0, said[0][:half])+c.say(0, said[0][half:]), "outer{Key: x, In: inner{")
}

// wiretap keeps what was written, a string for each call.
type wiretap struct {
	net.Conn
	said chan string
}

func (w wiretap) Write(b []byte) (int, error) {
	w.said <- string(b)
	return w.Conn.Write(b)
}

// KV is a service.
type KV struct{}

// Args are those of its methods.
type Args struct{ Key, Value string }

// Put answers with the value.
func (KV) Put(a Args, old *string) error { *old = "before " + a.Value; return nil }

// A call of net/rpc and its answer are told by service, arguments and result.
func TestNetRPC(t *testing.T) {
	s := rpc.NewServer()
	require.NoError(t, s.Register(KV{}))
	here, there := net.Pipe()
	client, server := wiretap{here, make(chan string, 9)}, wiretap{there, make(chan string, 9)}
	go s.ServeConn(server)
	r := rpc.NewClient(client)
	c := begin(nil)
	for _, call := range []struct{ value, head string }{{"1", "ServiceMethod: KV.Put"}, {"2", "ServiceMethod: KV.Put, Seq: 1"}} {
		var old string
		require.NoError(t, r.Call("KV.Put", Args{"x", call.value}, &old))
		require.Equal(t, "gob Request{"+call.head+"}, Args{Key: x, Value: "+call.value+"}", c.say(0, <-client.said))
		require.Equal(t, "gob "+"Response{"+call.head+`}, before `+call.value, c.say(1, <-server.said))
	}
	require.NoError(t, r.Close())
}

// What only begins like it, or breaks off, is told as what nobody knows, and no bytes
// make trouble.
func TestNoGob(t *testing.T) {
	said := encoded(t, outer{Key: "x", Any: "y", In: &inner{Names: []string{"a"}}})[0]
	for i := range len(said) {
		for _, b := range []byte{0, 1, 2, 0x7f, 0x80, 0xf8, 0xff} {
			broken := []byte(said)
			broken[i] = b
			c := begin(nil)
			c.say(0, string(broken))
			c.say(0, said)
		}
		c := begin(nil)
		require.NotContains(t, c.say(0, said[:i]), "outer{")
	}
	for _, said := range []string{"\x05\xff\x81\x00\x00\x00", "\x03\x04\x00\x02", "\xf7", "\x10\xff\x81"} {
		require.Equal(t, "tcp "+Digest([]byte(said)), begin(nil).say(0, said))
	}
}
