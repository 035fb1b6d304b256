package execution

import (
	"slices"
	"strings"
	"unicode"
)

// OfKind tells whether a message is of the kind that a fault names: the one under which it is
// recorded. Where that says nothing about the message itself, because it is JSON of a node for
// Maelstrom or what a server writes, the first words of its text are a kind as well:
// "broadcast" of `broadcast {"message":7}`, and "PUT /kv" of what a connection carries.
func OfKind(named, kind string, text func() string) bool {
	switch {
	case named == kind:
		return true
	case kind == "json":
		return begins(text(), named)
	case Carried(kind):
		for item := range strings.SplitSeq(text(), ", ") {
			if begins(item, named) {
				return true
			}
		}
	}
	return false
}

// KindOf returns the kind that people would name of a message: where all are recorded as json,
// the first word of its text.
func KindOf(kind, text string) string {
	if kind == "json" {
		word, _, _ := strings.Cut(text, " ")
		if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !inKind(r) }) {
			return word
		}
	}
	return kind
}

// carried are the kinds of what the machines of servers send each other (package
// internal/network).
var carried = []string{"tcp", "udp", "http", "grpc", "raft", "nats", "memberlist", "tls", "resp", "gob"}

// Carried tells whether messages of a kind are what the machines of servers send each other.
func Carried(kind string) bool { return slices.Contains(carried, kind) }

// begins tells whether a text begins with some words.
func begins(text, words string) bool {
	rest, ok := strings.CutPrefix(text, words)
	return ok && strings.IndexFunc(rest, inKind) != 0
}

// inKind tells whether a kind goes on with r.
func inKind(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nd) || strings.ContainsRune("_.-", r)
}
