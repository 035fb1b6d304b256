// Kv is a replicated key-value server with a file. It knows nothing of ldfi.
//
// PUT /KEY writes a value to the file and sends it to the other servers before it answers.
// With -behind 100ms values are only written each 100 ms, and when the server is told to end:
// who runs it so accepts that a crash loses some. With -mistake it has one of three mistakes.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

var (
	others  = flag.String("others", "", "the addresses of the other servers, separated by commas")
	behind  = flag.Duration("behind", 0, "write values so often, not each before it is acknowledged")
	mistake = flag.String("mistake", "", "order: it answers before the others have a value; disk: it does not sync; shutdown: it does not write at its end")
)

func main() {
	flag.Parse()
	s := &server{values: map[string]string{}}
	if err := s.open("values"); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /{key}", s.get)
	http.HandleFunc("PUT /{key}", s.put)
	http.HandleFunc("PUT /replica/{key}", s.keep)
	if *behind > 0 {
		go func() {
			for range time.Tick(*behind) {
				s.write()
			}
		}()
	}
	web := &http.Server{Addr: ":8080"}
	ended := make(chan bool)
	go func() {
		told, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		<-told.Done()
		log.Print("shuts down")
		web.Shutdown(context.Background())
		close(ended)
	}()
	if err := web.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	<-ended
	if *mistake != "shutdown" {
		s.write()
	}
}

type server struct {
	mu      sync.Mutex
	values  map[string]string
	pending []string // lines that are not written
	file    *os.File
}

// open reads the file: lines with a key and a value, of which the last counts.
func (s *server) open(name string) (err error) {
	if s.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
		return err
	}
	lines := bufio.NewScanner(s.file)
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), "=")
		s.values[key] = value
	}
	log.Printf("has %d", len(s.values))
	return lines.Err()
}

// write writes what is pending.
func (s *server) write() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.pending {
		if _, err := s.file.WriteString(line); err != nil {
			log.Fatal(err)
		}
	}
	if len(s.pending) > 0 && *mistake != "disk" {
		if err := s.file.Sync(); err != nil {
			log.Fatal(err)
		}
	}
	if len(s.pending) > 0 {
		log.Printf("wrote %d", len(s.pending))
	}
	s.pending = nil
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, ok := s.values[r.PathValue("key")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	io.WriteString(w, value)
}

// keep keeps a value on this node.
func (s *server) keep(_ http.ResponseWriter, r *http.Request) {
	value, _ := io.ReadAll(r.Body)
	s.store(r.PathValue("key"), string(value))
}

func (s *server) store(key, value string) {
	s.mu.Lock()
	s.values[key] = value
	s.pending = append(s.pending, fmt.Sprintf("%s=%s\n", key, value))
	s.mu.Unlock()
	log.Printf("stored %s=%s", key, value)
	if *behind == 0 {
		s.write()
	}
}

func (s *server) put(_ http.ResponseWriter, r *http.Request) {
	key := r.PathValue("key")
	value, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.store(key, string(value))
	if *others == "" {
		return
	}
	var all sync.WaitGroup
	for _, other := range strings.Split(*others, ",") {
		all.Go(func() { replicate(other, key, string(value)) })
	}
	if *mistake != "order" {
		all.Wait()
	}
}

var client = http.Client{Timeout: 200 * time.Millisecond}

// replicate sends a value to another server.
func replicate(other, key, value string) {
	r, err := http.NewRequest("PUT", fmt.Sprintf("http://%s/replica/%s", other, key), strings.NewReader(value))
	if err == nil {
		var answer *http.Response
		if answer, err = client.Do(r); err == nil {
			answer.Body.Close()
		}
	}
	if err != nil {
		log.Printf("%s does not have %s: %v", other, key, err)
	}
}
