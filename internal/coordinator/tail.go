package coordinator

import (
	"strings"
	"sync"
)

// mostKept is how much is kept of what the child writes to standard error, in bytes.
const mostKept = 4 << 10

// tail keeps the end of what is written to it.
type tail struct {
	mutex sync.Mutex
	text  []byte
}

// Write never fails, so that the child never waits for somebody to read.
func (t *tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(len(t.text)-mostKept, 0):]
	return len(p), nil
}

// String returns the last lines.
func (t *tail) String() string {
	const most = 3
	t.mutex.Lock()
	defer t.mutex.Unlock()
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(t.text), "?")), "\n")
	return strings.Join(lines[max(len(lines)-most, 0):], "\n")
}
