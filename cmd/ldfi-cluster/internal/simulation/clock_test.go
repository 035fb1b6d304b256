package simulation

import (
	"container/heap"
	"time"
)

// clock goes from event to event. Of events at one time the one comes first that was
// announced first, so that nothing depends on chance.
type clock struct {
	now    time.Duration
	events events
	count  int64
}

type event struct {
	at     time.Duration
	number int64
	do     func()
}

// after announces an event.
func (c *clock) after(d time.Duration, do func()) {
	c.count++
	heap.Push(&c.events, event{at: c.now + max(d, 0), number: c.count, do: do})
}

// step lets the next event happen, and reports whether there was one. Before it happens
// passed is told how much time went by.
func (c *clock) step(passed func(time.Duration)) bool {
	if len(c.events) == 0 {
		return false
	}
	next := heap.Pop(&c.events).(event)
	passed(next.at - c.now)
	c.now = next.at
	next.do()
	return true
}

type events []event

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].number < e[j].number
}

func (e *events) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	(*e)[last] = event{}
	*e = (*e)[:last]
	return x
}
