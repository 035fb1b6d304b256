package simulation

import (
	"errors"
	"fmt"
	"time"
)

// Parameters are who is there, and what each step costs them.
type Parameters struct {
	Workers int
	Slots   int // of each worker

	Latency   time.Duration // from a process to the server, or back
	Bandwidth int64         // in bytes per second, of the server; 0: files take no time

	HandOut, Take, Hear time.Duration // of the coordinator, for a unit, for its result, and for a sign of life
	Window              int           // how many units are handed out for each slot
	Recheck             float64       // the share of results that the coordinator computes itself
	Cores               int           // of the coordinator: a half for what comes and goes, the other for that; at least one each

	Accept, Deliver, Keep, Alive time.Duration // of the server: for a unit that is handed out, given to a worker, for a result, for a sign of life
	ServerCores                  int

	Start time.Duration // of the process of a slot
	Each  time.Duration // of the slot, for a unit besides the work
	Trips int           // how often a slot waits for the server between two units, besides for the next one

	Sign   time.Duration // how often a worker says that it is still at work
	Regive time.Duration // how long after the last sign of life a unit is given to another
	Tries  int           // how often a unit is given before it is set aside

	Dies time.Duration // how long workers live, on average; 0: forever
	Back time.Duration // after that time another one comes in their place; 0: none does

	Seed uint64
}

// Check reports parameters with which nothing would ever happen, or nothing end.
func (p *Parameters) Check() error {
	switch {
	case p.Workers < 1 || p.Slots < 1 || p.Window < 1 || p.Tries < 1:
		return errors.New("there is at least one worker, slot, unit of each slot, and try of each unit")
	case p.Recheck < 0 || p.Recheck > 1 || p.Recheck != p.Recheck:
		return fmt.Errorf("%v of the results cannot be computed again: it is a share between 0 and 1", p.Recheck)
	case p.Trips < 0 || p.Bandwidth < 0 || p.Sign <= 0:
		return errors.New("signs of life come after some time, and nothing is less than nothing")
	}
	for _, d := range []time.Duration{p.Latency, p.HandOut, p.Take, p.Hear, p.Accept, p.Deliver, p.Keep, p.Alive, p.Start, p.Each, p.Regive, p.Dies, p.Back} {
		if d < 0 {
			return fmt.Errorf("nothing takes %v", d)
		}
	}
	return nil
}

// transfer is how long the server sends that many bytes.
func (p *Parameters) transfer(bytes int64) time.Duration {
	if p.Bandwidth == 0 {
		return 0
	}
	return time.Duration(float64(bytes) / float64(p.Bandwidth) * float64(time.Second))
}
