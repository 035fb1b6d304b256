package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// A lease is that of coordination.k8s.io/v1: what a client stores comes back as it was, except
// for the members that the server sets.
type lease struct {
	Kind       string         `json:"kind"`
	APIVersion string         `json:"apiVersion"`
	Metadata   map[string]any `json:"metadata"`
	Spec       map[string]any `json:"spec"`
}

// leases is the list of leases of a namespace: GET lists them, and POST makes a new one.
func (s *store) leases(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed", "this stand-in creates, reads, replaces and deletes single leases")
		return
	}
	l, ok := readLease(w, r)
	if !ok {
		return
	}
	namespace := r.PathValue("namespace")
	name, _ := l.Metadata["name"].(string)
	if name == "" {
		refuse(w, http.StatusUnprocessableEntity, "Invalid", "the lease has no name")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Leases[namespace+"/"+name] != nil {
		refuse(w, http.StatusConflict, "AlreadyExists", fmt.Sprintf("leases.coordination.k8s.io %q already exists", name))
		return
	}
	l.Metadata["creationTimestamp"] = time.Now().UTC().Format(time.RFC3339)
	l.Metadata["uid"] = fmt.Sprintf("00000000-0000-0000-0000-%012d", s.Index+1)
	answer(w, http.StatusCreated, s.keepLease(namespace, name, l))
}

func (s *store) keepLease(namespace, name string, l *lease) *lease {
	s.Index++
	l.Kind, l.APIVersion = "Lease", "coordination.k8s.io/v1"
	l.Metadata["namespace"], l.Metadata["resourceVersion"] = namespace, strconv.FormatInt(s.Index, 10)
	s.Leases[namespace+"/"+name] = l
	s.change()
	return l
}

// lease is one lease. A PUT has to name the version that it replaces, if it names one.
func (s *store) lease(w http.ResponseWriter, r *http.Request) {
	namespace, name := r.PathValue("namespace"), r.PathValue("name")
	var l *lease
	if r.Method == http.MethodPut {
		var ok bool
		if l, ok = readLease(w, r); !ok {
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.Leases[namespace+"/"+name]
	if old == nil {
		refuse(w, http.StatusNotFound, "NotFound", fmt.Sprintf("leases.coordination.k8s.io %q not found", name))
		return
	}
	switch r.Method {
	case http.MethodGet:
		answer(w, http.StatusOK, old)
	case http.MethodPut:
		if version, _ := l.Metadata["resourceVersion"].(string); version != "" && version != old.Metadata["resourceVersion"] {
			refuse(w, http.StatusConflict, "Conflict", fmt.Sprintf("leases.coordination.k8s.io %q was changed since it was read", name))
			return
		}
		for _, member := range []string{"uid", "creationTimestamp"} {
			l.Metadata[member] = old.Metadata[member]
		}
		answer(w, http.StatusOK, s.keepLease(namespace, name, l))
	case http.MethodDelete:
		delete(s.Leases, namespace+"/"+name)
		s.Index++
		s.change()
		answer(w, http.StatusOK, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Success"})
	default:
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed", "this stand-in creates, reads, replaces and deletes single leases")
	}
}

func readLease(w http.ResponseWriter, r *http.Request) (*lease, bool) {
	l := &lease{}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(l); err != nil {
		refuse(w, http.StatusBadRequest, "BadRequest", fmt.Sprintf("expected a lease as JSON: %v", err))
		return nil, false
	}
	if l.Metadata == nil {
		l.Metadata = map[string]any{}
	}
	return l, true
}

// refuse answers with a Status, from which clients take the reason.
func refuse(w http.ResponseWriter, code int, reason, message string) {
	answer(w, code, map[string]any{
		"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{},
		"status": "Failure", "message": message, "reason": reason, "code": code,
	})
}
