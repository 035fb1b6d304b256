package memberlist

import (
	"math"
)

// readMap reads a map of MessagePack whose keys are texts, and returns what follows it.
func readMap(b []byte) (m map[string]any, rest []byte, ok bool) {
	value, rest, ok := read(b, 0)
	m, isMap := value.(map[string]any)
	return m, rest, ok && isMap
}

// deepest is how deep values may be nested.
const deepest = 8

// read reads one value: nil, bool, int64, float64, string (also bytes), []any or
// map[string]any.
func read(b []byte, depth int) (value any, rest []byte, ok bool) {
	if len(b) == 0 || depth > deepest {
		return nil, nil, false
	}
	c, b := b[0], b[1:]
	switch {
	case c < 0x80:
		return int64(c), b, true
	case c < 0x90:
		return readPairs(b, int(c&0x0f), depth)
	case c < 0xa0:
		return readList(b, int(c&0x0f), depth)
	case c < 0xc0:
		return readText(b, int(c&0x1f))
	case c >= 0xe0:
		return int64(int8(c)), b, true
	}
	switch c {
	case 0xc0:
		return nil, b, true
	case 0xc2, 0xc3:
		return c == 0xc3, b, true
	}
	f, known := forms[c]
	if !known || len(b) < f.size {
		return nil, nil, false
	}
	n := uint64(0)
	for _, next := range b[:f.size] {
		n = n<<8 | uint64(next)
	}
	return f.read(b[f.size:], n, depth)
}

// form is a value that begins with a number: how long that is, and what follows.
type form struct {
	size int
	read func(b []byte, n uint64, depth int) (any, []byte, bool)
}

var forms map[byte]form

func init() {
	number := func(size int) form {
		return form{size, func(b []byte, n uint64, _ int) (any, []byte, bool) { return int64(n), b, true }}
	}
	signed := func(size int) form {
		return form{size, func(b []byte, n uint64, _ int) (any, []byte, bool) {
			shift := 64 - 8*size
			return int64(n<<shift) >> shift, b, true
		}}
	}
	text := func(size int) form {
		return form{size, func(b []byte, n uint64, _ int) (any, []byte, bool) { return readText(b, int(min(n, math.MaxInt32))) }}
	}
	list := func(size int) form {
		return form{size, func(b []byte, n uint64, depth int) (any, []byte, bool) { return readList(b, int(n), depth) }}
	}
	pairs := func(size int) form {
		return form{size, func(b []byte, n uint64, depth int) (any, []byte, bool) { return readPairs(b, int(n), depth) }}
	}
	forms = map[byte]form{
		0xc4: text(1), 0xc5: text(2), 0xc6: text(4), 0xd9: text(1), 0xda: text(2), 0xdb: text(4),
		0xcc: number(1), 0xcd: number(2), 0xce: number(4), 0xcf: number(8),
		0xd0: signed(1), 0xd1: signed(2), 0xd2: signed(4), 0xd3: signed(8),
		0xdc: list(2), 0xdd: list(4), 0xde: pairs(2), 0xdf: pairs(4),
		0xca: {4, func(b []byte, n uint64, _ int) (any, []byte, bool) {
			return float64(math.Float32frombits(uint32(n))), b, true
		}},
		0xcb: {8, func(b []byte, n uint64, _ int) (any, []byte, bool) { return math.Float64frombits(n), b, true }},
	}
}

func readText(b []byte, n int) (any, []byte, bool) {
	if len(b) < n {
		return nil, nil, false
	}
	return string(b[:n]), b[n:], true
}

func readList(b []byte, n, depth int) (any, []byte, bool) {
	var all []any
	for range n {
		value, rest, ok := read(b, depth+1)
		if !ok {
			return nil, nil, false
		}
		all, b = append(all, value), rest
	}
	return all, b, true
}

func readPairs(b []byte, n, depth int) (any, []byte, bool) {
	m := map[string]any{}
	for range n {
		key, rest, ok := read(b, depth+1)
		if !ok {
			return nil, nil, false
		}
		value, rest, ok := read(rest, depth+1)
		if !ok {
			return nil, nil, false
		}
		if name, isText := key.(string); isText {
			m[name] = value
		}
		b = rest
	}
	return m, b, true
}
