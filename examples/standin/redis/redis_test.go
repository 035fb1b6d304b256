package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A client speaks RESP over a connection, and compares what comes back as it is.
type client struct {
	t *testing.T
	c net.Conn
	r *bufio.Reader
}

func dial(t *testing.T, db *db) *client {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go newSession(db, c).serve()
		}
	}()
	return another(t, l.Addr().String())
}

func another(t *testing.T, address string) *client {
	t.Helper()
	c, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return &client{t, c, bufio.NewReader(c)}
}

func (c *client) does(want string, words ...string) {
	c.t.Helper()
	_, err := c.c.Write(appendCommand(nil, words))
	require.NoError(c.t, err)
	c.reads(want)
}

func (c *client) reads(want string) {
	c.t.Helper()
	require.NoError(c.t, c.c.SetReadDeadline(time.Now().Add(5*time.Second)))
	got := make([]byte, len(want))
	_, err := io.ReadFull(c.r, got)
	require.NoError(c.t, err)
	require.Equal(c.t, want, string(got))
}

const release = `
	-- deletes the lock of its holder
	if redis.call("GET", KEYS[1]) == ARGV[1] then
		return redis.call("DEL", KEYS[1])
	elseif redis.call("EXISTS", KEYS[1]) == 0 then
		return -1
	else
		return 0
	end`

func TestLock(t *testing.T) {
	c := dial(t, newDB())
	c.does("+PONG\r\n", "PING")
	c.does("+OK\r\n", "SET", "lock", "mine", "NX", "PX", "60000")
	c.does("$-1\r\n", "SET", "lock", "yours", "PX", "60000", "NX")
	c.does("$4\r\nmine\r\n", "get", "lock")
	c.does(":60\r\n", "TTL", "lock")
	c.does("-NOSCRIPT there is no such script\r\n", "EVALSHA", strings.Repeat("0", 40), "1", "lock", "mine")
	c.does(":0\r\n", "EVAL", release, "1", "lock", "yours")
	c.does(":1\r\n", "EVAL", release, "1", "lock", "mine")
	c.does(":-1\r\n", "EVAL", release, "1", "lock", "mine")
	c.does(":0\r\n", "EXISTS", "lock")
	c.does("+OK\r\n", "SET", "lock", "short", "PX", "1")
	time.Sleep(5 * time.Millisecond)
	c.does("+OK\r\n", "SET", "lock", "next", "NX")
	c.does("-ERR unknown command 'ZADD': this stand-in of Redis does not have it\r\n", "ZADD", "z", "1", "a")
	c.does("%6\r\n$6\r\nserver\r\n", "HELLO", "3")
}

func TestScripts(t *testing.T) {
	c := dial(t, newDB())
	for script, want := range map[string]string{
		`return 1 + 2 * 3 - -1`:                     ":8\r\n",
		`return 7 / 2`:                              ":3\r\n",
		`return (1 < 2) and "a" .. 'b' .. 3 or nil`: "$3\r\nab3\r\n",
		`local n = tonumber(ARGV[1]) if not n then return "none" end n = n + 1 return n`: ":42\r\n",
		`return ARGV`:           "*2\r\n$2\r\n41\r\n$0\r\n\r\n",
		`return ARGV[3] == nil`: ":1\r\n",
		`return redis.call("GET", "nothing") == false`:                                        ":1\r\n",
		`local x = 1 if true then local x = 2 x = 3 end return x`:                             ":1\r\n",
		`if redis.call("SET", KEYS[1], "v", "NX") then return redis.call("GET", KEYS[1]) end`: "$1\r\nv\r\n",
		`redis.call("INCR", KEYS[1])`:                                                         "-ERR value is not an integer\r\n",
		`local got = redis.pcall("INCR", KEYS[1]) return got`:                                 "-ERR value is not an integer\r\n",
		`return {1}`:             "-ERR script",
		`for i = 1, 2 do end`:    "-ERR script",
		`return redis.log("x")`:  "-ERR script",
		`return x`:               "-ERR there is no variable x\r\n",
		strings.Repeat("(", 999): "-ERR script",
		`return "a`:              "-ERR script",
	} {
		c := dial(t, newDB())
		if strings.Contains(script, "INCR") {
			c.does("+OK\r\n", "SET", "key", "v")
		}
		c.does(want, "EVAL", script, "1", "key", "41", "")
	}
	c.does(`$40`+"\r\n", "SCRIPT", "LOAD", "return 1")
}

func TestTransaction(t *testing.T) {
	db := newDB()
	c := dial(t, db)
	d := another(t, c.c.RemoteAddr().String())
	c.does("+OK\r\n", "WATCH", "n")
	d.does(":1\r\n", "INCR", "n")
	c.does("+OK\r\n", "MULTI")
	c.does("+QUEUED\r\n", "INCR", "n")
	c.does("$-1\r\n", "EXEC")
	c.does("+OK\r\n", "MULTI")
	c.does("+QUEUED\r\n", "INCR", "n")
	c.does("+QUEUED\r\n", "GET", "n")
	c.does("*2\r\n:2\r\n$1\r\n2\r\n", "EXEC")
	c.does("+OK\r\n", "MULTI")
	c.does("-ERR wrong number of arguments for 'GET'\r\n", "GET")
	c.does("-EXECABORT a command was refused before\r\n", "EXEC")
}

// What is not RESP is refused, and ends one connection only.
func TestHostileCommands(t *testing.T) {
	c := dial(t, newDB())
	for _, text := range []string{"*1\r\n$99999999999\r\n", "*-1\r\n", "*999999999\r\n", "*1\r\n+PING\r\n", "*1\r\n$4\r\nPINGxx", strings.Repeat("x", 1<<16)} {
		d := another(t, c.c.RemoteAddr().String())
		go d.c.Write([]byte(text))
		d.reads("-ERR expected a command of RESP")
	}
	c.does("+PONG\r\n", "PING")
}

// A restart finds what was kept, and not the half of a write at the end.
func TestKeeps(t *testing.T) {
	name := filepath.Join(t.TempDir(), "appendonly")
	db := newDB()
	require.NoError(t, db.keep("always", name))
	db.do([]string{"SET", "a", "1", "PX", "60000"})
	db.do([]string{"EVAL", `return redis.call("INCRBY", KEYS[1], ARGV[1])`, "1", "n", "5"})
	db.do([]string{"SET", "b", "1"})
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, whole[:len(whole)-3], 0o644))

	again := newDB()
	require.NoError(t, again.keep("always", name))
	require.Equal(t, "1", again.do([]string{"GET", "a"}))
	require.Equal(t, "5", again.do([]string{"GET", "n"}))
	require.Nil(t, again.do([]string{"GET", "b"}))
	require.Greater(t, again.do([]string{"PTTL", "a"}), int64(50000))
	again.do([]string{"SET", "c", "1"})

	last := newDB()
	require.NoError(t, last.keep("everysec", name))
	require.Equal(t, "1", last.do([]string{"GET", "c"}))
	require.ErrorContains(t, newDB().keep("often", name), "expected none, everysec or always")
}

// A replica has the writes of its master, refuses others, and goes on alone when it is told to.
func TestReplica(t *testing.T) {
	master, replica := newDB(), newDB()
	c := dial(t, master)
	c.does(":1\r\n", "INCR", "n")
	replica.follow(c.c.RemoteAddr().String())
	r := dial(t, replica)
	for i := 2; i < 4; i++ {
		c.does(fmt.Sprintf(":%d\r\n", i), "INCR", "n")
	}
	require.Eventually(t, func() bool { return replica.do([]string{"GET", "n"}) == "3" }, 5*time.Second, time.Millisecond)
	r.does("-READONLY this is a replica\r\n", "INCR", "n")
	r.does("+OK\r\n", "REPLICAOF", "NO", "ONE")
	r.does(":4\r\n", "INCR", "n")
	c.does(":4\r\n", "INCR", "n")
}
