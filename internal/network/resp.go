package network

import (
	"bytes"
	"strconv"
	"strings"
)

// Limits of values of RESP, the protocol of Redis: larger values are not understood.
const (
	longestValue = 1 << 20
	deepestValue = 8
	mostElements = 1 << 10
)

// isRESP tells whether a client begins a command: an array of strings.
func isRESP(text string) protocol {
	digits := strings.TrimLeft(text[1:], "0123456789")
	if digits == "" {
		return undecided
	}
	if len(digits) == len(text)-1 {
		return unknown
	}
	return decide(digits, "\r\n$", speaksRESP)
}

// readRESP reads the next value: a command, or a reply.
func (e *end) readRESP() bool {
	text, n := value(e.pending, 0, e.dialer)
	switch {
	case n < 0 || n == 0 && len(e.pending) > longestValue:
		e.lose()
		return false
	case n == 0:
		return false
	}
	e.say(n, item{text: short(text), kind: "resp", weight: status})
	return true
}

// value describes the value at the beginning of b, and returns its length: 0 if the value
// is incomplete, less than 0 if it is invalid. A command is described as its words.
func value(b []byte, deep int, command bool) (text string, n int) {
	end := bytes.Index(b, []byte("\r\n"))
	if end < 0 {
		return "", 0
	}
	if end == 0 || deep > deepestValue {
		return "", -1
	}
	line := string(b[1:end])
	n = end + 2
	switch b[0] {
	case '+', ':', ',', '(', '#':
		return word(line), n
	case '-':
		return "-" + word(line), n
	case '_':
		return "nil", n
	case '$', '=', '!':
		size, err := strconv.Atoi(line)
		switch {
		case err != nil || size < -1 || size > longestValue:
			return "", -1
		case size == -1:
			return "nil", n
		case len(b) < n+size+2:
			return "", 0
		case string(b[n+size:n+size+2]) != "\r\n":
			return "", -1
		}
		return word(string(b[n : n+size])), n + size + 2
	case '*', '~', '>', '%':
		return elements(b, n, line, deep, command)
	}
	return "", -1
}

// elements describes the elements of an array, a set or a map, which begin at n.
func elements(b []byte, n int, line string, deep int, command bool) (string, int) {
	count, err := strconv.Atoi(line)
	if err != nil || count < -1 || count > mostElements {
		return "", -1
	}
	if count == -1 {
		return "nil", n
	}
	if b[0] == '%' {
		count *= 2
	}
	words := make([]string, 0, count)
	for range count {
		text, size := value(b[n:], deep+1, false)
		if size <= 0 {
			return "", size
		}
		words, n = append(words, text), n+size
	}
	if command {
		return strings.Join(words, " "), n
	}
	return "[" + strings.Join(words, ", ") + "]", n
}

// word returns a string in the form for people: quoted if it is not plain.
func word(text string) string {
	if text == "" || !plain(text) {
		return strconv.Quote(text[:min(len(text), mostRunes)])
	}
	return text
}
