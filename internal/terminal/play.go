package terminal

import (
	"context"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/lineage-driven/ldfi/internal/explore"
)

// Play presses keys on a screen of a size that nobody sees, each after what the one
// before led to has ended, and returns the last screen as text without colours. Keys are
// words: the names of keys, as in "right" or "enter", and what is typed.
func Play(ctx context.Context, e *explore.Exploration, o Options, width, height int, keys string) (string, error) {
	s := newScreen(ctx, e, o)
	defer s.stop()
	s.still = true
	p := player{s}
	p.settle(s.Init())
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	for _, word := range strings.Fields(keys) {
		p.press(word)
		if s.failure != nil || s.left {
			break
		}
	}
	return ansi.Strip(p.text()), s.failure
}

// player is who presses the keys.
type player struct{ *screen }

func (p player) send(msg tea.Msg) {
	_, cmd := p.Update(msg)
	p.settle(cmd)
}

// settle carries out a command, and all that it leads to.
func (p player) settle(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			p.settle(c)
		}
	case executed, prepared, answered:
		p.send(msg)
	}
}

func (p player) press(word string) {
	if key, ok := named(word); ok {
		p.send(key)
		return
	}
	for _, r := range word {
		p.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// codes are the keys that have names.
var codes = map[string]rune{
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab,
	"space": tea.KeySpace, "backspace": tea.KeyBackspace, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
}

// named returns the key that a word names.
func named(word string) (tea.KeyPressMsg, bool) {
	if name, ok := strings.CutPrefix(word, "ctrl+"); ok && utf8.RuneCountInString(name) == 1 {
		r, _ := utf8.DecodeRuneInString(name)
		return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl}, true
	}
	code, ok := codes[word]
	text := ""
	if word == "space" {
		text = " "
	}
	return tea.KeyPressMsg{Code: code, Text: text}, ok
}

// text is what is on the screen, without spaces at the ends of its lines.
func (p player) text() string {
	all := p.lines()
	for i, text := range all {
		all[i] = strings.TrimRight(text, " ")
	}
	return strings.TrimRight(strings.Join(all, "\n"), "\n") + "\n"
}
