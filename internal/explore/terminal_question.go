package explore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
)

// question is a question that is being asked in the background.
type question struct {
	what   string
	number int
	since  time.Time
	cancel context.CancelFunc
}

// answered is the end of a question.
type answered struct {
	number int
	err    error
	show   func() tea.Cmd // shows the answer; nil with an error
}

// tick animates the line that shows the question.
type tick struct{}

// put asks a question that may take its time. The one before it is given up.
func (s *screen) put(what string, ask func(context.Context) (show func() tea.Cmd, err error)) tea.Cmd {
	s.cancel()
	ctx, cancel := context.WithCancel(s.ctx)
	s.questions++
	number := s.questions
	s.question = &question{what, number, time.Now(), cancel}
	answer := func() tea.Msg {
		show, err := ask(ctx)
		return answered{number, err, show}
	}
	if s.still {
		return answer
	}
	return tea.Batch(answer, s.tick())
}

// cancel cancels the question, and tells whether there was one.
func (s *screen) cancel() bool {
	if s.question == nil {
		return false
	}
	s.question.cancel()
	s.question = nil
	return true
}

func (s *screen) answered(m answered) tea.Cmd {
	if s.question == nil || s.question.number != m.number {
		return nil
	}
	s.cancel()
	if m.err != nil {
		if !errors.Is(m.err, context.Canceled) {
			s.refuse(m.err)
		}
		return nil
	}
	return m.show()
}

// tick comes again as long as something is waited for.
func (s *screen) tick() tea.Cmd {
	return tea.Tick(spinner.Line.FPS, func(time.Time) tea.Msg { return tick{} })
}

// waiting describes the question.
func (s *screen) waiting() string {
	passed := time.Since(s.question.since)
	sign := spinner.Line.Frames[int(passed/spinner.Line.FPS)%len(spinner.Line.Frames)]
	return fmt.Sprintf("%s %s, %.1f s   esc gives it up", sign, s.question.what, passed.Seconds())
}
