package network

import "strings"

// preface is the beginning of the data of an HTTP/2 client.
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// longestMethod is the longest method that a request of HTTP/1 is recognized by.
const longestMethod = 20

// recognize returns the protocol of an end by its first bytes; undecided if more are
// needed.
func (e *end) recognize() protocol {
	text := string(e.pending[:min(len(e.pending), 64)])
	switch {
	case e.conversation.tunnel:
		return unknown
	case e.isNATS(text) != unknown:
		return e.isNATS(text)
	case text[0] == 22: // a handshake, of TLS 1.x
		return decide(text, "\x16\x03", speaksTLS)
	case e.dialer && text[0] == '*':
		return isRESP(text)
	case !e.dialer && e.conversation.ends[0].protocol == speaksRESP:
		return speaksRESP
	case !e.dialer && e.conversation.ends[0].protocol == speaksGob:
		return isGob(e.pending)
	case !e.dialer && e.conversation.ends[0].protocol == speaksGossip:
		return speaksGossip
	case e.dialer:
		if p := e.isGossip(); p != unknown {
			return p
		}
		if p := isGob(e.pending); p != unknown && len(e.pending) > 1 {
			return p
		}
		if p := decide(text, preface, speaksHTTP2); p != unknown {
			return p
		}
		return request(text)
	case text[0] == 'H':
		return decide(text, "HTTP/1.", speaksHTTP1)
	case len(text) < frameHead:
		return undecided
	case isSettings(text):
		return speaksHTTP2
	}
	return unknown
}

// decide compares the first bytes with those of a protocol.
func decide(text, first string, is protocol) protocol {
	switch {
	case strings.HasPrefix(text, first):
		return is
	case strings.HasPrefix(first, text):
		return undecided
	}
	return unknown
}

// request tells whether this is the beginning of a request of HTTP/1.
func request(text string) protocol {
	method, _, found := strings.Cut(text, " ")
	switch {
	case method == "" || len(method) > longestMethod || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "":
		return unknown
	case !found:
		return undecided
	}
	return speaksHTTP1
}

// isSettings tells whether head begins a settings frame of HTTP/2, which a server sends
// first.
func isSettings(head string) bool {
	return head[0] == 0 && head[3] == frameSettings && head[2]%6 == 0 && head[5:9] == "\x00\x00\x00\x00"
}
