package work

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/text"
)

// welcome is how long workers have to appear before their absence is spoken of.
const welcome = 2 * time.Second

// watch says of who is there what the user should know, each thing once.
type watch struct {
	build, version string
	server         string // as the user may see it
	said           map[string]bool
	met            bool // a worker that is this ldfi was there
	lost           bool // the connection is
}

// shown is a URL without what is secret in it.
func shown(server string) string {
	var parts []string
	for part := range strings.SplitSeq(server, ",") {
		if u, err := url.Parse(part); err == nil {
			u.User = nil
			part = u.String()
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ",")
}

// look returns what there is to say after so much time, with units that wait for workers
// of these platforms because they start programs. An error says that it makes no sense to
// wait.
func (w *watch) look(after time.Duration, workers Workers, platforms map[string]int) (lines []string, err error) {
	say := func(about, line string) {
		if !w.said[about] {
			w.said[about] = true
			lines = append(lines, line)
		}
	}
	var others []Worker
	for _, worker := range workers.Workers {
		if worker.Build == w.build {
			w.met = true
			continue
		}
		others = append(others, worker)
		say(worker.Name, fmt.Sprintf("the worker %s is ldfi %s, and gets nothing to do: this is %s", worker.Name, w.versionOf(worker), w.version))
	}
	if workers.Lost && !w.lost {
		lines = append(lines, "the connection to "+w.server+" is lost: waiting for it")
	}
	w.lost = workers.Lost
	if after < welcome || workers.Lost {
		return lines, nil
	}
	switch {
	case w.met:
	case len(others) > 0:
		return lines, fmt.Errorf("all workers of %s are another ldfi than this one, %s: install the same on their machines", w.server, w.version)
	default:
		say("none", "there is no worker yet, and this waits for one; start it, on any machine that reaches the server (away from the server with the key: --nkey FILE), by\n  ldfi worker --nats "+w.server)
	}
	for _, platform := range slices.Sorted(maps.Keys(platforms)) {
		if !w.starts(platform, workers) {
			say("on "+platform, fmt.Sprintf("no worker starts programs for %s, which %s; start one on such a machine (away from the server with the key: --nkey FILE) by\n  ldfi worker --nats %s --allow-hosts", platform, wait(platforms[platform]), w.server))
		}
	}
	return lines, nil
}

// versionOf is the version of a worker that is another ldfi.
func (w *watch) versionOf(other Worker) string {
	if other.Version == w.version {
		return other.Version + ", but another build of it"
	}
	return other.Version
}

func wait(n int) string {
	if n == 1 {
		return "1 unit waits for"
	}
	return text.Plural(n, "unit") + " wait for"
}

// starts tells whether there is a worker that starts programs for a platform.
func (w *watch) starts(platform string, workers Workers) bool {
	for _, worker := range workers.Workers {
		if worker.Build == w.build && worker.Hosts && worker.Platform == platform {
			return true
		}
	}
	return false
}
