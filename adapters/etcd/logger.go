package etcd

import (
	"fmt"
	oldrand "math/rand"
	"math/rand/v2"
	"reflect"
	"strings"
	"unsafe"
)

// Logger has to be the Logger of a node. It makes the election timeouts follow
// from random numbers of the node's own: whenever the library has drawn a timeout
// from its global source it goes on to log what the node "became", and then the
// timeout is drawn again. So nodes share nothing, and executions in different
// goroutines do not disturb each other. Everything else that the library logs is
// dropped, and what it calls fatal panics.
type Logger struct {
	random  *rand.Rand
	timeout *int // the library's, nil while it makes the node
	least   int  // the ElectionTick
}

// attach draws the timeout of a node, a *raft.RawNode, for the first time, and
// from then on whenever it changes. The library of etcd 2.3 has none: it draws in
// each tick, from a source of the node that is replaced.
func (l *Logger) attach(node any) {
	raft := reflect.ValueOf(node).Elem().FieldByName("raft").Elem()
	field := raft.FieldByName("randomizedElectionTimeout")
	if own := raft.FieldByName("rand"); !field.IsValid() && own.IsValid() && own.Type() == reflect.TypeFor[*oldrand.Rand]() {
		*(**oldrand.Rand)(unsafe.Pointer(own.UnsafeAddr())) = oldrand.New(source{l.random})
		return
	}
	if !field.IsValid() || field.Kind() != reflect.Int {
		panic(fmt.Sprintf("%T is not as this adapter knows it: it has no raft.randomizedElectionTimeout of type int, so its elections cannot be made deterministic", node))
	}
	l.timeout = (*int)(unsafe.Pointer(field.UnsafeAddr()))
	l.draw()
}

// source has the random numbers of a node for the package that was before.
type source struct{ random *rand.Rand }

// Int63 returns a random number.
func (s source) Int63() int64 { return s.random.Int64() }

// Seed is not asked for by anybody: the seed is that of the schedule.
func (source) Seed(int64) {}

// detach says that a node is about to be made.
func (l *Logger) detach() { l.timeout = nil }

func (l *Logger) draw() {
	if l.timeout != nil {
		*l.timeout = l.least + l.random.IntN(l.least)
	}
}

// Infof draws the timeout when the node has become something, which resets it.
// To become a pre-candidate does not.
func (l *Logger) Infof(format string, _ ...any) {
	if strings.HasPrefix(format, "%x became ") && !strings.Contains(format, "pre-candidate") {
		l.draw()
	}
}

// The other methods of raft.Logger.

func (*Logger) Debug(...any)                   {}
func (*Logger) Debugf(string, ...any)          {}
func (*Logger) Info(...any)                    {}
func (*Logger) Warning(...any)                 {}
func (*Logger) Warningf(string, ...any)        {}
func (*Logger) Error(...any)                   {}
func (*Logger) Errorf(string, ...any)          {}
func (*Logger) Fatal(v ...any)                 { panic(fmt.Sprint(v...)) }
func (*Logger) Fatalf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
func (*Logger) Panic(v ...any)                 { panic(fmt.Sprint(v...)) }
func (*Logger) Panicf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
