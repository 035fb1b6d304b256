package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/text"
)

// recordVersion is the version of the JSON forms of an execution.
const recordVersion = 1

// recordJSON is the JSON form of an execution.
type recordJSON struct {
	Version int `json:"version"` // of this form
	fields
}

// fields are those of an execution, without its methods.
type fields Execution

// MarshalJSON writes the execution as JSON:
//
//	{
//	  "version": 1,
//	  "bounds": {"processes":["a","b"],"eot":3,"crashes":1,"omissions":"unlimited","isolations":0,"period":1,"crash":"mute"},
//	  "schedule": "crash a@2; omit a>b@1",
//	  "facts": [
//	    {"relation":"log","args":["a",7],"round":1}
//	  ],
//	  "messages": [
//	    {"from":"a","to":"b","round":1,"relation":"log","args":["b",7],"lost":"omit a>b@1"}
//	  ]
//	}
//
// The args of a fact are integers and strings, or {"bytes": base64} for a string that
// is not valid UTF-8. A message without "from" has no sender, and a message without
// "lost" arrives. The bounds have "eff" if there is one.
func (e *Execution) MarshalJSON() ([]byte, error) {
	all := fields(*e)
	if all.Facts == nil { // a list is never null
		all.Facts = []Fact{}
	}
	if all.Messages == nil {
		all.Messages = []Message{}
	}
	return text.MarshalJSON(recordJSON{recordVersion, all})
}

// UnmarshalJSON reads an execution that is a part of another JSON text. The version may
// be missing, because that text has its own. Unlike ReadExecution, UnmarshalJSON does
// not validate the execution.
func (e *Execution) UnmarshalJSON(data []byte) error {
	in := recordJSON{Version: recordVersion}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("an execution: %w", err)
	}
	if err := checkVersion(in.Version); err != nil {
		return fmt.Errorf("an execution: %w", err)
	}
	*e = Execution(in.fields)
	return nil
}

// checkVersion reports a version of a form that cannot be read.
func checkVersion(version int) error {
	if version != recordVersion {
		return fmt.Errorf("its version is %d, and only version %d can be read", version, recordVersion)
	}
	return nil
}

// ReadExecution reads an execution as MarshalJSON writes it and validates it.
func ReadExecution(r io.Reader) (*Execution, error) {
	e, err := readRecord(r)
	return checked(e, err)
}

// checked returns what was read, once it is checked and in order.
func checked(e *Execution, err error) (*Execution, error) {
	if err == nil {
		err = e.Validate()
	}
	if err != nil {
		return nil, fmt.Errorf("reading an execution: %w", err)
	}
	e.Sort()
	return e, nil
}

func readRecord(r io.Reader) (*Execution, error) {
	data, err := files.ReadAll(r, "a recording", files.Recording)
	if err != nil {
		return nil, err
	}
	var in recordJSON
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return nil, placed(err, data)
	}
	if rest := bytes.TrimSpace(data[dec.InputOffset():]); len(rest) > 0 {
		return nil, lineError(data[:len(data)-len(rest)], errors.New("there is something behind its end"))
	}
	if err := checkVersion(in.Version); err != nil {
		return nil, err
	}
	in.Schedule, in.Unreached = in.Schedule.Normal(), in.Unreached.Normal()
	return (*Execution)(&in.fields), nil
}

// placed returns an error of the decoder in plain words, with its line if it is
// known.
func placed(err error, data []byte) error {
	offset := int64(-1)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the text ends too early")
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	err = errors.New(strings.TrimPrefix(err.Error(), "json: "))
	if offset < 0 || offset > int64(len(data)) {
		return err
	}
	return lineError(data[:offset], err)
}

// LineError reports a line of a recording that cannot be read.
type LineError struct {
	Line int // from 1
	Err  error
}

// Error returns the number of the line and the message of Err.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns Err.
func (e *LineError) Unwrap() error { return e.Err }

// lineError returns an error behind some text.
func lineError(before []byte, err error) error {
	return &LineError{1 + bytes.Count(before, []byte("\n")), err}
}
