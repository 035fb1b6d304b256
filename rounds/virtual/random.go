package virtual

import (
	"math/rand/v2"
	"sync"
)

// source are the random numbers of a process, for several goroutines.
type source struct {
	mutex sync.Mutex
	from  *rand.Rand
}

func (s *source) Uint64() uint64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.from.Uint64()
}
