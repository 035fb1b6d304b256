package network

import (
	"bytes"
	"strconv"
	"strings"
)

// natsLine is what a line of the protocol of NATS has behind its verb.
type natsLine struct {
	least   int  // words, the verb among them
	subject int  // the word that is shown; 0: none
	account bool // between servers, the name of an account stands before that word
	sized   bool // the last word is the length of what follows the line
	weight  weight
}

// natsLines are the lines by their verbs: of clients, between servers (R, A), and of leaf
// nodes (L).
var natsLines = map[string]natsLine{
	"INFO": {least: 2, weight: status}, "CONNECT": {least: 2, weight: status}, "-ERR": {least: 2, weight: status},
	"PING": {least: 1}, "PONG": {least: 1}, "+OK": {least: 1},
	"PUB":  {least: 3, subject: 1, sized: true, weight: status},
	"HPUB": {least: 4, subject: 1, sized: true, weight: status},
	"MSG":  {least: 4, subject: 1, sized: true, weight: status},
	"HMSG": {least: 4, subject: 1, sized: true, weight: status},
	"SUB":  {least: 3, subject: 1, weight: head}, "UNSUB": {least: 2, weight: head},
	"RMSG": {least: 3, subject: 1, account: true, sized: true, weight: status},
	"RS+":  {least: 2, subject: 1, account: true, weight: head}, "RS-": {least: 2, subject: 1, account: true, weight: head},
	"A+": {least: 2, subject: 1, weight: head}, "A-": {least: 2, subject: 1, weight: head},
	"LMSG": {least: 3, subject: 1, sized: true, weight: status},
	"LS+":  {least: 2, subject: 1, weight: head}, "LS-": {least: 2, subject: 1, weight: head},
}

// isNATS tells whether an end begins to speak the protocol of NATS: servers greet who
// dials.
func (e *end) isNATS(text string) protocol {
	if !e.dialer {
		return decide(text, "INFO {", speaksNATS)
	}
	if e.conversation.ends[1].protocol == speaksNATS || strings.HasPrefix(text, "CONNECT {") {
		return speaksNATS
	}
	return unknown
}

// readNATS reads the next line.
func (e *end) readNATS() bool {
	n := bytes.IndexByte(e.pending, '\n')
	if n < 0 {
		if len(e.pending) > longestLine {
			e.lose()
		}
		return false
	}
	line := strings.TrimSuffix(string(e.pending[:n]), "\r")
	words := strings.Fields(line)
	if len(words) == 0 {
		e.lose()
		return false
	}
	is, known := natsLines[words[0]]
	size, err := uint64(0), error(nil)
	if is.sized {
		size, err = strconv.ParseUint(words[len(words)-1], 10, 30)
	}
	if !known || len(words) < is.least || err != nil {
		e.lose()
		return false
	}
	text := e.natsText(is, words, line)
	i := item{text: text, more: "more of " + text, kind: "nats", weight: is.weight}
	if is.sized {
		if words[0][0] != 'H' { // headers come first
			i.body = &body{}
		}
		e.skip = int64(size) + 2
	}
	e.say(n+1, i)
	return true
}

// natsText returns the verb of a line and its subject.
func (e *end) natsText(is natsLine, words []string, line string) string {
	c, at := e.conversation, is.subject
	switch {
	case words[0] == "-ERR":
		return short(line)
	case words[0] == "INFO" && strings.Contains(line, `"route_account":"`):
		c.account = true
	case is.account && !c.account, words[0] == "HMSG" && !c.account && strings.Trim(words[2], "0123456789") != "":
		at++
	}
	if at == 0 || at >= len(words) {
		return words[0]
	}
	return short(words[0] + " " + words[at])
}
