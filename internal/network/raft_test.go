package network

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// raftMessage is a message of go.etcd.io/raft, from 1 to 2: its type, term, index, and
// entries.
func raftMessage(from, kind, term, index, entries byte) string {
	m := string([]byte{8, kind, 16, 2 * from, 24, from, 32, term, 40, term, 48, index})
	for i := range entries {
		m += raftField(7, raftEntry(term, index+1+i))
	}
	return m + "\x40\x01"
}

func raftEntry(term, index byte) string {
	return string([]byte{8, 0, 16, term, 24, index}) + raftField(4, "put x 1")
}

func raftField(number byte, bytes string) string {
	return string([]byte{number<<3 | 2, byte(len(bytes))}) + bytes
}

// raftSized is a message after its length.
func raftSized(m string) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(len(m)))) + m
}

// raftApp is a message of the stream of entries.
func raftApp(m string) string { return "\x02" + raftSized(m) }

// raftEntries are entries that follow those before.
func raftEntries(n int) string {
	return "\x01" + string(binary.BigEndian.AppendUint64(nil, uint64(n))) + strings.Repeat(raftSized(raftEntry(1, 1)), n) + "\x00\x00\x00\x00\x00\x00\x00\x07"
}

// streamed is an answer whose body is written in these pieces.
func streamed(pieces ...string) string {
	answer := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, p := range pieces {
		answer += chunk(p)
	}
	return answer
}

func chunk(p string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(p), p) }

// What members of etcd say to each other is told by the types of their messages.
func TestRaftOverHTTP(t *testing.T) {
	c := begin(nil)
	require.Equal(t, "http GET /raft/stream/message/1f", c.say(0, "GET /raft/stream/message/1f HTTP/1.1\r\nHost: n1\r\n\r\n"))
	require.Equal(t, "http 200 OK", c.say(1, streamed()))
	require.Equal(t, "raft MsgVote term 3 index 8", c.say(1, chunk(raftSized(raftMessage(1, 5, 3, 8, 0)))))
	require.Equal(t, "raft link heartbeat", c.say(1, chunk(raftSized(raftMessage(0, 8, 0, 0, 0)))))
	require.Equal(t, "raft MsgHeartbeat term 3", c.say(1, chunk(raftSized(raftMessage(1, 8, 3, 0, 0)))))
	both := chunk(raftSized(raftMessage(1, 8, 3, 0, 0))) + chunk(raftSized(raftMessage(1, 4, 3, 9, 0)+"\x50\x01"))
	require.Equal(t, "raft MsgAppResp term 3 index 9 rejects", c.say(1, both))
	require.Equal(t, "raft MsgReadIndex term 0", c.say(1, chunk(raftSized(raftMessage(1, 15, 0, 0, 0)))))

	long := chunk(raftSized(raftMessage(1, 3, 3, 9, 1)))
	require.Equal(t, "raft more of a message, 25 bytes", c.say(1, long[:25]))
	require.Equal(t, "raft MsgApp term 3 index 9 +1", c.say(1, long[25:]))
	require.Equal(t, "raft MsgPreVote term 4 index 9", c.say(1, chunk(raftSized(raftMessage(1, 17, 4, 9, 0)))))

	c = begin(nil)
	require.Equal(t, "http GET /raft/stream/msgapp/1f", c.say(0, "GET /raft/stream/msgapp/1f HTTP/1.1\r\nHost: n1\r\n\r\n"))
	require.Equal(t, "raft 200 OK, MsgApp term 2 index 4 +1", c.say(1, streamed(raftApp(raftMessage(1, 3, 2, 4, 1)))))
	require.Equal(t, "raft MsgApp term 2 index 5 +2", c.say(1, chunk(raftEntries(2))))
	require.Equal(t, "raft MsgApp term 2 index 7, MsgApp term 2 index 7 +1", c.say(1, chunk(raftEntries(0))+chunk(raftEntries(1))))
	require.Equal(t, "raft link heartbeat", c.say(1, chunk("\x00")))

	c = begin(nil)
	vote := raftMessage(1, 5, 3, 8, 0)
	post := fmt.Sprintf("POST /raft HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s", len(vote), vote)
	require.Equal(t, "raft MsgVote term 3 index 8", c.say(0, post))
	require.Equal(t, "http 204 No Content", c.say(1, "HTTP/1.1 204 No Content\r\n\r\n"))
	require.Equal(t, "raft MsgVote term 3 index 8, POST /raft", c.say(0, post+post[:len(post)-4]))
	require.Equal(t, "raft MsgVote term 3 index 8", c.say(0, post[len(post)-4:]))
}

// Bodies of others that come over the same paths are told as bodies are.
func TestNoRaft(t *testing.T) {
	for _, body := range []string{"{}", "hello", "\x10\x01", "\x08\x50", raftMessage(1, 3, 2, 4, 1)[:20], "\x08\x03\x82\x01\x00", "\x08\x03\x3a\x02\x18"} {
		require.Regexp(t, "^http POST /raft(: .*)?$", begin(nil).say(0, fmt.Sprintf("POST /raft HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s", len(body), body)))
	}
	for _, body := range []string{"\x03", "\x02\x00\x00\x00\x00\x00\x00\x00\x02{}", "\x02\xff\xff\xff\xff\xff\xff\xff\xff", "\x01\xff\xff\xff\xff\xff\xff\xff\xff", raftEntries(0)[:8] + "\x01\xff\xff\xff\xff\xff\xff\xff\xff"} {
		c := begin(nil)
		c.say(0, "GET /raft/stream/msgapp/1 HTTP/1.1\r\n\r\n")
		c.say(1, streamed())
		require.Regexp(t, "^http more of 200 OK, [0-9]+ bytes$", c.say(1, chunk(body)))
		require.Regexp(t, "^http more of 200 OK, [0-9]+ bytes$", c.say(1, chunk(raftEntries(1))))
	}
	c := begin(nil)
	c.say(0, "GET /raft/stream/msgapp/1 HTTP/1.1\r\n\r\n")
	require.Equal(t, "http 404 Not Found", c.say(1, strings.Replace(streamed("\x00"), "200 OK", "404 Not Found", 1)))
}

// A message that does not end is not kept.
func TestLongRaft(t *testing.T) {
	c := begin(nil)
	c.say(0, "GET /raft/stream/message/1 HTTP/1.1\r\n\r\n")
	c.say(1, streamed())
	for range 40 {
		c.say(1, chunk("\x00\x00\x00\x00\x00\x1f\xff\xff"+strings.Repeat("\x08\x03", 1<<15)))
	}
	require.Nil(t, c.ends[1].http1.raft)
	require.Equal(t, "http more of 200 OK, 6 bytes", c.say(1, chunk("a")))
}
