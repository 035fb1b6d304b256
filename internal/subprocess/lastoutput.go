package subprocess

import (
	"strings"
	"sync"
)

// LastOutput keeps the end of what is written to it. Several goroutines may use it.
type LastOutput struct {
	Size int // how much is kept, in bytes

	mutex sync.Mutex
	text  []byte // up to twice as much, so that not every write moves it
	cut   bool   // there was more before it
}

// Write never fails, so that who writes never waits for somebody to read.
func (t *LastOutput) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	last := p[max(0, len(p)-t.Size):]
	t.cut = t.cut || len(last) < len(p)
	t.text = append(t.text, last...)
	if len(t.text) > 2*t.Size {
		t.trim()
	}
	return len(p), nil
}

// trim forgets what is too much.
func (t *LastOutput) trim() {
	if over := len(t.text) - t.Size; over > 0 {
		t.text, t.cut = append(t.text[:0], t.text[over:]...), true
	}
}

// Reset forgets what was written.
func (t *LastOutput) Reset() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text, t.cut = nil, false
}

// String returns what is kept. Where there was more before, that is said, and lines are
// whole if there is more than one.
func (t *LastOutput) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.trim()
	text := strings.ToValidUTF8(string(t.text), "?")
	if !t.cut {
		return text
	}
	if _, after, ok := strings.Cut(text, "\n"); ok && after != "" {
		text = after
	}
	return "...\n" + text
}

// Lines returns the last lines, so many at most, without white space around them.
func (t *LastOutput) Lines(most int) string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.trim()
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(t.text), "?")), "\n")
	return strings.Join(lines[max(len(lines)-most, 0):], "\n")
}
