// Package oneatatime lets several goroutines write to one writer.
package oneatatime

import (
	"io"
	"sync"
)

// Writer passes on one call of Write after the other.
type Writer struct {
	mutex sync.Mutex
	to    io.Writer
}

// NewWriter returns a writer that passes on what is written to another one.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Write writes to the writer behind when nobody else does.
func (w *Writer) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.to.Write(p)
}
