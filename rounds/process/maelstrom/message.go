package maelstrom

// message is a line that a node writes or reads.
type message struct {
	Src, Dest string
	Body      Body
	line      []byte
}

// newMessage returns a message that no node has written.
func newMessage(src, dest string, body Body) message {
	m := message{Src: src, Dest: dest, Body: body}
	m.line = []byte(compact(map[string]any{"src": src, "dest": dest, "body": body}))
	return m
}

// Kind and String are how recordings have it.
func (m message) Kind() string   { return "json" }
func (m message) String() string { return m.Body.String() }
