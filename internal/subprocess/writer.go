package subprocess

import (
	"io"
	"sync"
)

// LockedWriter passes on one call of Write after the other.
type LockedWriter struct {
	mutex sync.Mutex
	to    io.Writer
}

// NewLockedWriter returns a writer that passes on what is written to another one.
func NewLockedWriter(to io.Writer) *LockedWriter { return &LockedWriter{to: to} }

// Write writes to the writer behind when nobody else does.
func (w *LockedWriter) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.to.Write(p)
}
