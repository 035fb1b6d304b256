package bubble

import (
	"fmt"
	"runtime"
	"sync"
)

// few is up to how many goroutines of a program all are looked at whenever a bubble
// leaves some.
const few = 500

// looked is how many goroutines there were when they were last looked at.
var looked struct {
	sync.Mutex
	goroutines int
}

// leftover returns the goroutines that a bubble has left when it ended. To tell them
// takes the stacks of all goroutines of the program, also of those that bubbles before
// it have left, so that the time for a thousand bubbles would grow with the square.
// Where they are many they are looked at only when their number has doubled; between,
// one goroutine stands for those that are not.
func leftover(bubble string) []Goroutine {
	looked.Lock()
	defer looked.Unlock()
	all := runtime.NumGoroutine()
	if all > few && all < 2*looked.goroutines {
		return []Goroutine{{State: fmt.Sprintf("one of more than %d that are left by now, of which only some are looked at from here on; each execution costs time and memory for them", few)}}
	}
	looked.goroutines = all
	return goroutines(bubble)
}
