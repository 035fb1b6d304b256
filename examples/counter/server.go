// Package counter is a small HTTP service with a backup, as anybody would write it
// (server.go, client.go; these files know nothing of ldfi), and how it is put under ldfi
// (system.go). It loses an acknowledged update if two things go wrong: the backup cannot
// be reached for a while, and then the primary crashes.
package counter

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server counts: POST /add adds one and returns the new value, GET /value returns it.
// Each of two servers copies what it counts to the other one.
type Server struct {
	Other   string        // the address of the other server
	Client  *http.Client  // to speak to it
	Timeout time.Duration // after which it is taken for dead

	// Strict refuses an update that the other server has not got. Without it the server
	// goes on alone, because a service has to be available.
	Strict bool

	http  http.Server
	mutex sync.Mutex
	value int
}

// ListenAndServe serves clients at an address until Close is called.
func (s *Server) ListenAndServe(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return s.Serve(l)
}

// Serve serves the clients of a listener until Close is called.
func (s *Server) Serve(l net.Listener) error {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /add", s.add)
	mux.HandleFunc("GET /value", s.get)
	mux.HandleFunc("PUT /copy", s.copy)
	s.http.Handler = mux
	return s.http.Serve(l)
}

// Close ends the server.
func (s *Server) Close() error {
	s.Client.CloseIdleConnections()
	return s.http.Close()
}

// Value returns what has been counted.
func (s *Server) Value() int { return s.raise(0) }

// raise makes the value at least so large, and returns it.
func (s *Server) raise(value int) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.value = max(s.value, value)
	return s.value
}

func (s *Server) increment() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.value++
	return s.value
}

func (s *Server) add(w http.ResponseWriter, r *http.Request) {
	value := s.increment()
	if err := s.send(r.Context(), value); err != nil && s.Strict {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, value)
}

func (s *Server) get(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, s.Value()) }

func (s *Server) copy(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	value, err := strconv.Atoi(string(text))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.raise(value)
	w.WriteHeader(http.StatusNoContent)
}

// send copies a value to the other server.
func (s *Server) send(ctx context.Context, value int) error {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	return call(ctx, s.Client, http.MethodPut, "http://"+s.Other+"/copy", strconv.Itoa(value), nil)
}

// call makes a request, and reads the answer into a text unless that is nil.
func call(ctx context.Context, client *http.Client, method, url, body string, answer *string) error {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s: %s", response.Status, text)
	}
	if answer != nil {
		*answer = strings.TrimSpace(string(text))
	}
	return nil
}
