package broker

import (
	"cmp"
	"fmt"
	"sync"
)

// log keeps what a server says last of what is wrong.
type log struct {
	mutex sync.Mutex
	last  string
}

// why is why a server did not start.
func (l *log) why() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return cmp.Or(l.last, "it does not answer")
}

func (l *log) Errorf(format string, v ...any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.last = fmt.Sprintf(format, v...)
}

func (l *log) Fatalf(format string, v ...any) { l.Errorf(format, v...) }
func (l *log) Noticef(string, ...any)         {}
func (l *log) Warnf(string, ...any)           {}
func (l *log) Debugf(string, ...any)          {}
func (l *log) Tracef(string, ...any)          {}
