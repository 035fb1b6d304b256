package text

import (
	"io"
	"sync"
)

// SafeWriter makes printable what is written to it, as Lines does: the edge of a
// program, behind which are a terminal and the log of a continuous integration.
// Several goroutines may write to it.
type SafeWriter struct {
	mutex   sync.Mutex
	out     io.Writer
	escaper escaper
	rest    []byte // what waits for more
}

// NewSafeWriter returns a writer to out, which also lets control sequences through
// that are exactly these.
func NewSafeWriter(out io.Writer, keep ...string) *SafeWriter {
	return &SafeWriter{out: out, escaper: escaper{lines: true, start: true, keep: keep}}
}

// Write writes a piece of text. The last character is written with the next piece
// if it cannot be judged yet.
func (w *SafeWriter) Write(text []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return len(text), w.write(text, false)
}

// Flush writes what waits for more: nothing comes.
func (w *SafeWriter) Flush() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.write(nil, true)
}

func (w *SafeWriter) write(text []byte, last bool) error {
	out, rest := w.escaper.append(nil, append(w.rest, text...), last)
	w.rest = append([]byte(nil), rest...)
	if len(out) == 0 {
		return nil
	}
	_, err := w.out.Write(out)
	return err
}
