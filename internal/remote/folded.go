package remote

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// A folding passes text on line by line. Lines that repeat those before them, one by one or
// several in turn, are counted instead, and their number is written.
type folding struct {
	to     io.Writer
	part   []byte   // of a line that is not whole yet
	long   bool     // the line is too long to be kept, and is passed on as it comes
	before []string // the last lines that were passed on
	turn   int      // the number of lines that are repeated; 0: none
	times  int      // how often they were there
	held   []string // lines of the next time
}

// How many lines may repeat in turn, and how long a line is that is compared.
const (
	mostInTurn = 8
	longestRow = 4 << 10
)

func (f *folding) Write(p []byte) (int, error) {
	for left := p; len(left) > 0; {
		end := bytes.IndexByte(left, '\n') + 1
		text := left
		if end > 0 {
			text = left[:end]
		}
		left = left[len(text):]
		f.part = append(f.part, text...)
		if len(f.part) > longestRow || f.long {
			f.release()
			f.long, f.before = true, nil
			f.say(f.take())
		}
		if end == 0 {
			break
		}
		if !f.long {
			f.line(f.take())
		}
		f.long = false
	}
	return len(p), nil
}

// take returns the beginning of the line so far, and removes it.
func (f *folding) take() string {
	text := string(f.part)
	f.part = f.part[:0]
	return text
}

// line takes a line.
func (f *folding) line(text string) {
	if f.turn > 0 && f.before[len(f.before)-f.turn+len(f.held)] != text {
		f.release()
	}
	if f.turn == 0 {
		if f.turn = slices.Index(backwards(f.before), text) + 1; f.turn == 0 {
			f.pass(text)
			return
		}
		f.times = 1
	}
	if f.held = append(f.held, text); len(f.held) == f.turn {
		f.times, f.held = f.times+1, nil
	}
}

func backwards(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Reverse(lines)
	return lines
}

// release ends a repetition: it writes the count, and the lines of an incomplete
// repetition.
func (f *folding) release() {
	turn, times, held := f.turn, f.times, f.held
	f.turn, f.times, f.held = 0, 0, nil
	switch {
	case times == 2: // which is as short
		for _, text := range slices.Clone(f.before[len(f.before)-turn:]) {
			f.pass(text)
		}
	case times > 2 && turn == 1:
		f.note(fmt.Sprintf("… %d times\n", times))
	case times > 2:
		f.note(fmt.Sprintf("… these %d lines %d times\n", turn, times))
	}
	for _, text := range held {
		f.pass(text)
	}
}

// pass passes a line on.
func (f *folding) pass(text string) {
	if f.before = append(f.before, text); len(f.before) > mostInTurn {
		f.before = f.before[1:]
	}
	f.say(text)
}

// note writes how often a line was repeated. Later lines are not compared with the lines
// before it.
func (f *folding) note(text string) {
	f.before = nil
	f.say(text)
}

func (f *folding) say(text string) { _, _ = io.WriteString(f.to, text) }

// end passes on the rest.
func (f *folding) end() {
	f.release()
	f.say(f.take())
}
