package network

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"context"

	"github.com/stretchr/testify/require"
)

// The server and the client of net/http work over it, also if half of all messages is
// lost: request and answer take a round each.
func TestHTTP(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		l, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		server := &http.Server{Handler: http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			io.WriteString(out, r.Method+" "+r.URL.Path+" of "+r.RemoteAddr+": "+strings.ToUpper(string(body)))
		})}
		go server.Serve(l)
		transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return w.hosts["a"].Dial(ctx, network, address, nil)
		}}
		client := &http.Client{Transport: transport}
		ask := func() {
			answer, err := client.Post("http://b/kv/x", "text/plain", strings.NewReader("hello"))
			require.NoError(t, err)
			text, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, "POST /kv/x of 10.0.0.1:49152: HELLO", string(text))
		}
		require.Equal(t, 4, w.until(t, ask), "with a connection to be made")
		require.Equal(t, 2, w.until(t, ask))
		require.Equal(t, []string{
			"a>b tcp dial :80", "b>a tcp accept",
			"a>b http POST /kv/x: hello", "b>a http 200 OK: POST /kv/x of 10.0.0.1:49152: HELLO",
			"a>b http POST /kv/x: hello", "b>a http 200 OK: POST /kv/x of 10.0.0.1:49152: HELLO",
		}, w.all[:6])
		n := 0
		w.lose = func(string, string, any) bool { n++; return n%2 == 1 }
		require.Equal(t, 4, w.until(t, ask))
		transport.CloseIdleConnections()
		require.NoError(t, server.Close())
		w.rounds(4)
		require.Contains(t, w.all, "a>b tcp close")
	})
}
