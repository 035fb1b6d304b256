package network

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// frames writes frames of HTTP/2 with fields that are spelled out.
func frames(parts ...string) string { return strings.Join(parts, "") }

func frameOf(kind, flags byte, stream byte, payload string) string {
	n := len(payload)
	return string([]byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags, 0, 0, 0, stream}) + payload
}

// fields spells out names and values.
func fields(pairs ...string) (block string) {
	for i := 0; i < len(pairs); i += 2 {
		block += "\x00" + string([]byte{byte(len(pairs[i]))}) + pairs[i] + string([]byte{byte(len(pairs[i+1]))}) + pairs[i+1]
	}
	return block
}

func TestGRPC(t *testing.T) {
	c := begin(nil)
	get := fields(":method", "POST", ":path", "/kv.KV/Get", "content-type", "application/grpc+proto")
	require.Equal(t, "http settings", c.say(1, frameOf(frameSettings, 0, 0, "")))
	require.Equal(t, "http preface, settings", c.say(0, preface+frameOf(frameSettings, 0, 0, "")))
	require.Equal(t, "http settings ack", c.say(1, frameOf(frameSettings, flagAck, 0, "")))
	require.Equal(t, "grpc /kv.KV/Get", c.say(0, frames(frameOf(frameHeaders, flagEndHeaders, 1, get), frameOf(frameData, flagEndStream, 1, "12345"))))
	require.Equal(t, "grpc /kv.KV/Get OK", c.say(1, frames(
		frameOf(frameWindow, 0, 0, "\x00\x00\x00\x05"),
		frameOf(frameHeaders, flagEndHeaders, 1, "\x88"),
		frameOf(frameData, 0, 1, "answer"),
		frameOf(frameHeaders, flagEndHeaders|flagEndStream, 1, fields("grpc-status", "0")))))

	require.Equal(t, "grpc /kv.KV/Get", c.say(0, frameOf(frameHeaders, flagEndHeaders|flagPadded|flagPriority, 3, "\x02\x00\x00\x00\x00\x10"+get+"\x00\x00")))
	require.Equal(t, "grpc /kv.KV/Get: 4 bytes", c.say(0, frameOf(frameData, 0, 3, "more")))
	require.Equal(t, "grpc /kv.KV/Get: end", c.say(0, frameOf(frameData, flagEndStream, 3, "")))
	require.Equal(t, "grpc /kv.KV/Get answers", c.say(1, frameOf(frameHeaders, flagEndHeaders, 3, "\x88")))
	require.Equal(t, "grpc /kv.KV/Get NotFound", c.say(1, frameOf(frameHeaders, flagEndHeaders|flagEndStream, 3, fields("grpc-status", "5"))))

	cut := len(get) / 2
	require.Equal(t, "http headers", c.say(0, frameOf(frameHeaders, 0, 5, get[:cut])))
	require.Equal(t, "grpc /kv.KV/Get", c.say(0, frameOf(frameContinuation, flagEndHeaders, 5, get[cut:])))
	require.Equal(t, "grpc /kv.KV/Get reset: cancel", c.say(0, frameOf(frameReset, 0, 5, "\x00\x00\x00\x08")))
	require.Equal(t, "http goaway", c.say(1, frameOf(frameGoAway, 0, 0, "12345678")))
	require.Equal(t, "http ping", c.say(1, frameOf(framePing, 0, 0, "12345678")))
}

// tap tells what goes over connections, as it is written.
type tap struct {
	net.Conn
	*tapped
	end int
}

type tapped struct {
	sync.Mutex
	talk  *talk
	heard []string
}

func (c *tap) Write(p []byte) (int, error) {
	c.Lock()
	c.heard = append(c.heard, fmt.Sprintf("%d %s", c.end, c.talk.say(c.end, string(p))))
	c.Unlock()
	return c.Conn.Write(p)
}

type tapListener struct {
	net.Listener
	*tapped
}

func (l tapListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &tap{c, l.tapped, 1}, err
}

// What net/http says is understood, in both of its protocols: all requests and all
// answers, with names that are in the tables by and by.
func TestWhatNetHTTPSays(t *testing.T) {
	for version, want := range map[string]string{"HTTP/1.1": "http 200 OK: %d", "HTTP/2.0": "http 200 POST /kv/%d"} {
		t.Run(version, func(t *testing.T) {
			heard := &tapped{talk: begin(nil)}
			protocols := new(http.Protocols)
			protocols.SetHTTP1(version == "HTTP/1.1")
			protocols.SetUnencryptedHTTP2(version == "HTTP/2.0")
			server := &http.Server{Protocols: protocols, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(w, r.Body)
			})}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			go server.Serve(tapListener{l, heard})
			defer server.Close()
			client := &http.Client{Transport: &http.Transport{Protocols: protocols, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				c, err := new(net.Dialer).DialContext(ctx, network, address)
				return &tap{c, heard, 0}, err
			}}}
			for i := range 20 {
				r, err := client.Post(fmt.Sprintf("http://%s/kv/%d", l.Addr(), i), "text/plain", strings.NewReader(fmt.Sprint(i)))
				require.NoError(t, err)
				require.Equal(t, version, r.Proto)
				_, err = io.ReadAll(r.Body)
				require.NoError(t, err)
				r.Body.Close()
			}
			heard.Lock()
			defer heard.Unlock()
			all := strings.Join(heard.heard, "\n")
			for i := range 20 {
				require.Contains(t, all, fmt.Sprintf("0 http POST /kv/%d", i))
				require.Contains(t, all, "1 "+fmt.Sprintf(want, i))
			}
			require.NotContains(t, all, " tcp ")
		})
	}
}
