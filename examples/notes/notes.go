// Package notes is a server as engineers write it, with goroutines, timers and TCP,
// and a mistake in it. In system.go it is put under ldfi.
package notes

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server keeps notes. One server takes them from clients, and replicates each to the
// followers before it is acknowledged.
type Server struct {
	Log       *slog.Logger
	Followers []string // their addresses
	Dial      func(ctx context.Context, network, address string) (net.Conn, error)
	Careless  bool // a follower that does not answer is passed over

	mutex sync.Mutex
	notes []string
}

// Serve takes notes from the server that this one follows, until the listener is closed.
func (s *Server) Serve(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go s.follow(conn)
	}
}

func (s *Server) follow(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		s.store(lines.Text())
		fmt.Fprintln(conn, "ok")
	}
}

// Add stores a note, here and on the followers.
func (s *Server) Add(note string) error {
	s.store(note)
	for _, follower := range s.Followers {
		err := s.replicate(follower, note)
		if err == nil {
			continue
		}
		if !s.Careless {
			return err
		}
		s.Log.Warn("a follower does not answer", "error", err)
	}
	return nil
}

// timeout is how long a follower may take.
const timeout = 50 * time.Millisecond

func (s *Server) replicate(follower, note string) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	conn, err := s.Dial(ctx, "tcp", follower)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	fmt.Fprintln(conn, note)
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && strings.TrimSpace(answer) != "ok" {
		err = fmt.Errorf("the follower answers %q", answer)
	}
	return err
}

func (s *Server) store(note string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !slices.Contains(s.notes, note) {
		s.notes = append(s.notes, note)
	}
}

// Notes returns all notes.
func (s *Server) Notes() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.notes)
}
