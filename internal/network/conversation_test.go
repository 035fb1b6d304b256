package network

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// talk is a conversation whose parts follow each other.
type talk struct {
	*Conversation
	said [2]int64
}

func begin(text func([]byte) string) *talk { return &talk{Conversation: NewConversation(text)} }

// say says something, and returns how it is told.
func (t *talk) say(end int, text string) string {
	p := t.Say(end, t.said[end], []byte(text))
	t.said[end] += int64(len(text))
	return p.Kind() + " " + p.Text()
}

func TestHTTP1(t *testing.T) {
	type line struct {
		end        int
		said, want string
	}
	for name, lines := range map[string][]line{
		"a request and its answer": {
			{0, "GET /kv/x HTTP/1.1\r\nHost: b\r\n\r\n", "http GET /kv/x"},
			{1, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n17", "http 200 OK: 17"},
		},
		"bodies": {
			{0, "PUT /kv/x HTTP/1.1\r\nContent-Length: 1\r\n\r\n7PUT /kv/y HTTP/1.1\r\ncontent-length: 3\r\n\r\na\x00b", "http PUT /kv/x: 7, PUT /kv/y"},
			{1, "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "http 204 No Content, 404 Not Found: abc"},
		},
		"one that comes in pieces": {
			{0, "PO", "tcp " + Digest([]byte("PO"))},
			{0, "ST /x HT", "tcp " + Digest([]byte("ST /x HT"))},
			{0, "TP/1.1\r\nContent-Length:", "http POST /x, " + Digest([]byte("Content-Length:"))},
			{0, " 10\r\n\r\n01234", "http more of POST /x, 12 bytes"},
			{0, "56789", "http more of POST /x, 5 bytes"},
			{0, "GET / HTTP/1.1\r\n\r\n", "http GET /"},
		},
		"chunks in pieces": {
			{1, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhe", "http 200 OK: he"},
			{1, "llo\r\n1\r\n!\r\n", "http more of 200 OK, 11 bytes"},
			{1, "0\r\nTrailer: x\r\n\r\nHTTP/1.1 500 Internal Server Error\r\n", "http more of 200 OK, 17 bytes, 500 Internal Server Error"},
		},
		"answers without bodies": {
			{0, "HEAD /x HTTP/1.1\r\n\r\nGET /y HTTP/1.1\r\n\r\n", "http HEAD /x, GET /y"},
			{1, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n", "http 200 OK, 100 Continue, 304 Not Modified"},
		},
		"until the end": {
			{0, "GET / HTTP/1.0\r\n\r\n", "http GET /"},
			{1, "HTTP/1.0 200 OK\r\n\r\nall", "http 200 OK: all"},
			{1, "that follows", "http more of 200 OK, 12 bytes"},
		},
		"another protocol behind it": {
			{0, "GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", "http GET /ws"},
			{1, "HTTP/1.1 101 Switching Protocols\r\n\r\n", "http 101 Switching Protocols"},
			{0, "frame", "tcp " + Digest([]byte("frame"))},
			{1, "frame", "tcp " + Digest([]byte("frame"))},
		},
		"nonsense": {
			{0, "GET / HTTP/1.1\r\n\r\nwhat is this\r\n", "http GET /, " + Digest([]byte("what is this\r\n"))},
			{0, "GET / HTTP/1.1\r\n\r\n", "tcp " + Digest([]byte("GET / HTTP/1.1\r\n\r\n"))},
		},
		"unknown bytes": {
			{0, "hello", "tcp " + Digest([]byte("hello"))},
			{1, "\x00", "tcp 1 byte 050c5d1f"},
		},
		"many": {
			{0, strings.Repeat("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n", 6), "http GET /a, GET /b, GET /a, GET /b, GET /a, GET /b, GET /a, GET /b, and 4 more"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := begin(nil)
			for _, l := range lines {
				require.Equal(t, l.want, c.say(l.end, l.said))
			}
		})
	}
}

// Bytes that were lost are said again with new ones, and told again.
func TestSaidAgain(t *testing.T) {
	c := NewConversation(nil)
	first := "GET /x HTTP/1.1\r\n\r\n"
	require.Equal(t, "GET /x", c.Say(0, 0, []byte(first)).Text())
	require.Equal(t, "GET /x", c.Say(0, 0, []byte(first)).Text())
	both := c.Say(0, 0, []byte(first+"GET /y HTTP/1.1\r\n\r\n"))
	require.Equal(t, "GET /x, GET /y", both.Text())
	require.Equal(t, "GET /y", c.Say(0, int64(len(first)), []byte("GET /y HTTP/1.1\r\n\r\n")).Text())
}

// What a part means does not depend on when somebody asks.
func TestWhenItIsRead(t *testing.T) {
	said := []string{"PUT /x HTTP/1.1\r\nContent-Length: 4\r\n\r\n12", "34", "GET /y HTTP/1.1\r\n", "\r\n"}
	at, late := begin(nil), NewConversation(nil)
	var parts []*Part
	var offset int64
	for _, s := range said {
		parts = append(parts, late.Say(0, offset, []byte(s)))
		offset += int64(len(s))
	}
	var want []string
	for _, s := range said {
		want = append(want, at.say(0, s))
	}
	require.Equal(t, []string{"http PUT /x: 12", "http more of PUT /x, 2 bytes", "http GET /y", "http more of GET /y, 2 bytes"}, want)
	for i := len(parts) - 1; i >= 0; i-- {
		require.Equal(t, want[i], parts[i].Kind()+" "+parts[i].Text())
	}
}

// The user says what nothing else knows.
func TestTextOfTheUser(t *testing.T) {
	text := func(b []byte) string {
		if b[0] == '!' {
			return ""
		}
		return fmt.Sprintf("<%s>", b)
	}
	c := begin(text)
	require.Equal(t, "tcp <set x 1>", c.say(0, "set x 1"))
	require.Equal(t, "tcp "+Digest([]byte("!")), c.say(0, "!"))
	require.Equal(t, "http GET /", begin(text).say(0, "GET / HTTP/1.1\r\n\r\n"))
}

func TestTLS(t *testing.T) {
	c := begin(nil)
	record := func(kind byte, body string) string {
		return string([]byte{kind, 3, 3, 0, byte(len(body))}) + body
	}
	require.Equal(t, "tls TLS client hello", c.say(0, record(22, "\x01\x00\x00")))
	require.Equal(t, "tls TLS server hello, TLS change cipher spec, TLS data, 4 bytes", c.say(1, record(22, "\x02")+record(20, "\x01")+record(23, "abcd")))
	require.Equal(t, "tls TLS data, 5 bytes", c.say(0, record(23, "hello")[:7]))
	require.Equal(t, "tls more of TLS data, 3 bytes, TLS alert", c.say(0, "llo"+record(21, "ab")))
	require.Equal(t, "tcp "+Digest([]byte("nonsense")), c.say(0, "nonsense"))
}

// Nothing grows without bounds because nobody asks.
func TestNobodyAsks(t *testing.T) {
	c := NewConversation(nil)
	chunk := []byte(strings.Repeat("GET / HTTP/1.1\r\n\r\n", 1<<10))
	var offset int64
	for range 200 {
		c.Say(0, offset, chunk)
		offset += int64(len(chunk))
	}
	require.LessOrEqual(t, c.waits, mostUnread+len(chunk))
	require.LessOrEqual(t, len(c.ends[0].items), 32<<10)
	require.Len(t, c.asked, 1<<10)
}

// No bytes break it, and what they mean does not depend on when somebody asks.
func FuzzConversation(f *testing.F) {
	f.Add([]byte("GET /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), []byte("HTTP/1.1 200 OK\r\n\r\n"), 7)
	f.Add([]byte(preface+"\x00\x00\x02\x01\x04\x00\x00\x00\x01\x82\x84"), []byte("\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x01\x01\x05\x00\x00\x00\x01\x88"), 3)
	f.Add([]byte("\x16\x03\x01\x00\x01\x01\x17\x03\x03\x00\x05hello"), []byte("\x16\x03\x03\x00\x01\x02"), 4)
	f.Add([]byte("CONNECT {}\r\nPUB x y 5\r\nhello\r\nSUB x 1\r\n"), []byte("INFO {}\r\nMSG x 1 2\r\nhi\r\nRMSG $G x 1\r\na\r\n"), 6)
	f.Add([]byte("GET /raft/stream/msgapp/1 HTTP/1.1\r\n\r\n"), []byte(streamed(raftApp(raftMessage(1, 3, 2, 4, 1)), "\x00", raftEntries(2))), 9)
	f.Add([]byte("GET /raft/stream/message/1 HTTP/1.1\r\n\r\n"), []byte(streamed(raftSized(raftMessage(1, 5, 2, 4, 0)))), 9)
	f.Add([]byte("POST /raft HTTP/1.1\r\nContent-Length: 10\r\n\r\n"+raftMessage(1, 5, 2, 4, 0)), []byte("HTTP/1.1 204 No Content\r\n\r\n"), 9)
	f.Add([]byte(pushPull), []byte("\x02"+packed("SeqNo", 7, "Payload", "")), 11)
	f.Fuzz(func(t *testing.T, client, server []byte, size int) {
		if len(client)+len(server) > 1<<14 {
			return
		}
		size = max(1, size&0xff)
		asked, late := begin(nil), NewConversation(nil)
		var parts []*Part
		var told []string
		streams := [2][]byte{client, server}
		for len(streams[0])+len(streams[1]) > 0 {
			for end := range streams {
				n := min(size, len(streams[end]))
				if n == 0 {
					continue
				}
				parts = append(parts, late.Say(end, asked.said[end], streams[end][:n]))
				told = append(told, asked.say(end, string(streams[end][:n])))
				streams[end] = streams[end][n:]
			}
		}
		for i, p := range parts {
			require.NotEmpty(t, p.Text())
			require.Less(t, len(p.Text()), 4000)
			require.Equal(t, told[i], p.Kind()+" "+p.Text())
		}
	})
}
