package lsp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The longest message that is read, and the longest line of a header.
const (
	longestMessage = 64 << 20
	longestHeader  = 4 << 10
)

// stream reads and writes messages, each behind a header with its length. Unlike a reader it
// can be closed while it waits for a message.
type stream struct {
	messages chan received
	closed   chan struct{}
	close    sync.Once
	out      io.Writer
}

// received is a message, or why there are no more.
type received struct {
	text []byte
	err  error
}

func newStream(in io.Reader, out io.Writer) *stream {
	s := &stream{messages: make(chan received), closed: make(chan struct{}), out: out}
	go s.receive(bufio.NewReaderSize(in, longestHeader))
	return s
}

// receive reads messages until there are no more, or nobody wants them.
func (s *stream) receive(in *bufio.Reader) {
	for {
		text, err := readMessage(in)
		if errors.Is(err, io.EOF) {
			s.linger()
		}
		select {
		case s.messages <- received{text, err}:
		case <-s.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// lastWords is how long what was asked before the end of the input may take.
const lastWords = 500 * time.Millisecond

// linger waits for that time, unless the talk ends before: the dispatcher drops what it has
// not begun when it is told of the end.
func (s *stream) linger() {
	select {
	case <-s.closed:
	case <-time.After(lastWords):
	}
}

// readMessage reads one message. Its error is io.EOF at the end of the input.
func readMessage(in *bufio.Reader) ([]byte, error) {
	length := -1
	for begun := false; ; begun = true {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return nil, headerError(line, begun, err)
		}
		name, value, isField := strings.Cut(strings.TrimSpace(string(line)), ":")
		if name == "" && !isField {
			break
		}
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				length = -1
			}
		}
	}
	if length < 0 || length > longestMessage {
		return nil, fmt.Errorf("reading a message: its header has no Content-Length from 0 to %d", longestMessage)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, fmt.Errorf("reading a message of %d bytes: %w", length, err)
	}
	return text, nil
}

// headerError says why no header could be read.
func headerError(line []byte, begun bool, err error) error {
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("reading a message: a line of its header is longer than %d bytes", longestHeader)
	case errors.Is(err, io.EOF) && (begun || len(line) > 0):
		return fmt.Errorf("reading a message: the input ends in its header: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// Recv returns the next message.
func (s *stream) Recv() ([]byte, error) {
	select {
	case m := <-s.messages:
		return m.text, m.err
	case <-s.closed:
		return nil, io.EOF
	}
}

// Send writes a message.
func (s *stream) Send(message []byte) error {
	_, err := fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(message), message)
	return err
}

// Close ends the wait for messages.
func (s *stream) Close() error {
	s.close.Do(func() { close(s.closed) })
	return nil
}
