package system

import (
	"fmt"
	"strings"
)

// Error reports an error of a process, or something that it did and must not do.
type Error struct {
	System  string
	Process string
	Round   int    // 0: before the first round
	Call    string // the method that was running
	Err     error
}

func (e *Error) Error() string {
	when := fmt.Sprintf("round %d", e.Round)
	if e.Round == 0 {
		when = "before the first round"
	}
	return fmt.Sprintf("system %q: process %s, %s, in %s: %v", e.System, e.Process, when, e.Call, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// PanicError is a panic of the code of a process.
type PanicError struct {
	Value any      // the value of the panic
	Text  string   // the Value as a text that is the same in every execution
	Stack []string // the functions of the process on the stack, the innermost first, each with its file (with the last directory only) and line

	Exit  bool // the process ended its program, rather than panicked
	Hangs bool // the process did not come to rest, and was ended
	Alone bool // only this process ended, and the others went on: see Step.Died
}

func (e *PanicError) Error() string {
	what := "panic"
	if e.Exit {
		what = "exit"
	}
	if len(e.Stack) == 0 {
		return what + ": " + e.Text
	}
	return fmt.Sprintf("%s at %s: %s", what, e.Stack[0][strings.LastIndexByte(e.Stack[0], ' ')+1:], e.Text)
}

// Unwrap returns Value if it is an error, and nil otherwise.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// The calls of a process.
const (
	callNew         = "New"
	callRestart     = "Restart"
	callTick        = "Tick"
	callSend        = "Send"
	callReceive     = "Receive"
	callFingerprint = "Fingerprint"
	callSnapshot    = "Snapshot"
	callRestore     = "Restore"
	callPoints      = "CrashPoints"
	callCrash       = "Crash"
	callClose       = "Close"
	callMachine     = "Machine"
	callText        = "the text of a payload"
)

// call runs code of the process, and returns what went wrong in it, or errCrashed
// if it has come to the point where it crashes.
func (p *participant) call(name string, code func()) error {
	p.step.call = name
	p.step.err = nil
	p.step.runner.calling(p)
	if err := p.guard(code); err != nil {
		return err
	}
	if p.step.err != nil {
		return p.wrong(name, p.step.err)
	}
	return nil
}

// guard runs code and turns a panic into an error.
func (p *participant) guard(code func()) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = p.stopped(value)
		}
	}()
	code()
	return nil
}

// wrong returns an error of the process.
func (p *participant) wrong(call string, err error) error {
	r := p.step.runner
	return &Error{r.system.Name, p.name, r.round, call, err}
}
