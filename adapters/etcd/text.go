package etcd

import "strconv"

// Text is what the text of a message tells of it.
type Text struct {
	From, To             uint64
	Kind                 string
	Term, LogTerm, Index uint64
	Commit, Hint         uint64
	Reject               bool
	Context              []byte
	Snapshot             Entry // that it ends with
	Entries              []Entry
}

// String returns a text like the library's, without what is zero, but for places
// of the log that have a term or an index.
func (m *Text) String() string {
	t := make(fields, 0, 96+32*len(m.Entries))
	t = strconv.AppendUint(t, m.From, 16)
	t = append(t, "->"...)
	t = strconv.AppendUint(t, m.To, 16)
	t = append(append(t, ' '), m.Kind...)
	t = t.number("Term", m.Term).place("Log", m.LogTerm, m.Index).number("Commit", m.Commit)
	if m.Reject {
		t = append(t, " Reject"...)
	}
	t = t.number("Hint", m.Hint).bytes("Context", m.Context).place("Snapshot", m.Snapshot.Term, m.Snapshot.Index)
	for _, e := range m.Entries {
		t = t.place("Entry", e.Term, e.Index)
		if e.Change == nil {
			t = t.bytes("Data", e.Data)
		} else {
			t = t.bytes("Change", []byte(e.Change.String())).bytes("For", e.Change.Context)
		}
	}
	return string(t)
}

// fields is the text of a message while it is written.
type fields []byte

func (t fields) number(name string, n uint64) fields {
	if n == 0 {
		return t
	}
	return strconv.AppendUint(t.name(name), n, 10)
}

func (t fields) place(name string, term, index uint64) fields {
	if term == 0 && index == 0 {
		return t
	}
	t = strconv.AppendUint(t.name(name), term, 10)
	return strconv.AppendUint(append(t, '/'), index, 10)
}

func (t fields) bytes(name string, b []byte) fields {
	if len(b) == 0 {
		return t
	}
	return append(t.name(name), b...)
}

func (t fields) name(name string) fields { return append(append(append(t, ' '), name...), ':') }
