package slot

import (
	"bytes"
	"sync"
)

// logSize is how much of a log is kept.
const logSize = 64 << 10

// tail is the end of what was written.
type tail struct {
	mutex sync.Mutex
	text  []byte
	cut   bool // there was more before it
}

func (t *tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text = append(t.text, p[max(0, len(p)-logSize):]...)
	if over := len(t.text) - logSize; over > 0 {
		t.text, t.cut = append(t.text[:0], t.text[over:]...), true
	}
	return len(p), nil
}

// Reset forgets what was written.
func (t *tail) Reset() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text, t.cut = nil, false
}

// String returns whole lines, if there is more than one, and says that there were others.
func (t *tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if !t.cut {
		return string(t.text)
	}
	text := t.text
	if _, after, ok := bytes.Cut(text, []byte("\n")); ok && len(after) > 0 {
		text = after
	}
	return "...\n" + string(text)
}
