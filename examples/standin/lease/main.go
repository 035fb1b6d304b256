// Lease is a stand-in of what hands out leases over HTTP, in two dialects: the leases of
// Kubernetes, by which client-go elects leaders, and the sessions and keys of Consul, of which
// its client makes locks. README.md in the directory above says what is there and what is not.
//
//	ldfi run --server ./examples/standin/lease --nodes 1 --client './mine {peers:8080}' --isolations 1 --period 50 -- -dir {dir}
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	address := flag.String("listen", ":8080", "the address to listen on")
	dir := flag.String("dir", "", "where what is stored outlives a crash (nothing does without it)")
	least := flag.Duration("ttl-min", 10*time.Second, "the shortest time of a session of Consul")
	flag.Parse()
	s := newStore(*least)
	if *dir != "" {
		if err := s.open(filepath.Join(*dir, "store")); err != nil {
			log.Fatal(err)
		}
	}
	go s.expire()
	log.Fatal(http.ListenAndServe(*address, s.handler()))
}

func (s *store) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases", s.leases)
	mux.HandleFunc("/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}", s.lease)
	mux.HandleFunc("PUT /v1/session/create", s.createSession)
	mux.HandleFunc("PUT /v1/session/renew/{id}", s.renewSession)
	mux.HandleFunc("PUT /v1/session/destroy/{id}", s.destroySession)
	mux.HandleFunc("GET /v1/session/info/{id}", s.infoSession)
	mux.HandleFunc("/v1/kv/{key...}", s.kv)
	return mux
}

// A store has everything, under one index that grows with each change.
type store struct {
	mu      sync.Mutex
	changed chan struct{} // is closed at the next change
	file    string
	least   time.Duration
	state
}

type state struct {
	Index    int64
	Leases   map[string]*lease
	Sessions map[string]*session
	Keys     map[string]*entry
	Delays   map[string]time.Time // until when a key cannot be acquired
}

func newStore(least time.Duration) *store {
	return &store{changed: make(chan struct{}), least: least, state: state{
		Leases: map[string]*lease{}, Sessions: map[string]*session{}, Keys: map[string]*entry{}, Delays: map[string]time.Time{},
	}}
}

// open reads what a file has, and keeps later changes there.
func (s *store) open(file string) error {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &s.state)
	} else if os.IsNotExist(err) {
		err = nil
	}
	s.file = file
	return err
}

// change is called, with the lock held, when something has changed: that is durable before
// anybody hears of it.
func (s *store) change() {
	close(s.changed)
	s.changed = make(chan struct{})
	if s.file == "" {
		return
	}
	if err := s.write(); err != nil {
		log.Fatal(err)
	}
}

func (s *store) write() error {
	text, err := json.Marshal(s.state)
	if err != nil {
		return err
	}
	file, err := os.Create(s.file + ".new")
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(text); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(s.file+".new", s.file); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(s.file))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

func answer(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		log.Print(err)
	}
}
