package diagram

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// protocols are the kinds of messages of servers: what they say is more than their
// kind, and short.
var protocols = map[string]bool{"http": true, "grpc": true, "json": true, "tls": true, "tcp": true, "udp": true,
	"nats": true, "raft": true, "memberlist": true, "resp": true, "gob": true}

// says returns what is written at the arrow of a message.
func says(m recording.Message) string {
	if protocols[m.Relation] && len(m.Args) == 2 {
		return packages.ReplaceAllString(m.Args[1].Text(), "$1")
	}
	return m.Relation
}

// Says returns the name that a message has in a diagram: the first word of the text of
// a server's message, and the relation of any other message.
func Says(m recording.Message) string {
	word, _, _ := strings.Cut(says(m), " ")
	return word
}

// packages are what stands before the service and the method of a call of gRPC.
var packages = regexp.MustCompile(`/(?:\w+\.)+(\w+/\w+)`)

// The number of cells after which the name of a relation is cut, and what a message
// of a server says.
const (
	longestLabel = 16
	longestSaid  = 28
)

// label returns what is written at an arrow, cut where many columns leave little room
// for it, and the number of its messages if there are several.
func (d *diagram) label(a arrow, copies int) string {
	longest := longestLabel
	if a.says != a.relation {
		longest = longestSaid
	}
	room := width/max(len(d.processes), 1) - 6
	text := shorten(text.Safe(a.says), min(max(room, 4), longest))
	if copies > 1 {
		text += fmt.Sprintf(" ×%d", copies)
	}
	return text
}
