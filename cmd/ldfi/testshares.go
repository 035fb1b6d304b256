package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/work"
)

// shares divide a budget among the properties that tests search. Those that were never
// searched, or not since the code of their tests changed, share what is left among them; the
// others get an equal share of what is left for all.
type shares struct {
	budget time.Duration // 0: none
	file   string        // where it is remembered what was searched; "": nowhere

	mutex    sync.Mutex
	used     time.Duration        // while anything was searched
	counted  time.Time            // when used was last brought up to date
	running  map[string]time.Time // when the time of each is up
	packages map[string]*searchedPackage
	searched map[string]map[string]string // the digest with which each property was searched, by package and test
}

// searchedPackage is what is expected of the tests of a package.
type searchedPackage struct {
	digest string
	waits  map[string]bool // properties that were searched before, and not yet now: whether the code has changed since
	sites  int             // where none is known, how many systems there are at least
	more   int             // properties that the test which is running searches besides, and nobody knew
}

// leastShare is the time that every search has, also when the budget is used up: so it can
// say how far it came.
const leastShare = 50 * time.Millisecond

// newShares remembers what was searched from a directory.
func newShares(budget time.Duration, here string) *shares {
	s := &shares{budget: budget, running: map[string]time.Time{}, packages: map[string]*searchedPackage{}, searched: map[string]map[string]string{}}
	if dir, err := os.UserCacheDir(); err == nil {
		s.file = filepath.Join(dir, "ldfi", "tests", work.Digest([]byte(here))[:16]+".json")
	}
	return s
}

// expect says which packages are about to be tested.
func (s *shares) expect(packages []gobuild.TestPackage) {
	if text, err := files.Read(s.file, files.Recording); err == nil && json.Unmarshal(text, &s.searched) != nil {
		s.searched = map[string]map[string]string{} // what cannot be read was never searched
	}
	for _, p := range packages {
		if !p.Searches {
			continue
		}
		w := &searchedPackage{digest: p.Digest, waits: map[string]bool{}}
		for test, digest := range s.searched[p.ImportPath] {
			w.waits[test] = digest != p.Digest
		}
		if len(w.waits) == 0 {
			w.sites = p.Sites
		}
		s.packages[p.ImportPath] = w
	}
}

// order returns the packages with those first that were never searched, or have changed.
func (s *shares) order(packages []gobuild.TestPackage) []string {
	var names []string
	for _, first := range []bool{true, false} {
		for _, p := range packages {
			if w := s.packages[p.ImportPath]; (w != nil && w.count(true) > 0) == first {
				names = append(names, p.ImportPath)
			}
		}
	}
	return names
}

// count returns how many properties wait, those with new code or all.
func (p *searchedPackage) count(fresh bool) int {
	n := p.sites + p.more
	for _, changed := range p.waits {
		if changed || !fresh {
			n++
		}
	}
	return n
}

// begin returns how long a search may take that begins now, after which its test searches some
// more properties of the same system; 0: as long as it takes.
func (s *shares) begin(pkg, test string, after int) time.Duration {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.budget == 0 {
		return 0
	}
	now := s.count()
	w := s.packages[pkg]
	if w == nil {
		w = &searchedPackage{waits: map[string]bool{}}
		s.packages[pkg] = w
	}
	changed, known := w.waits[test]
	delete(w.waits, test)
	switch {
	case known:
	case w.more > 0:
		w.more--
	default: // the first of a system that nobody knew
		w.sites = max(w.sites-1, 0)
		w.more = after
	}
	fresh := changed || !known
	waiting, lanes := 1, map[string]bool{pkg: true} // properties of one package are searched one after the other
	for name, p := range s.packages {
		if n := p.count(fresh); n > 0 {
			waiting += n
			lanes[name] = true
		}
	}
	for name := range s.running {
		lanes[strings.Fields(name)[0]] = true
	}
	at := time.Duration(min(runtime.GOMAXPROCS(0), len(lanes)))
	left, promised := s.budget-s.used, time.Duration(0)
	for _, end := range s.running {
		promised += max(end.Sub(now), 0)
	}
	share := max(min((left*at-promised)/time.Duration(waiting), left), leastShare)
	s.running[pkg+" "+test] = now.Add(share)
	if s.searched[pkg] == nil {
		s.searched[pkg] = map[string]string{}
	}
	s.searched[pkg][test] = w.digest
	return share
}

// count counts the time since the last call, if anything was searched in it, and returns the time.
func (s *shares) count() time.Time {
	now := time.Now()
	if len(s.running) > 0 {
		s.used += now.Sub(s.counted)
	}
	s.counted = now
	return now
}

// end records the end of a search.
func (s *shares) end(pkg, test string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.count()
	delete(s.running, pkg+" "+test)
}

// keep remembers what was searched. What was not, and has changed, is as if it never was: it
// may be gone.
func (s *shares) keep() error {
	if s.file == "" {
		return nil
	}
	for name, p := range s.packages {
		for test := range p.waits {
			if s.searched[name][test] != p.digest {
				delete(s.searched[name], test)
			}
		}
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o755); err != nil {
		return err
	}
	return files.Replace(s.file, func(w io.Writer) error { return json.NewEncoder(w).Encode(s.searched) })
}
