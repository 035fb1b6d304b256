package etcd

import "strconv"

// Text is the text of a message while it is written. It looks like what the
// library calls it, without what is zero, and with the context.
type Text []byte

// NewText begins the text of a message.
func NewText(from, to uint64, kind string) Text {
	t := make(Text, 0, 96)
	t = strconv.AppendUint(t, from, 16)
	t = append(t, "->"...)
	t = strconv.AppendUint(t, to, 16)
	t = append(t, ' ')
	return append(t, kind...)
}

// Number adds a number, unless it is 0.
func (t Text) Number(name string, n uint64) Text {
	if n == 0 {
		return t
	}
	return strconv.AppendUint(t.name(name), n, 10)
}

// Place adds the term and the index of a place in the log, unless both are 0.
func (t Text) Place(name string, term, index uint64) Text {
	if term == 0 && index == 0 {
		return t
	}
	t = strconv.AppendUint(t.name(name), term, 10)
	return strconv.AppendUint(append(t, '/'), index, 10)
}

// Flag adds a name if it is true.
func (t Text) Flag(name string, is bool) Text {
	if !is {
		return t
	}
	return append(append(t, ' '), name...)
}

// Bytes adds some bytes, unless there are none.
func (t Text) Bytes(name string, b []byte) Text {
	if len(b) == 0 {
		return t
	}
	return append(t.name(name), b...)
}

func (t Text) name(name string) Text { return append(append(append(t, ' '), name...), ':') }
