package explore

// list is a place in a list, and the part of it that is seen.
type list struct{ at, top int }

// move goes to another place, as far as there are so many.
func (l *list) move(by, of int) { l.at = max(min(l.at+by, of-1), 0) }

// window returns the first and the end of those that are seen.
func (l *list) window(height, of int) (from, to int) {
	l.at = max(min(l.at, of-1), 0)
	l.top = window(l.top, l.at, of, height)
	return l.top, min(l.top+max(height, 0), of)
}
