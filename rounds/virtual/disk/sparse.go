package disk

import (
	"bytes"
	"slices"
)

// sparse is a number of bytes of which parts can be zeros that take no memory: servers make
// files long before they write them.
type sparse struct {
	size   int
	chunks [][]byte // each of at most so many bytes; behind it are zeros
}

const chunk = 1 << 15

// resize sets the number of bytes. More are zeros.
func (s *sparse) resize(size int) {
	if size < s.size {
		s.chunks = s.chunks[:min(len(s.chunks), (size+chunk-1)/chunk)]
		if last := size / chunk; last < len(s.chunks) {
			s.chunks[last] = s.chunks[last][:min(len(s.chunks[last]), size%chunk)]
		}
	}
	s.size = size
}

// write puts bytes at a place, as far as there is room.
func (s *sparse) write(p []byte, at int) {
	p = p[:min(len(p), max(s.size-at, 0))]
	for len(p) > 0 {
		k, from := at/chunk, at%chunk
		n := min(len(p), chunk-from)
		s.put(k, from, p[:n])
		p, at = p[n:], at+n
	}
}

// put puts bytes into a chunk.
func (s *sparse) put(k, from int, p []byte) {
	for k >= len(s.chunks) {
		s.chunks = append(s.chunks, nil)
	}
	c := s.chunks[k]
	if from+len(p) > len(c) {
		before := len(c)
		c = slices.Grow(c, from+len(p)-before)[:from+len(p)]
		clear(c[before:])
		s.chunks[k] = c
	}
	copy(c[from:], p)
}

// read copies bytes from a place, and returns how many there were.
func (s *sparse) read(p []byte, at int) int {
	p = p[:min(len(p), max(s.size-at, 0))]
	for rest := p; len(rest) > 0; {
		k, from := at/chunk, at%chunk
		n := min(len(rest), chunk-from)
		there := 0
		if k < len(s.chunks) && from < len(s.chunks[k]) {
			there = copy(rest[:n], s.chunks[k][from:])
		}
		clear(rest[there:n])
		rest, at = rest[n:], at+n
	}
	return len(p)
}

// part returns the bytes from one place to another.
func (s *sparse) part(from, to int) []byte {
	p := make([]byte, to-from)
	return p[:s.read(p, from)]
}

func (s *sparse) bytes() []byte { return s.part(0, s.size) }

// equal tells whether both are the same bytes: chunks may be shorter than what is in them.
func (s *sparse) equal(o *sparse) bool {
	if s.size != o.size {
		return false
	}
	for k := range max(len(s.chunks), len(o.chunks)) {
		a, b := s.chunk(k), o.chunk(k)
		n := min(len(a), len(b))
		if !bytes.Equal(a[:n], b[:n]) || !zero(a[n:]) || !zero(b[n:]) {
			return false
		}
	}
	return true
}

func (s *sparse) chunk(k int) []byte {
	if k < len(s.chunks) {
		return s.chunks[k]
	}
	return nil
}

func zero(p []byte) bool { return len(bytes.TrimLeft(p, "\x00")) == 0 }

func (s *sparse) clone() sparse {
	copied := sparse{s.size, make([][]byte, len(s.chunks))}
	for k, c := range s.chunks {
		copied.chunks[k] = slices.Clone(c)
	}
	return copied
}
