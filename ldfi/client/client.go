// Package client lets a program tell ldfi what it does, while ldfi runs it as a node
// (package rounds/process, or ldfi run --server). Everywhere else its functions do
// nothing, and cost no more than a call. It imports nothing but the standard library.
//
// A client of the servers tells what it asks and what it gets:
//
//	id := client.Request("get x")
//	value, err := get("x")
//	if err == nil {
//		client.Reply(id, value)
//	}
//
// These are the requests and replies that properties read, such as those of package
// specs/property/linear. A request without a reply may or may not have had an effect; so
// after an error that leaves this open, tell no reply. What happens in one round is
// concurrent: a request that has to come after a reply is made a tick later, after a
// time.Sleep.
//
// A server or a client checks itself where it is in code:
//
//	client.Always(len(leaders) <= 1, "there is one leader")
//	client.Sometimes(len(queue) == cap(queue), "the queue is full")
//
// Any other fact is for rules of your own:
//
//	client.Fact("leads", term) // leads(Node, Term) in rules, with the round behind
package client

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Request tells that the program asks something of the servers. It is recorded as
// request(node, id, what). It returns the id, which no other request of an execution has;
// outside of ldfi it returns 0.
func Request(what any) (id int) {
	if to == nil {
		return 0
	}
	to.mutex.Lock()
	id = to.next
	to.next += to.step
	to.mutex.Unlock()
	to.tell("request", id, text(what))
	return id
}

// Reply tells what was answered to a request. It is recorded as reply(node, id, what).
func Reply(id int, what any) {
	if to != nil {
		to.tell("reply", id, text(what))
	}
}

// Fact reports relation(node, args...). Integers are recorded as integers, everything else
// as text. The relations up, listens, log, metric, json, exit, file, polled, last, request, reply, always,
// sometimes, reachable and unreachable are those of ldfi: reporting one of these is an error
// of the execution.
func Fact(relation string, args ...any) {
	if to != nil {
		to.tell("fact", append([]any{relation}, args...)...)
	}
}

// Always tells whether a condition holds that has to hold whenever this is called. If it
// does not, the execution violates the property "always", with the message and the place of
// the call. It is recorded as always(node, message, "true" or "false", place) the first
// time that the condition holds, and the first time that it does not, for each message and
// each start of the program. So the message should be a constant.
func Always(condition bool, message string) {
	if to != nil {
		to.check("always", condition, message)
	}
}

// Sometimes tells whether a condition holds that should hold in some execution, so that
// what is interesting was executed at all. It is recorded as sometimes(node, message, "true"
// or "false", place), as [Always] is. It is not a property: no execution is a violation
// because of it. Rules can ask for it.
func Sometimes(condition bool, message string) {
	if to != nil {
		to.check("sometimes", condition, message)
	}
}

// driver is the other end of what a node tells.
type driver struct {
	out *os.File // the standard output, of which each write gets there as one

	mutex      sync.Mutex
	next, step int            // of the IDs of requests
	told       map[check]bool // what was told already
}

type check struct {
	relation, message string
	holds             bool
}

// to is nil in a program that is not run as a node.
var to = connect()

func connect() *driver {
	if os.Getenv("LDFI_NODE") == "" {
		return nil
	}
	next, step, _ := strings.Cut(os.Getenv("LDFI_REQUESTS"), ":")
	d := &driver{out: os.NewFile(1, "ldfi"), told: map[check]bool{}}
	var err error
	if d.next, err = strconv.Atoi(next); err != nil {
		return nil
	}
	if d.step, err = strconv.Atoi(step); err != nil {
		return nil
	}
	return d
}

// begins is what a line begins with that is not for people. Package rounds/process has
// the same.
const begins = "\x00ldfi "

func (d *driver) tell(what string, args ...any) {
	all := []any{what}
	for _, arg := range args {
		all = append(all, value(arg))
	}
	line, err := json.Marshal(all)
	if err != nil {
		panic(err) // there are numbers and texts only
	}
	_, _ = d.out.WriteString(begins + string(line) + "\n")
}

// check tells whether a condition holds, with the place of the call of this package.
func (d *driver) check(relation string, holds bool, message string) {
	c := check{relation, message, holds}
	d.mutex.Lock()
	told := d.told[c]
	d.told[c] = true
	d.mutex.Unlock()
	if told {
		return
	}
	_, file, line, _ := runtime.Caller(2)
	place := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file) + ":" + strconv.Itoa(line)
	d.tell(relation, message, strconv.FormatBool(holds), place)
}

// value returns an integer as one, and everything else as text.
func value(arg any) any {
	switch a := arg.(type) {
	case string:
		return a
	case fmt.Stringer:
		return text(a)
	}
	switch v := reflect.ValueOf(arg); {
	case v.CanInt():
		return v.Int()
	case v.CanUint() && v.Uint() <= 1<<63-1:
		return int64(v.Uint())
	}
	return text(arg)
}

// text returns a value as text: that of a method if it has one, or JSON.
func text(arg any) (result string) {
	defer func() {
		if recover() != nil { // a method of a nil pointer
			result = fmt.Sprintf("%T", arg)
		}
	}()
	switch a := arg.(type) {
	case string:
		return a
	case []byte:
		return string(a)
	case error:
		return a.Error()
	case fmt.Stringer:
		return a.String()
	}
	switch v := reflect.ValueOf(arg); {
	case v.Kind() == reflect.String:
		return v.String()
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64) // NaN is no JSON
	}
	data, err := json.Marshal(arg)
	if err != nil {
		return fmt.Sprintf("%T", arg)
	}
	return string(data)
}
