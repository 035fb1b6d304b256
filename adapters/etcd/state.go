package etcd

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// state writes the text of values, unexported fields included, so that two
// values have the same text exactly if they hold the same data. Functions,
// channels, mutexes and loggers are no data. It remembers nothing but memory.
type state struct {
	path []uintptr // the pointers on the way, against cycles
}

func (w *state) write(b *bytes.Buffer, value any) {
	w.path = w.path[:0]
	w.value(b, reflect.ValueOf(value))
}

// node writes a node: its RawNode, and what its wrappers keep.
func (w *state) node(b *bytes.Buffer, n Node) {
	for n != nil {
		inner, layer := unwrap(n)
		if inner == nil {
			w.write(b, n.Raw())
			return
		}
		t := layer.Type()
		for i := range layer.NumField() {
			if t.Field(i).Type != nodeType {
				w.path = w.path[:0]
				b.WriteString(t.Field(i).Name)
				b.WriteByte(':')
				w.value(b, layer.Field(i))
				b.WriteByte(' ')
			}
		}
		n = inner
	}
}

var nodeType = reflect.TypeFor[Node]()

// unwrap returns the node that a wrapper embeds, and the wrapper as a struct. It
// returns nil for what is no wrapper.
func unwrap(n Node) (inner Node, layer reflect.Value) {
	layer = reflect.Indirect(reflect.ValueOf(n))
	if layer.Kind() != reflect.Struct {
		return nil, layer
	}
	if f := layer.FieldByName("Node"); f.IsValid() && f.Type() == nodeType {
		inner, _ = f.Interface().(Node)
	}
	return inner, layer
}

func (w *state) value(b *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		b.Write(strconv.AppendBool(b.AvailableBuffer(), v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b.Write(strconv.AppendInt(b.AvailableBuffer(), v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		b.Write(strconv.AppendUint(b.AvailableBuffer(), v.Uint(), 10))
	case reflect.String:
		b.Write(strconv.AppendQuote(b.AvailableBuffer(), v.String()))
	case reflect.Pointer:
		w.pointer(b, v)
	case reflect.Interface:
		if !v.IsNil() {
			w.value(b, v.Elem())
		}
	case reflect.Struct:
		w.fields(b, v)
	case reflect.Slice, reflect.Array:
		w.elements(b, v)
	case reflect.Map:
		w.entries(b, v)
	}
}

func (w *state) pointer(b *bytes.Buffer, v reflect.Value) {
	if v.IsNil() || slices.Contains(w.path, v.Pointer()) {
		return
	}
	w.path = append(w.path, v.Pointer())
	w.value(b, v.Elem())
	w.path = w.path[:len(w.path)-1]
}

func (w *state) fields(b *bytes.Buffer, v reflect.Value) {
	t := v.Type()
	switch {
	case t.PkgPath() == "sync" || t.PkgPath() == "google.golang.org/protobuf/internal/impl":
		return
	case strings.EqualFold(t.Name(), "inflights"):
		w.inflights(b, v)
		return
	}
	b.WriteByte('{')
	for i := range v.NumField() {
		f, name := v.Field(i), t.Field(i).Name
		if f.IsZero() || name == "logger" || name == "rand" || name == "callStats" {
			continue
		}
		mark := b.Len()
		b.WriteString(name)
		b.WriteByte(':')
		named := b.Len()
		if strings.HasPrefix(name, "msgs") {
			w.queue(b, f)
		} else {
			w.value(b, f)
		}
		if b.Len() == named {
			b.Truncate(mark)
			continue
		}
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

// queue writes messages that wait to be sent. The library puts those to
// different processes in the order of a map; see Process.do.
func (w *state) queue(b *bytes.Buffer, v reflect.Value) {
	messages := make([]reflect.Value, v.Len())
	for i := range messages {
		messages[i] = v.Index(i)
	}
	slices.SortStableFunc(messages, func(x, y reflect.Value) int { return cmp.Compare(receiver(x), receiver(y)) })
	for _, m := range messages {
		w.value(b, m)
		b.WriteByte(' ')
	}
}

func receiver(message reflect.Value) uint64 {
	to := reflect.Indirect(reflect.Indirect(message).FieldByName("To"))
	if !to.IsValid() {
		return 0
	}
	return to.Uint()
}

// inflights writes what is in a ring buffer, and not what has been.
func (w *state) inflights(b *bytes.Buffer, v reflect.Value) {
	start, count, buffer := v.FieldByName("start").Int(), v.FieldByName("count").Int(), v.FieldByName("buffer")
	size := v.FieldByName("size").Int()
	b.WriteByte('<')
	for i := range count {
		w.value(b, buffer.Index(int((start+i)%size)))
		b.WriteByte(' ')
	}
	b.WriteByte('>')
}

func (w *state) elements(b *bytes.Buffer, v reflect.Value) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		b.Write(strconv.AppendQuote(b.AvailableBuffer(), string(v.Bytes())))
		return
	}
	b.WriteByte('[')
	for i := range v.Len() {
		w.value(b, v.Index(i))
		b.WriteByte(' ')
	}
	b.WriteByte(']')
}

// entries writes a map in the order of its keys' texts.
func (w *state) entries(b *bytes.Buffer, v reflect.Value) {
	type entry struct {
		key   string
		value reflect.Value
	}
	var entries []entry
	for keys := v.MapRange(); keys.Next(); {
		var key bytes.Buffer
		w.value(&key, keys.Key())
		entries = append(entries, entry{key.String(), keys.Value()})
	}
	slices.SortFunc(entries, func(x, y entry) int { return cmp.Or(cmp.Compare(len(x.key), len(y.key)), cmp.Compare(x.key, y.key)) })
	b.WriteByte('(')
	for _, e := range entries {
		b.WriteString(e.key)
		b.WriteByte(':')
		w.value(b, e.value)
		b.WriteByte(' ')
	}
	b.WriteByte(')')
}
