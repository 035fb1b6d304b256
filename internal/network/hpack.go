package network

import "slices"

// field is a field of a header.
type field struct{ name, value string }

// size is the size of a field in a table.
func (f field) size() int { return len(f.name) + len(f.value) + 32 }

const (
	firstTable   = 4096    // bytes of the table until the other end sets another size
	largestTable = 1 << 16 // bytes that it may have then
	mostFields   = 1 << 10 // of one message
)

// fieldReader reads the fields of HTTP/2 that one end sends (HPACK, RFC 7541), with the
// table of earlier fields.
type fieldReader struct {
	table []field // the newest first
	size  int
	limit int // 0: firstTable
}

// read returns fields by their names, the last of each.
func (r *fieldReader) read(block []byte) (map[string]string, bool) {
	fields := map[string]string{}
	for n := 0; len(block) > 0; n++ {
		f, rest, ok := r.next(block)
		if !ok || n > mostFields {
			return nil, false
		}
		if f.name != "" {
			fields[f.name] = f.value
		}
		block = rest
	}
	return fields, true
}

// next reads one field, or a new size of the table.
func (r *fieldReader) next(block []byte) (f field, rest []byte, ok bool) {
	switch b := block[0]; {
	case b&0x80 != 0: // both are in a table
		index, rest, ok := number(block, 7)
		if !ok {
			return f, nil, false
		}
		f, ok = r.at(index)
		return f, rest, ok
	case b&0x40 != 0: // comes into the table
		f, rest, ok = r.literal(block, 6)
		if ok {
			r.add(f)
		}
		return f, rest, ok
	case b&0x20 != 0: // a new size
		limit, rest, ok := number(block, 5)
		if !ok || limit > largestTable {
			return f, nil, false
		}
		r.resize(limit)
		return f, rest, true
	}
	return r.literal(block, 4)
}

// literal reads a field whose value, at least, is spelled out.
func (r *fieldReader) literal(block []byte, bits int) (f field, rest []byte, ok bool) {
	index, rest, ok := number(block, bits)
	if !ok {
		return f, nil, false
	}
	if index > 0 {
		f, ok = r.at(index)
	} else {
		f.name, rest, ok = text(rest)
	}
	if !ok {
		return f, nil, false
	}
	f.value, rest, ok = text(rest)
	return f, rest, ok
}

// at returns a field of the tables, from 1.
func (r *fieldReader) at(index int) (field, bool) {
	if index >= 1 && index <= len(static) {
		return static[index-1], true
	}
	if index -= len(static) + 1; index >= 0 && index < len(r.table) {
		return r.table[index], true
	}
	return field{}, false
}

// add adds a field to the table.
func (r *fieldReader) add(f field) {
	r.table = slices.Insert(r.table, 0, f)
	r.size += f.size()
	r.evict()
}

// resize changes the size of the table.
func (r *fieldReader) resize(limit int) {
	r.limit = limit
	if limit == 0 {
		r.limit = -1
	}
	r.evict()
}

// evict removes the oldest fields, until the others fit.
func (r *fieldReader) evict() {
	limit := r.limit
	if limit == 0 {
		limit = firstTable
	}
	for len(r.table) > 0 && r.size > limit {
		last := len(r.table) - 1
		r.size -= r.table[last].size()
		r.table = r.table[:last]
	}
}

// number reads a number whose first bits are the last ones of a byte.
func number(block []byte, bits int) (int, []byte, bool) {
	if len(block) == 0 {
		return 0, nil, false
	}
	all := 1<<bits - 1
	n := int(block[0]) & all
	block = block[1:]
	if n < all {
		return n, block, true
	}
	for shift := 0; len(block) > 0 && shift < 28; shift += 7 {
		b := block[0]
		block = block[1:]
		n += int(b&0x7f) << shift
		if b&0x80 == 0 {
			return n, block, true
		}
	}
	return 0, nil, false
}

// text reads a text, which may be compressed.
func text(block []byte) (string, []byte, bool) {
	n, rest, ok := number(block, 7)
	if !ok || n > len(rest) {
		return "", nil, false
	}
	if block[0]&0x80 == 0 {
		return string(rest[:n]), rest[n:], true
	}
	s, ok := expand(rest[:n])
	return s, rest[n:], ok
}
