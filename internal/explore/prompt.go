package explore

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// prompt is a line in which something is typed.
type prompt struct {
	input textinput.Model
	done  func(string) tea.Cmd // on enter
	typed func(string)         // called after each key; nil: nothing is called
}

// ask begins to type, with a text to change.
func (s *screen) ask(label, text string, done func(string) tea.Cmd, typed func(string)) {
	input := textinput.New()
	input.Prompt = label + " "
	input.SetVirtualCursor(false)
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	s.prompt = &prompt{input, done, typed}
}

// typing handles a key while the user types.
func (s *screen) typing(msg tea.KeyPressMsg) tea.Cmd {
	p := s.prompt
	switch msg.String() {
	case "esc", "ctrl+c":
		s.prompt = nil
		return nil
	case "enter":
		s.prompt = nil
		if p.done == nil {
			return nil
		}
		return p.done(p.input.Value())
	}
	p.input, _ = p.input.Update(msg)
	if p.typed != nil {
		p.typed(p.input.Value())
	}
	return nil
}
