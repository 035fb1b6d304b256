package remote

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/subprocess"
)

// mostSaid limits the bytes of a host's standard error that are passed on.
const mostSaid = 1 << 20

// hostLog passes on the output of a host to standard error, up to a limit, and keeps the
// end of it.
type hostLog struct {
	to    io.Writer // nil: discarded
	mutex sync.Mutex
	lines folding // that are passed on
	bytes int     // passed on, and one more than the limit if that is exceeded
	tail  subprocess.LastOutput
	cause string // the line by which a program in Go says why it ends
	whole bool   // the line is complete

	asked atomic.Bool // there was a request after the greeting
	old   atomic.Bool // the kept text does not explain the end of the host: a request came after it
}

// request says that a request comes, and that no other is being answered.
func (s *hostLog) request() {
	s.asked.Store(true)
	s.old.Store(true)
}

// forget removes the old text.
func (s *hostLog) forget() {
	if s.old.Swap(false) {
		s.cause, s.whole = "", false
		s.tail.Reset()
	}
}

// Write never fails, so that a host never waits for a reader.
func (s *hostLog) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.to != nil {
		s.lines.to = passing{s}
		_, _ = s.lines.Write(p)
	}
	s.keep(p)
	return len(p), nil
}

// passing passes text on, up to the limit.
type passing struct{ *hostLog }

func (s passing) Write(p []byte) (int, error) {
	if left := mostSaid - s.bytes; left >= 0 {
		_, _ = s.to.Write(p[:min(left, len(p))])
		if len(p) > left {
			_, _ = fmt.Fprintf(s.to, "\nthe host writes more than %d bytes to standard error: the rest is left out\n", mostSaid)
		}
	}
	s.bytes = min(s.bytes+len(p), mostSaid+1)
	return len(p), nil
}

// end passes on the rest of the output.
func (s *hostLog) end() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.to != nil {
		s.lines.to = passing{s}
		s.lines.end()
	}
}

// mostKept limits the bytes that are kept of the end.
const mostKept = 1 << 10

func (s *hostLog) keep(p []byte) {
	s.forget()
	if s.cause != "" {
		s.goOn(string(p))
	}
	for _, word := range []string{"fatal error: ", "panic: "} {
		if _, text, ok := strings.Cut("\n"+string(p), "\n"+word); ok && s.cause == "" {
			s.cause = word
			s.goOn(text)
		}
	}
	_, _ = s.tail.Write(p)
}

// goOn adds to the line that explains the end. A panic writes it in several parts.
func (s *hostLog) goOn(text string) {
	if !s.whole {
		var line string
		line, _, s.whole = strings.Cut(text, "\n")
		s.cause += line[:min(len(line), max(mostKept-len(s.cause), 0))]
	}
}

// why returns the line that explains the end of the program, or else the last line. Lines
// that are indented belong to the one before them, as go writes what to type.
func (s *hostLog) why() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.forget()
	if s.cause != "" {
		return strings.ToValidUTF8(s.cause, "?")
	}
	lines := strings.Split(s.tail.Lines(mostIndented+1), "\n")
	from := len(lines) - 1
	for from > 0 && strings.TrimLeft(lines[from], " \t") != lines[from] {
		from--
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines[from:], " ")
}

// mostIndented limits the lines that belong to the last one that is not indented.
const mostIndented = 4

// program returns how a program run by the go command ended, as the go command reports it,
// else "": the go command ends with a status of its own. The report is removed from the
// log. The output of the program is removed too if the go command has kept all of it back
// up to the end, as for a test without -v: it may be old.
func (s *hostLog) program(test, verbose bool) (status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.forget()
	lines := strings.Split(s.tail.Lines(mostKept), "\n")
	failed := false
	for len(lines) > 0 && status == "" {
		line := lines[len(lines)-1]
		if strings.HasPrefix(line, "exit status ") || strings.HasPrefix(line, "signal: ") {
			status = line
		} else if test && (line == "FAIL" || strings.HasPrefix(line, "FAIL\t")) {
			failed = true
		} else {
			break
		}
		lines = lines[:len(lines)-1]
	}
	if status == "" && failed && !verbose && s.asked.Load() {
		lines = nil
	}
	if status != "" || failed {
		s.tail.Reset()
		_, _ = s.tail.Write([]byte(strings.Join(lines, "\n")))
	}
	return status
}

// unread returns the last lines that were not passed on.
func (s *hostLog) unread() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.forget()
	if s.to != nil && s.bytes <= mostSaid {
		return ""
	}
	return s.tail.Lines(3)
}

// holding is the standard error of a host that is ldfi itself. Until it has greeted nothing
// is passed on, because it says there why it refuses what it was asked for.
type holding struct {
	to    io.Writer // nil: discarded
	mutex sync.Mutex
	held  []byte
	over  bool
}

func (h *holding) Write(p []byte) (int, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !h.over {
		h.held = append(h.held, p...)
	} else if h.to != nil {
		_, _ = h.to.Write(p)
	}
	return len(p), nil
}

// release passes on what was held back, and what comes.
func (h *holding) release() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.over = true; h.to != nil && len(h.held) > 0 {
		_, _ = h.to.Write(h.held)
	}
	h.held = nil
}

// refused returns why the host has refused what it was asked for, which is not passed on then,
// unlike the warnings before it; nil if it has not.
func (h *holding) refused() error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	warned := 0
	for line := range strings.Lines(string(h.held)) {
		if !strings.HasPrefix(line, "ldfi: warning: ") {
			break
		}
		warned += len(line)
	}
	why, is := strings.CutPrefix(strings.TrimSpace(string(h.held[warned:])), "ldfi: ")
	if !is {
		return nil
	}
	h.held = h.held[:warned]
	return &refused{why}
}

// refused is why a host that is ldfi itself does not do what it was asked for, in its words.
type refused struct{ why string }

func (r *refused) Error() string { return r.why }
