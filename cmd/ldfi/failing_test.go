package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// serveFailing serves one system, of which a process that hears nothing in round 3
// fails in the way that the argument of the host names.
func serveFailing() {
	fail := failures[os.Args[len(os.Args)-1]]
	serve(&system.System{
		Name: "failing", Processes: []string{"a", "b"}, Rounds: 5,
		New:        func(string, *rand.Rand) system.Process { return lonely(fail) },
		Properties: []property.Property{property.UniquePerTerm("leader")},
	})
}

var failures = map[string]func(){
	"calm":  func() {},
	"dies":  nil, // a process alone, in round 4; and it leads if it is alone in round 2
	"hangs": func() { select {} },
	"slow":  func() { time.Sleep(300 * time.Millisecond) },
	"exits": giveUp,
	"quits": giveUp, // and it leads if it is alone in round 2
	"races": func() {
		shared := map[int]int{}
		for range 2 {
			go func() {
				for i := 0; ; i++ {
					shared[i%10] = i
				}
			}()
		}
		select {}
	},
	"once": func() { // ends its program, but never twice
		if os.Mkdir("ended", 0o700) == nil {
			os.Exit(4)
		}
	},
	"leaves": runtime.Goexit,
	"moody": func() { // in every other execution the first panics
		if moods.Add(1)%3 == 1 {
			panic("not today")
		}
	},
	"panics": func() { _ = make([]int, len(os.Args[0][:2]))[len(os.Args[0][:2])] },
}

func giveUp() {
	fmt.Fprintln(os.Stderr, "giving up")
	os.Exit(3)
}

var moods atomic.Int64

// lonely is a process that does not like to be alone.
type lonely func()

func (lonely) Send(s *system.Step) {
	s.Broadcast("hello")
	s.Fact("round", s.Round())
}

func (l lonely) Receive(s *system.Step, inbox []system.Message) {
	switch {
	case len(inbox) > 0:
	case l == nil && s.Round() == 4: // "dies"
		s.Died(system.PanicError{Exit: true, Text: "it does not start"})
	case (l == nil || os.Args[len(os.Args)-1] == "quits") && s.Round() == 2:
		s.Fact("leader", 1)
	case l != nil && s.Round() == 3:
		l()
	}
}
