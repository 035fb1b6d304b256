package main

import (
	"bufio"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
)

// A session is what one connection says.
type session struct {
	db      *db
	c       net.Conn
	version int        // of RESP
	queue   [][]string // what EXEC is to do
	multi   bool
	broken  bool // a command of the queue was refused
	watched map[string]int64
}

func newSession(db *db, c net.Conn) *session {
	return &session{db: db, c: c, version: 2, watched: map[string]int64{}}
}

func (s *session) serve() {
	defer s.c.Close()
	for r := bufio.NewReader(s.c); ; {
		words, err := readCommand(r)
		if err != nil {
			if err == errProtocol {
				s.c.Write(appendReply(nil, failure("ERR "+err.Error()), 2))
			}
			return
		}
		if len(words) == 0 {
			continue
		}
		words[0] = strings.ToUpper(words[0])
		if words[0] == "REPLICATE" {
			s.replicate()
			return
		}
		reply := s.answer(words)
		if _, err := s.c.Write(appendReply(nil, reply, s.version)); err != nil || words[0] == "QUIT" {
			return
		}
	}
}

// answer does what is about the connection, and has the rest done by the database.
func (s *session) answer(words []string) any {
	name, args := words[0], words[1:]
	switch name {
	case "EXEC", "DISCARD", "MULTI", "WATCH", "UNWATCH":
		return s.transaction(name, args)
	}
	if s.multi {
		if err := check(words); err != nil {
			s.broken = true
			return failure(err.Error())
		}
		s.queue = append(s.queue, words)
		return status("QUEUED")
	}
	switch name {
	case "PING":
		if len(args) > 0 {
			return args[0]
		}
		return status("PONG")
	case "QUIT", "AUTH":
		return status("OK")
	case "SELECT":
		if len(args) == 1 && args[0] == "0" {
			return status("OK")
		}
		return failure("ERR there is database 0 only")
	case "HELLO":
		return s.hello(args)
	case "CLIENT":
		if len(args) > 0 && slices.Contains([]string{"SETNAME", "SETINFO", "NO-EVICT", "NO-TOUCH"}, strings.ToUpper(args[0])) {
			return status("OK")
		}
		return failure("ERR CLIENT has SETNAME, SETINFO, NO-EVICT and NO-TOUCH, without an effect")
	case "REPLICAOF":
		return s.db.replicaOf(args)
	}
	return s.db.do(words)
}

func (s *session) hello(args []string) any {
	if len(args) > 0 {
		if args[0] != "2" && args[0] != "3" {
			return failure("NOPROTO there are versions 2 and 3")
		}
		s.version = int(args[0][0] - '0')
	}
	return pairs{"server", "redis", "version", "7.0.0", "proto", int64(s.version), "mode", "standalone", "role", s.db.role(), "modules", []any{}}
}

func (s *session) transaction(name string, args []string) any {
	switch {
	case name == "MULTI" && s.multi:
		return failure("ERR there is a MULTI already")
	case name == "WATCH" && s.multi:
		return failure("ERR WATCH has to stand before MULTI")
	case (name == "EXEC" || name == "DISCARD") && !s.multi:
		return failure("ERR there is no MULTI before " + name)
	case name == "MULTI":
		s.multi = true
		return status("OK")
	case name == "WATCH":
		s.db.mu.Lock()
		defer s.db.mu.Unlock()
		for _, key := range args {
			s.watched[key] = s.db.changed[key]
		}
		return status("OK")
	}
	queue, broken, watched := s.queue, s.broken, s.watched
	s.queue, s.multi, s.broken, s.watched = nil, false, false, map[string]int64{}
	if name != "EXEC" {
		return status("OK")
	}
	if broken {
		return failure("EXECABORT a command was refused before")
	}
	return s.db.doAll(queue, watched)
}

// replicate sends all writes, from the first one on.
func (s *session) replicate() {
	for next := 0; ; {
		s.db.mu.Lock()
		for next == len(s.db.writes) {
			s.db.more.Wait()
		}
		var b []byte
		for ; next < len(s.db.writes); next++ {
			b = appendCommand(b, s.db.writes[next])
		}
		s.db.mu.Unlock()
		if _, err := s.c.Write(b); err != nil {
			return
		}
	}
}

func (db *db) replicaOf(args []string) any {
	if len(args) == 2 && strings.EqualFold(args[0], "no") && strings.EqualFold(args[1], "one") {
		db.mu.Lock()
		defer db.mu.Unlock()
		db.master = ""
		return status("OK")
	}
	return failure("ERR there is REPLICAOF NO ONE only: -replica-of names the master")
}

func (db *db) follows(master string) bool {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.master == master
}

func (db *db) role() string {
	if db.follows("") {
		return "master"
	}
	return "replica"
}

func (db *db) clear() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.values, db.writes = map[string]value{}, nil
}

// now is in milliseconds.
func now() int64 { return time.Now().UnixMilli() }

func wrong(format string, args ...any) failure { return failure("ERR " + fmt.Sprintf(format, args...)) }
