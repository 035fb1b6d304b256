package assistant

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// mostLine is how many bytes of one line of a client are kept.
const mostLine = 16 << 20

// lines is the input of a client without the lines that are no messages, which would end
// the talk: these are answered with an error, and the talk goes on. A batch is read as the
// messages in it.
type lines struct {
	in   *bufio.Reader
	out  io.Writer // for errors
	left []byte    // of the messages of a line, one a line
}

// Read reads from the messages.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.left) == 0 {
		line, err := l.line()
		if len(bytes.TrimSpace(line)) > 0 {
			if err := l.add(line); err != nil {
				return 0, err // nobody hears it
			}
		}
		if err != nil && len(l.left) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// line reads a line, of one that is too long only its beginning.
func (l *lines) line() (line []byte, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line) <= mostLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// add adds the messages of a line to what is left, or answers what is wrong.
func (l *lines) add(line []byte) error {
	switch {
	case len(line) > mostLine:
		return l.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message is too large: at most %d MiB of a line are read", mostLine>>20))
	case !json.Valid(line):
		return l.refuse(nil, jsonrpc.CodeParseError, "a line is no JSON: each message is one line")
	}
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		batch = []json.RawMessage{line}
	} else if len(batch) == 0 {
		return l.refuse(nil, jsonrpc.CodeInvalidRequest, "a list of messages is empty")
	}
	for _, message := range batch {
		if _, err := jsonrpc.DecodeMessage(message); err != nil {
			if err := l.refuse(idOf(message), jsonrpc.CodeInvalidRequest, "a line is no message of JSON-RPC 2.0: "+err.Error()); err != nil {
				return err
			}
			continue
		}
		l.left = append(append(l.left, bytes.TrimSpace(message)...), '\n')
	}
	return nil
}

// idOf returns the identifier of a message that is none, as far as it has one.
func idOf(message json.RawMessage) any {
	var named struct {
		ID any `json:"id"`
	}
	_ = json.Unmarshal(message, &named)
	switch named.ID.(type) {
	case string, float64:
		return named.ID
	}
	return nil
}

// refuse answers what is no message.
func (l *lines) refuse(id any, code int64, text string) error {
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": jsonrpc.Error{Code: code, Message: shortened(text)}})
	if err == nil {
		_, err = l.out.Write(append(answer, '\n'))
	}
	return err
}
