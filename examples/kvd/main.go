// Kvd is a small replicated key-value server. It knows nothing of ldfi.
//
// PUT /KEY stores a value on this node and on the others, and answers when all that can be
// reached have it. With -async it answers at once, which is the mistake that
//
//	ldfi run --server ./examples/kvd --client './examples/kvd/load {peers:8080}' --crashes 1 -- -others {others:8080} -async
//
// finds.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
	"time"
)

func main() {
	addr := flag.String("addr", ":8080", "the address to listen on")
	others := flag.String("others", "", "the addresses of the other servers, separated by commas")
	async := flag.Bool("async", false, "answer before the others have a value")
	flag.Parse()
	s := &server{values: map[string][]byte{}, async: *async, client: http.Client{Timeout: time.Second}}
	if *others != "" {
		s.others = strings.Split(*others, ",")
	}
	http.HandleFunc("GET /{key}", s.get)
	http.HandleFunc("PUT /{key}", s.put)
	http.HandleFunc("PUT /replica/{key}", s.store)
	log.Fatal(http.ListenAndServe(*addr, nil))
}

type server struct {
	others []string
	async  bool
	client http.Client

	mu     sync.Mutex
	values map[string][]byte
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, ok := s.values[r.PathValue("key")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Write(value)
}

// store keeps a value on this node.
func (s *server) store(_ http.ResponseWriter, r *http.Request) { s.keep(r) }

func (s *server) keep(r *http.Request) (key string, value []byte) {
	key = r.PathValue("key")
	value, _ = io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
	log.Printf("stored %s=%s", key, value)
	return key, value
}

func (s *server) put(_ http.ResponseWriter, r *http.Request) {
	key, value := s.keep(r)
	var all sync.WaitGroup
	for _, other := range s.others {
		all.Go(func() { s.replicate(other, key, value) })
	}
	if !s.async {
		all.Wait()
	}
}

// replicate sends a value to another server.
func (s *server) replicate(other, key string, value []byte) {
	r, err := http.NewRequest("PUT", fmt.Sprintf("http://%s/replica/%s", other, key), bytes.NewReader(value))
	if err == nil {
		var answer *http.Response
		if answer, err = s.client.Do(r); err == nil {
			answer.Body.Close()
		}
	}
	if err != nil {
		log.Printf("%s does not have %s: %v", other, key, err)
	}
}
