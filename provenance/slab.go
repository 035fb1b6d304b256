package provenance

// slab hands out memory in small pieces from large ones. A piece that is not small has memory
// of its own, so that little is left over at the end of a large one.
type slab[T any] struct {
	free []T
	size int
}

// take returns a slice of n zero values.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) && n > s.size/8 && s.size >= 4096 {
		return make([]T, n)
	}
	if n > len(s.free) {
		s.size = min(max(2*s.size, 64), 4096)
		s.free = make([]T, max(n, s.size))
	}
	piece := s.free[:n:n]
	s.free = s.free[n:]
	return piece
}
