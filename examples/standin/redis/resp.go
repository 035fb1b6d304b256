package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Replies are these, and string, int64, nil and []any.
type (
	status  string // a simple string, such as OK
	failure string // an error
	pairs   []any  // a map, which is an array in version 2 of the protocol
)

// Limits of a command: more is an error.
const (
	mostWords   = 1 << 16
	longestWord = 1 << 24
)

var errProtocol = errors.New("expected a command of RESP: an array of strings")

// readCommand reads an array of strings, or a line of words.
func readCommand(r *bufio.Reader) ([]string, error) {
	line, err := readLine(r)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(line, "*") {
		return strings.Fields(line), nil
	}
	n, err := strconv.Atoi(line[1:])
	if err != nil || n < 0 || n > mostWords {
		return nil, errProtocol
	}
	var words []string
	for range n {
		line, err := readLine(r)
		if err != nil {
			return nil, err
		}
		size, err := strconv.Atoi(strings.TrimPrefix(line, "$"))
		if err != nil || size < 0 || size > longestWord || !strings.HasPrefix(line, "$") {
			return nil, errProtocol
		}
		word := make([]byte, size+2)
		if _, err := io.ReadFull(r, word); err != nil {
			return nil, err
		}
		if string(word[size:]) != "\r\n" {
			return nil, errProtocol
		}
		words = append(words, string(word[:size]))
	}
	return words, nil
}

func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		return "", errProtocol
	}
	if err != nil {
		return "", err
	}
	return strings.TrimRight(string(line), "\r\n"), nil
}

func appendCommand(b []byte, words []string) []byte {
	b = fmt.Appendf(b, "*%d\r\n", len(words))
	for _, word := range words {
		b = appendReply(b, word, 2)
	}
	return b
}

// appendReply appends a reply in a version of the protocol, 2 or 3.
func appendReply(b []byte, reply any, version int) []byte {
	switch reply := reply.(type) {
	case status:
		return fmt.Appendf(b, "+%s\r\n", string(reply))
	case failure:
		return fmt.Appendf(b, "-%s\r\n", strings.NewReplacer("\r", " ", "\n", " ").Replace(string(reply)))
	case int64:
		return fmt.Appendf(b, ":%d\r\n", reply)
	case string:
		return fmt.Appendf(b, "$%d\r\n%s\r\n", len(reply), reply)
	case pairs:
		if version == 3 {
			return appendElements(fmt.Appendf(b, "%%%d\r\n", len(reply)/2), reply, version)
		}
		return appendElements(fmt.Appendf(b, "*%d\r\n", len(reply)), reply, version)
	case []any:
		return appendElements(fmt.Appendf(b, "*%d\r\n", len(reply)), reply, version)
	}
	if version == 3 {
		return append(b, "_\r\n"...)
	}
	return append(b, "$-1\r\n"...)
}

func appendElements(b []byte, elements []any, version int) []byte {
	for _, e := range elements {
		b = appendReply(b, e, version)
	}
	return b
}
