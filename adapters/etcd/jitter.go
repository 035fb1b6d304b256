package etcd

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"unsafe"
)

// Jitter makes the election timeouts of a node follow from random numbers of its
// own. It is the Logger of the node: whenever the library has drawn a timeout
// from its global source it goes on to log what the node "became", and then the
// timeout is drawn again. So nodes share nothing, and executions in different
// goroutines do not disturb each other. Everything else that the library logs is
// dropped, and what it calls fatal panics.
type Jitter struct {
	random  *rand.Rand
	timeout *int // the library's, nil while it makes the node
	least   int
}

// NewJitter returns a logger for nodes with this ElectionTick.
func NewJitter(random *rand.Rand, electionTick int) *Jitter {
	return &Jitter{random: random, least: electionTick}
}

// Attach draws the timeout of a node, a *raft.RawNode, for the first time, and
// from then on whenever it changes.
func (j *Jitter) Attach(node any) {
	field := reflect.ValueOf(node).Elem().FieldByName("raft").Elem().FieldByName("randomizedElectionTimeout")
	if !field.IsValid() || field.Kind() != reflect.Int {
		panic(fmt.Sprintf("%T is not as this adapter knows it: it has no raft.randomizedElectionTimeout of type int, so its elections cannot be made deterministic", node))
	}
	j.timeout = (*int)(unsafe.Pointer(field.UnsafeAddr()))
	j.draw()
}

// Detach says that a node is about to be made.
func (j *Jitter) Detach() { j.timeout = nil }

func (j *Jitter) draw() {
	if j.timeout != nil {
		*j.timeout = j.least + j.random.IntN(j.least)
	}
}

// Infof draws the timeout when the node has become something, which resets it.
// To become a pre-candidate does not.
func (j *Jitter) Infof(format string, _ ...any) {
	if strings.HasPrefix(format, "%x became ") && !strings.Contains(format, "pre-candidate") {
		j.draw()
	}
}

// The other methods of raft.Logger.

func (*Jitter) Debug(...any)                   {}
func (*Jitter) Debugf(string, ...any)          {}
func (*Jitter) Info(...any)                    {}
func (*Jitter) Warning(...any)                 {}
func (*Jitter) Warningf(string, ...any)        {}
func (*Jitter) Error(...any)                   {}
func (*Jitter) Errorf(string, ...any)          {}
func (*Jitter) Fatal(v ...any)                 { panic(fmt.Sprint(v...)) }
func (*Jitter) Fatalf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
func (*Jitter) Panic(v ...any)                 { panic(fmt.Sprint(v...)) }
func (*Jitter) Panicf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
