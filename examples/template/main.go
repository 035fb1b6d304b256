// Tally is a small server that counts. POST /NAME adds one to the counter of that name, and
// answers how much it is then. What it has answered it does not forget: before it answers, the
// counters are on the disk.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

func main() {
	addr := flag.String("addr", ":8080", "the address to listen on")
	file := flag.String("file", "tally.json", "the file with the counters")
	flag.Parse()
	t, err := open(*file)
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("POST /{name}", t)
	log.Fatal(http.ListenAndServe(*addr, nil))
}

type tally struct {
	file string

	mu     sync.Mutex
	counts map[string]int
}

// open reads the counters, if there are some.
func open(file string) (*tally, error) {
	t := &tally{file: file, counts: map[string]int{}}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &t.counts); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}

func (t *tally) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := r.PathValue("name")
	t.counts[name]++
	if err := t.save(); err != nil {
		t.counts[name]--
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, t.counts[name])
}

// save writes the counters to a new file, which takes the place of the old one when it is on
// the disk as a whole. Until the directory is on the disk as well, a crash can undo that.
func (t *tally) save() error {
	text, err := json.Marshal(t.counts)
	if err != nil {
		return err
	}
	f, err := os.Create(t.file + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), t.file); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(t.file))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
