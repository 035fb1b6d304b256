package network

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// firstType is the number of the first type that a program of encoding/gob defines.
const firstType = 64

// deepestGob is the depth to which values are described; deeper ones are not understood.
const deepestGob = 32

// gobs are the types that one end has defined in a stream of encoding/gob.
type gobs map[int64]*gobType

// gobType is a type: a struct, or a type that holds other values.
type gobType struct {
	name      string
	kind      int64 // which of the members of a definition tells it
	key, elem int64
	fields    []gobField
}

type gobField struct {
	name string
	id   int64
}

// The members of a definition, by their number.
const (
	gobArray = iota
	gobSlice
	gobStruct
	gobMap
	gobOpaque // this kind and those after it encode themselves
	gobKinds  = gobOpaque + 3
)

// isGob tells whether an end begins with the definition of a type.
func isGob(b []byte) protocol {
	r := &gobReader{b: b}
	size := r.uint()
	switch {
	case r.short:
		return undecided
	case r.wrong || size < 4 || size > longestValue:
		return unknown
	}
	head := r.at
	id := r.int()
	switch {
	case r.short:
		return undecided
	case r.wrong || id > -firstType || id < -firstType-mostElements:
		return unknown
	case len(b) < head+int(size):
		return undecided
	}
	if _, ok := (gobs{}).message(b[head : head+int(size)]); !ok {
		return unknown
	}
	return speaksGob
}

// readGob reads the next message: the definition of a type, or a value.
func (e *end) readGob() bool {
	r := &gobReader{b: e.pending}
	size := r.uint()
	switch {
	case r.wrong || size == 0 || size > longestValue:
		e.lose()
		return false
	case r.short || len(e.pending) < r.at+int(size):
		return false
	}
	if e.gobs == nil {
		e.gobs = gobs{}
	}
	before := len(e.gobs)
	text, ok := e.gobs.message(e.pending[r.at : r.at+int(size)])
	if !ok || len(e.gobs) > mostElements {
		e.lose()
		return false
	}
	weighs := status
	if len(e.gobs) > before {
		weighs = housekeeping
	}
	e.say(r.at+int(size), item{text: short(text), kind: "gob", weight: weighs})
	return true
}

// message describes a message, and records the type that it defines.
func (g gobs) message(b []byte) (text string, ok bool) {
	r := &gobReader{b: b}
	id := r.int()
	if id >= 0 {
		text = g.single(r, id, 0)
		return text, r.whole()
	}
	t := r.definition()
	if !r.whole() || id > -firstType || g[-id] != nil {
		return "", false
	}
	g[-id] = t
	return strings.TrimSpace("type " + t.name), true
}

// single describes a value that is not a member of another value.
func (g gobs) single(r *gobReader, id int64, deep int) string {
	if t := g[id]; t == nil || t.kind != gobStruct {
		if r.uint() != 0 {
			r.wrong = true
		}
	}
	return g.value(r, id, deep)
}

// value describes a value of a type.
func (g gobs) value(r *gobReader, id int64, deep int) string {
	if r.failed() || deep > deepestGob {
		r.wrong = true
		return ""
	}
	switch id {
	case 1:
		return strconv.FormatBool(r.uint() != 0)
	case 2:
		return strconv.FormatInt(r.int(), 10)
	case 3:
		return strconv.FormatUint(r.uint(), 10)
	case 4:
		return r.float()
	case 5, 6:
		return word(string(r.bytes()))
	case 7:
		return "(" + r.float() + ", " + r.float() + ")"
	case 8:
		return g.inInterface(r, deep)
	}
	t := g[id]
	if t == nil {
		r.wrong = true
		return ""
	}
	switch t.kind {
	case gobStruct:
		return g.members(r, t, deep)
	case gobArray, gobSlice, gobMap:
		return g.elements(r, t, deep)
	}
	return fmt.Sprintf("%s of %s", t.name, Digest(r.bytes()))
}

// members describes the members of a struct; zero ones are not sent.
func (g gobs) members(r *gobReader, t *gobType, deep int) string {
	var all []string
	r.members(func(n int) {
		if n >= len(t.fields) {
			r.wrong = true
			return
		}
		all = append(all, t.fields[n].name+": "+g.value(r, t.fields[n].id, deep+1))
	})
	return t.name + "{" + strings.Join(all, ", ") + "}"
}

func (g gobs) elements(r *gobReader, t *gobType, deep int) string {
	var all []string
	for n := r.uint(); n > 0 && !r.failed(); n-- {
		text := ""
		if t.kind == gobMap {
			text = g.value(r, t.key, deep+1) + ": "
		}
		all = append(all, text+g.value(r, t.elem, deep+1))
	}
	if t.kind == gobMap {
		return "{" + strings.Join(all, ", ") + "}"
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// inInterface describes the value in an interface, after the name of its type.
func (g gobs) inInterface(r *gobReader, deep int) string {
	if len(r.bytes()) == 0 {
		return "nil"
	}
	id, size := r.int(), r.uint()
	if r.failed() || size > uint64(len(r.b)-r.at) {
		r.wrong = true
		return ""
	}
	end := r.at + int(size)
	text := g.single(r, id, deep+1)
	if r.at != end {
		r.wrong = true
	}
	return text
}

// gobReader reads data written by encoding/gob.
type gobReader struct {
	b     []byte
	at    int
	short bool // there is not enough
	wrong bool // that is not how it writes
}

func (r *gobReader) failed() bool { return r.short || r.wrong }

// whole tells whether everything was read.
func (r *gobReader) whole() bool { return !r.failed() && r.at == len(r.b) }

// take returns the next n bytes, nil if there are fewer.
func (r *gobReader) take(n uint64) []byte {
	if r.failed() || n > uint64(len(r.b)-r.at) {
		r.short = true
		return nil
	}
	b := r.b[r.at : r.at+int(n)]
	r.at += int(n)
	return b
}

func (r *gobReader) uint() uint64 {
	first := r.take(1)
	if first == nil || first[0] < 0x80 {
		if first == nil {
			return 0
		}
		return uint64(first[0])
	}
	n := 0x100 - int(first[0])
	if n > 8 {
		r.wrong = true
		return 0
	}
	var all [8]byte
	copy(all[8-n:], r.take(uint64(n)))
	return binary.BigEndian.Uint64(all[:])
}

func (r *gobReader) int() int64 {
	u := r.uint()
	if u&1 != 0 {
		return ^int64(u >> 1)
	}
	return int64(u >> 1)
}

func (r *gobReader) float() string {
	return strconv.FormatFloat(math.Float64frombits(bits.ReverseBytes64(r.uint())), 'g', -1, 64)
}

func (r *gobReader) bytes() []byte { return r.take(r.uint()) }

// members reads each member of a struct that was sent.
func (r *gobReader) members(read func(n int)) {
	for n := -1; !r.failed(); {
		delta := r.uint()
		if delta == 0 {
			return
		}
		if delta > mostElements {
			r.wrong = true
			return
		}
		n += int(delta)
		read(n)
	}
}

// definition reads the definition of a type.
func (r *gobReader) definition() *gobType {
	t := &gobType{kind: -1}
	r.members(func(kind int) {
		if t.kind >= 0 || kind >= gobKinds {
			r.wrong = true
			return
		}
		t.kind = int64(min(kind, gobOpaque))
		r.members(func(n int) { r.define(t, n) })
	})
	r.wrong = r.wrong || t.kind < 0
	return t
}

// define reads the nth member of the definition of a type.
func (r *gobReader) define(t *gobType, n int) {
	switch {
	case n == 0:
		r.members(func(n int) {
			if n == 0 {
				t.name = string(r.bytes())
			} else {
				r.int() // its number
			}
		})
		if !plain(t.name) {
			r.wrong = true
		}
	case n == 1 && t.kind == gobStruct:
		for left := r.uint(); left > 0 && !r.failed(); left-- {
			t.fields = append(t.fields, r.field())
		}
	case n == 1 && t.kind == gobMap:
		t.key = r.int()
	case n == 1 && t.kind < gobMap, n == 2 && t.kind == gobMap:
		t.elem = r.int()
	case n == 2 && t.kind == gobArray:
		r.int() // its length
	default:
		r.wrong = true
	}
}

func (r *gobReader) field() (f gobField) {
	r.members(func(n int) {
		switch n {
		case 0:
			f.name = string(r.bytes())
		case 1:
			f.id = r.int()
		default:
			r.wrong = true
		}
	})
	if !plain(f.name) {
		r.wrong = true
	}
	return f
}
