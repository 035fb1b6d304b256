package virtual

import (
	"fmt"
	"log/slog"
)

// Logger returns a logger that writes to Options.Log. For a logger of package log, pass
// its Handler to slog.NewLogLogger.
func (m *Machine) Logger() *slog.Logger {
	if m.log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(logged{m}, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{} // the round says when
			}
			return a
		},
	}))
}

// logged writes lines of the log of a machine.
type logged struct{ machine *Machine }

func (l logged) Write(line []byte) (int, error) {
	l.machine.mutex.Lock()
	defer l.machine.mutex.Unlock()
	_, err := fmt.Fprintf(l.machine.log, "round %d %s: %s", l.machine.round, l.machine.name, line)
	return len(line), err
}
