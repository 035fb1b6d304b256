package main

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A session holds keys until it is destroyed or not renewed for twice its TTL, which is when
// Consul ends it; without a TTL it does not end by itself.
type session struct {
	ID          string
	Name        string
	Behavior    string
	TTL         string
	LockDelay   time.Duration
	CreateIndex int64
	ModifyIndex int64
	Ends        time.Time `json:",omitzero"`
	Keeps       time.Duration
}

// An entry is a key with its value, and the session that holds it.
type entry struct {
	LockIndex   int64
	Key         string
	Flags       uint64
	Value       []byte
	Session     string `json:",omitempty"`
	CreateIndex int64
	ModifyIndex int64
}

func (s *store) createSession(w http.ResponseWriter, r *http.Request) {
	var asks struct{ Name, TTL, Behavior, LockDelay string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&asks); err != nil && err != io.EOF {
		http.Error(w, fmt.Sprintf("expected a session as JSON: %v", err), http.StatusBadRequest)
		return
	}
	n := &session{ID: newID(), Name: asks.Name, Behavior: asks.Behavior, TTL: asks.TTL, LockDelay: 15 * time.Second}
	if n.Behavior == "" {
		n.Behavior = "release"
	}
	if asks.LockDelay != "" {
		delay, err := time.ParseDuration(asks.LockDelay)
		if err != nil || delay < 0 || delay > time.Minute {
			http.Error(w, "LockDelay "+asks.LockDelay+": expected a duration up to 60s", http.StatusBadRequest)
			return
		}
		n.LockDelay = delay
	}
	if asks.TTL != "" {
		ttl, err := time.ParseDuration(asks.TTL)
		if err != nil || ttl < s.least || ttl > 24*time.Hour {
			http.Error(w, fmt.Sprintf("TTL %s: expected a duration between %v and 24h", asks.TTL, s.least), http.StatusBadRequest)
			return
		}
		n.Keeps = 2 * ttl
		n.Ends = time.Now().Add(n.Keeps)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Index++
	n.CreateIndex, n.ModifyIndex = s.Index, s.Index
	s.Sessions[n.ID] = n
	s.change()
	answer(w, http.StatusOK, map[string]string{"ID": n.ID})
}

func newID() string {
	var b [16]byte
	rand.Read(b[:])
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (s *store) renewSession(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.Sessions[r.PathValue("id")]
	if n == nil {
		http.Error(w, "there is no session "+r.PathValue("id"), http.StatusNotFound)
		return
	}
	if n.Keeps > 0 {
		n.Ends = time.Now().Add(n.Keeps)
		s.change()
	}
	answer(w, http.StatusOK, []*session{n})
}

func (s *store) infoSession(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []*session{}
	if n := s.Sessions[r.PathValue("id")]; n != nil {
		found = append(found, n)
	}
	w.Header().Set("X-Consul-Index", strconv.FormatInt(max(s.Index, 1), 10))
	answer(w, http.StatusOK, found)
}

func (s *store) destroySession(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end(r.PathValue("id"))
	answer(w, http.StatusOK, true)
}

// expire ends sessions that nobody renews.
func (s *store) expire() {
	for range time.Tick(100 * time.Millisecond) {
		s.mu.Lock()
		var over []string
		for id, n := range s.Sessions {
			if n.Keeps > 0 && !time.Now().Before(n.Ends) {
				over = append(over, id)
			}
		}
		slices.Sort(over)
		for _, id := range over {
			s.end(id)
		}
		s.mu.Unlock()
	}
}

// end ends a session: what it holds is released or deleted, and for the lock delay nobody
// acquires it.
func (s *store) end(id string) {
	n := s.Sessions[id]
	if n == nil {
		return
	}
	delete(s.Sessions, id)
	s.Index++
	for key, e := range s.Keys {
		if e.Session != id {
			continue
		}
		if e.Session, e.ModifyIndex = "", s.Index; n.Behavior == "delete" {
			delete(s.Keys, key)
		}
		s.Delays[key] = time.Now().Add(n.LockDelay)
	}
	s.change()
}

func (s *store) kv(w http.ResponseWriter, r *http.Request) {
	asks := r.URL.Query()
	for name := range asks {
		if !slices.Contains([]string{"acquire", "release", "flags", "cas", "index", "wait", "consistent", "stale", "dc"}, name) {
			http.Error(w, "this stand-in does not know ?"+name, http.StatusBadRequest)
			return
		}
	}
	if r.Method == http.MethodGet {
		s.read(w, r)
		return
	}
	if r.Method != http.MethodPut && r.Method != http.MethodDelete {
		http.Error(w, "there are GET, PUT and DELETE", http.StatusMethodNotAllowed)
		return
	}
	value, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 512<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	flags, err := strconv.ParseUint(cmp.Or(asks.Get("flags"), "0"), 10, 64)
	cas, err2 := strconv.ParseInt(cmp.Or(asks.Get("cas"), "0"), 10, 64)
	if err != nil || err2 != nil {
		http.Error(w, "flags and cas are whole numbers", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.PathValue("key")
	e := s.Keys[key]
	acquires, releases := asks.Get("acquire"), asks.Get("release")
	switch {
	case asks.Has("cas") && (e == nil && cas != 0 || e != nil && cas != e.ModifyIndex):
		answer(w, http.StatusOK, false)
		return
	case r.Method == http.MethodDelete:
		if e != nil {
			delete(s.Keys, key)
			s.Index++
			s.change()
		}
		answer(w, http.StatusOK, true)
		return
	case acquires != "" && s.Sessions[acquires] == nil:
		http.Error(w, "invalid session "+acquires, http.StatusInternalServerError)
		return
	case acquires != "" && (e != nil && e.Session != "" && e.Session != acquires || time.Now().Before(s.Delays[key])),
		releases != "" && (e == nil || e.Session != releases):
		answer(w, http.StatusOK, false)
		return
	}
	s.Index++
	if e == nil {
		e = &entry{Key: key, CreateIndex: s.Index}
		s.Keys[key] = e
	}
	e.Value, e.Flags, e.ModifyIndex = value, flags, s.Index
	if acquires != "" && e.Session == "" {
		e.Session = acquires
		e.LockIndex++
	}
	if releases != "" {
		e.Session = ""
	}
	s.change()
	answer(w, http.StatusOK, true)
}

// read answers with a key. With ?index=N it waits until the key has changed since N, but not
// longer than ?wait says.
func (s *store) read(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimSuffix(r.PathValue("key"), "/")
	since, _ := strconv.ParseInt(r.URL.Query().Get("index"), 10, 64)
	wait, err := time.ParseDuration(cmp.Or(r.URL.Query().Get("wait"), "5m"))
	if err != nil {
		http.Error(w, "wait is a duration", http.StatusBadRequest)
		return
	}
	end := time.After(wait + wait/16) // which Consul adds to spread clients, at random
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		e, index := s.Keys[key], s.Index
		if e != nil {
			index = e.ModifyIndex
		}
		index = max(index, 1)
		if since == 0 || index != since {
			s.answerKey(w, e, index)
			return
		}
		changed := s.changed
		s.mu.Unlock()
		over := false
		select {
		case <-changed:
		case <-end:
			over = true
		case <-r.Context().Done():
			over = true
		}
		s.mu.Lock()
		if over {
			s.answerKey(w, s.Keys[key], index)
			return
		}
	}
}

func (s *store) answerKey(w http.ResponseWriter, e *entry, index int64) {
	w.Header().Set("X-Consul-Index", strconv.FormatInt(index, 10))
	w.Header().Set("X-Consul-KnownLeader", "true")
	w.Header().Set("X-Consul-LastContact", "0")
	if e == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	answer(w, http.StatusOK, []*entry{e})
}
