package process

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// stepsVersion is the version of the step protocol: version 1 is that of hosts.
const stepsVersion = 2

// What a node is asked to do.
const (
	doStart   = "start"
	doSend    = "send"
	doReceive = "receive"
)

// stepRequest is what ldfi asks of a node, in one line.
type stepRequest struct {
	ID       int             `json:"id"`
	Do       string          `json:"do"`
	Version  int             `json:"version,omitempty"`
	Node     string          `json:"node,omitempty"`
	Nodes    []string        `json:"nodes,omitempty"`
	Round    int             `json:"round"`
	Now      float64         `json:"now"` // in milliseconds
	Random   *uint32         `json:"random,omitempty"`
	Messages []stepMessage   `json:"messages,omitzero"`
	Durable  json.RawMessage `json:"durable,omitempty"`
}

type stepMessage struct {
	From string          `json:"from"`
	Kind string          `json:"kind"`
	Args json.RawMessage `json:"args"`
}

// stepAnswer is what a node answers, in one line.
type stepAnswer struct {
	ID      int             `json:"id"`
	Again   bool            `json:"again"`
	Random  bool            `json:"random"`
	Send    []stepSend      `json:"send"`
	Facts   [][]any         `json:"facts"`
	Durable json.RawMessage `json:"durable"`
	Error   string          `json:"error"`
}

type stepSend struct {
	To   string            `json:"to"`
	Kind string            `json:"kind"`
	Args []json.RawMessage `json:"args"`
}

// stepPayload is a message of a node. In recordings it has the name of its kind.
type stepPayload struct{ kind, args string }

func (m stepPayload) Kind() string   { return m.kind }
func (m stepPayload) String() string { return m.args[1 : len(m.args)-1] }

// payload returns the message as it is sent.
func (m *stepSend) payload() stepPayload {
	args := bytes.NewBufferString("[")
	for i, arg := range m.Args {
		if i > 0 {
			args.WriteByte(',')
		}
		_ = json.Compact(args, arg) // which is valid, or it would not have been read
	}
	args.WriteByte(']')
	return stepPayload{m.Kind, args.String()}
}

// line returns a request as a line.
func (q *stepRequest) line() ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	err := e.Encode(q)
	return line.Bytes(), err
}

// readStep reads the answer to a request. An error says what is wrong with it.
func readStep(line []byte, q *stepRequest, nodes []string) (a stepAnswer, err error) {
	shown := fmt.Sprintf("%.200q", line)
	if !utf8.Valid(line) {
		return a, fmt.Errorf("its answer %s is not UTF-8", shown)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return a, fmt.Errorf("its answer %s cannot be read: %s", shown, strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return a, fmt.Errorf("its answer %s is more than one object", shown)
	}
	if a.ID != q.ID {
		return a, fmt.Errorf("its answer %s has the id %d, and that of the request is %d: each request has one answer, and nothing else goes to standard output", shown, a.ID, q.ID)
	}
	if a.Error != "" {
		return a, errors.New(tidy(a.Error))
	}
	if err := a.check(q.Do, nodes); err != nil {
		return a, fmt.Errorf("its answer %s is wrong: %w", shown, err)
	}
	return a, nil
}

// check reports what an answer cannot say. It makes whole numbers of the numbers in facts.
func (a *stepAnswer) check(do string, nodes []string) error {
	switch {
	case a.Send != nil && do != doSend:
		return errors.New(`"send" is for answers to send`)
	case (a.Again || a.Random) && do != doStart:
		return errors.New(`"again" and "random" are for answers to start`)
	}
	for _, m := range a.Send {
		switch {
		case !slices.Contains(nodes, m.To):
			return fmt.Errorf("it sends to %q, and the nodes are %q", m.To, nodes)
		case m.Kind == "":
			return fmt.Errorf(`it sends to %s what has no "kind"`, m.To)
		}
	}
	for _, f := range a.Facts {
		if err := checkStepFact(f); err != nil {
			return err
		}
	}
	return nil
}

func checkStepFact(f []any) error {
	relation := ""
	if len(f) > 0 {
		relation, _ = f[0].(string)
	}
	most, special := toldArgs[relation]
	switch {
	case relation == "":
		return errors.New(`a fact begins with its name, as in ["leader",2]`)
	case special && len(f) != 1+most:
		return fmt.Errorf("the fact %q has %d arguments", relation, most)
	case !special && slices.Contains(ours, relation):
		return fmt.Errorf("it reports the fact %q, which ldfi reports itself: give it another name", relation)
	}
	for i, arg := range f {
		switch arg := arg.(type) {
		case string:
		case json.Number:
			n, err := strconv.ParseInt(arg.String(), 10, 64)
			if err != nil {
				return fmt.Errorf("the fact %q has the argument %s, which is no whole number of 64 bits", relation, arg)
			}
			f[i] = n
		default:
			return fmt.Errorf("the fact %q has an argument that is neither a text nor a whole number", relation)
		}
	}
	return nil
}
