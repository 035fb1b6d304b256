package explore

import (
	"context"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Player presses keys on a screen that is not displayed. It waits for the effect of each
// key before the next.
type Player struct{ *screen }

// NewPlayer returns one with a screen of a size.
func NewPlayer(ctx context.Context, e *Exploration, o Options, width, height int) Player {
	p := Player{newScreen(ctx, e, o)}
	p.still = true
	p.settle(p.Init())
	p.Resize(width, height)
	return p
}

// Resize gives the screen another size.
func (p Player) Resize(width, height int) {
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
}

// Play presses keys and returns the last screen, as text without colours. Words in keys are
// the names of keys, such as "right" or "enter", and text to type.
func Play(ctx context.Context, e *Exploration, o Options, width, height int, keys string) (string, error) {
	p := NewPlayer(ctx, e, o, width, height)
	defer p.stop()
	for _, word := range strings.Fields(keys) {
		p.Press(word)
		if p.failure != nil || p.left {
			break
		}
	}
	return p.Screen(), p.failure
}

func (p Player) send(msg tea.Msg) {
	_, cmd := p.Update(msg)
	p.settle(cmd)
	p.lines() // as a terminal draws after each key
}

// settle carries out a command, and all that it leads to.
func (p Player) settle(cmd tea.Cmd) {
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

// Press presses a key, or types a word.
func (p Player) Press(word string) {
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

// Screen returns the screen, without colours and spaces at the ends of lines.
func (p Player) Screen() string {
	all := p.lines()
	for i, text := range all {
		all[i] = strings.TrimRight(ansi.Strip(text), " ")
	}
	return strings.TrimRight(strings.Join(all, "\n"), "\n") + "\n"
}
