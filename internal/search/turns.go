package search

import "sync"

// Turns decide when a search finds out whether an execution is late or stuck, which may
// take more rounds than the whole search so far. The first execution that stands ends the
// search. So later executions wait for earlier ones, and new executions wait as well. Each
// execution that was late allows one more to be continued, and more to be made meanwhile.
type Turns struct {
	mutex   sync.Mutex
	changed *sync.Cond
	waiting map[int]bool // executions that wait for their turn
	looked  map[int]bool // the executions whose turn it is
	late    int          // how many were late
	stands  int          // the first that does; -1: none
}

// NewTurns returns turns that no execution has had.
func NewTurns() *Turns {
	t := &Turns{waiting: map[int]bool{}, looked: map[int]bool{}, stands: -1}
	t.changed = sync.NewCond(&t.mutex)
	return t
}

// Wait waits while a number is so far ahead that its execution would probably be for
// nothing.
func (t *Turns) Wait(number int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for t.ahead(number) {
		t.changed.Wait()
	}
}

func (t *Turns) ahead(number int) bool {
	for _, some := range []map[int]bool{t.waiting, t.looked} {
		for n := range some {
			if number > n+t.late*(t.late+1) {
				return true
			}
		}
	}
	return false
}

// Take waits for the turn of an execution, and calls look to tell whether it stands. It
// does not stand if an earlier one does.
func (t *Turns) Take(number int, look func() (stands bool, err error)) (bool, error) {
	if !t.begin(number) {
		return false, nil
	}
	stands, whole, err := false, false, error(nil)
	defer func() { // also when a process ends the goroutine
		t.mutex.Lock()
		defer t.mutex.Unlock()
		delete(t.looked, number)
		switch {
		case stands && (t.stands < 0 || number < t.stands):
			t.stands = number
		case whole && !stands && err == nil:
			t.late++
		}
		t.changed.Broadcast()
	}()
	stands, err = look()
	whole = true
	return stands, err
}

// begin waits for the turn of an execution, and tells whether it comes.
func (t *Turns) begin(number int) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.waiting[number] = true
	for !t.over(number) && !t.next(number) {
		t.changed.Wait()
	}
	delete(t.waiting, number)
	t.changed.Broadcast()
	if t.over(number) {
		return false
	}
	t.looked[number] = true
	return true
}

// over tells whether an execution before one stands.
func (t *Turns) over(number int) bool { return t.stands >= 0 && t.stands < number }

// next tells whether it is the turn of an execution: it is the first that waits, and
// before all that are looked at, or there is room for another.
func (t *Turns) next(number int) bool {
	for n := range t.waiting {
		if n < number {
			return false
		}
	}
	first := true
	for n := range t.looked {
		first = first && number < n
	}
	return first || len(t.looked) <= t.late
}
