package explore

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/lineage-driven/ldfi/rounds"
)

// binding assigns an action to some keys.
type binding struct {
	keys []string
	help string
	do   func(*screen) tea.Cmd
}

// part is keys for one purpose.
type part struct {
	name string
	keys []binding
}

// parts are all keys, in the order in which they are learned.
var parts = []part{
	{"faults", []binding{
		{[]string{"up", "down", "left", "right"}, "move the cursor in the grid", nil},
		{[]string{"space"}, "the next kind of fault that is possible here, and at last none", onGrid(func(s *screen) tea.Cmd { return s.cycle() })},
		{[]string{"c"}, "this process crashes in this round, or does not", toggle(rounds.Crash)},
		{[]string{"i"}, "it is isolated from here to the end of the phase, or is not", toggle(rounds.Isolate)},
		{[]string{"r"}, "it restarts after its crash, or does not", toggle(rounds.Restart)},
		{[]string{"p"}, "it pauses (systems only), or does not", toggle(rounds.Pause)},
		{[]string{"l"}, "the links, then partitions and choices if the bounds have some, and back", onGrid(func(s *screen) tea.Cmd { s.grid.turn(); return nil })},
		{[]string{"o"}, "what is sent on this link in this round is lost, or is not", toggle(rounds.Omit)},
		{[]string{"x"}, "this link is cut to the end of the phase, or is not", toggle(rounds.Cut)},
		{[]string{"d"}, "what is sent on this link comes a round later, or later still, or does not", toggle(rounds.Delay)},
		{[]string{"D"}, "it comes once more a round later, or later still, or does not", toggle(rounds.Duplicate)},
		{[]string{"."}, "go to the next fault of the schedule", onGrid(func(s *screen) tea.Cmd { s.grid.toFault(1); return nil })},
		{[]string{"0"}, "take all faults away", func(s *screen) tea.Cmd { return s.change(s.explore.Clear()) }},
		{[]string{"e"}, "type the schedule, with faults of any kind: orders of messages have no cell", func(s *screen) tea.Cmd { return s.edit() }},
		{[]string{"u"}, "undo", func(s *screen) tea.Cmd { return s.stepped(s.explore.Undo(), "there is nothing to undo") }},
		{[]string{"U", "ctrl+r"}, "redo", func(s *screen) tea.Cmd { return s.stepped(s.explore.Redo(), "there is nothing to redo") }},
	}},
	{"fault sets that break the promise", []binding{
		{[]string{"n", "N"}, "the next one, and the one before; the first n asks for them", nil},
		{[]string{"2"}, "the list: up and down choose, enter tries one, or unfolds those like it", func(s *screen) tea.Cmd { s.pane.show(setsView); return nil }},
		{[]string{"f"}, "group sets that are alike in another way, or not at all", func(s *screen) tea.Cmd { return s.refold() }},
		{[]string{"m"}, "lock: what is here must happen (a fact of the list: must hold)", func(s *screen) tea.Cmd { return s.lock(true) }},
		{[]string{"M"}, "lock: nothing may happen here (a fact of the list: must not hold)", func(s *screen) tea.Cmd { return s.lock(false) }},
		{[]string{"k"}, "type a lock, or take one away: crash *, not omit *>c, post(c, _)", func(s *screen) tea.Cmd { return s.typeLock() }},
		{[]string{"a"}, "ask again, under the locks", func(s *screen) tea.Cmd { return s.askSets() }},
	}},
	{"questions", []binding{
		{[]string{"3"}, "the facts: up and down choose, left and right the round", func(s *screen) tea.Cmd { s.pane.show(factsView); return nil }},
		{[]string{"/"}, "only facts with what is typed; or any fact: leader(b, _)@4", func(s *screen) tea.Cmd { return s.sift() }},
		{[]string{"w"}, "why the promise is broken; in the list, why the fact holds or not", func(s *screen) tea.Cmd { return s.askWhy() }},
		{[]string{"t"}, "the fewest faults that change the fact, or the faults to undo if they have changed it; enter tries one", func(s *screen) tea.Cmd { return s.askWhatIf() }},
		{[]string{"b"}, "type facts that a round should have: what they break of the proof for any number of rounds", func(s *screen) tea.Cmd { return s.askBreach() }},
		{[]string{"v"}, "how this differs from the run without faults", func(s *screen) tea.Cmd { return s.askDifference() }},
		{[]string{"P"}, "what is promised: its rules, and where they stand", func(s *screen) tea.Cmd { s.pane.say("what is promised", each(s.explore.Promise())); return nil }},
		{[]string{"R"}, "what could be added to the protocol so that it keeps its promise", func(s *screen) tea.Cmd { return s.askRepairs() }},
		{[]string{"4"}, "the last answer", func(s *screen) tea.Cmd { s.pane.show(answerView); return nil }},
		{[]string{"esc"}, "give up what is being asked; else back to grid and diagram", nil},
	}},
	{"and", []binding{
		{[]string{"1"}, "the diagram", func(s *screen) tea.Cmd { s.pane.show(diagramView); return nil }},
		{[]string{"tab"}, "the arrows move in the list, or in the grid", func(s *screen) tea.Cmd { return s.refocus() }},
		{[]string{"pgup", "pgdown", "<", ">"}, "scroll the lower part", nil},
		{[]string{"z"}, "the lower part on the whole screen, where arrows scroll it, and back", func(s *screen) tea.Cmd { s.zoomed = !s.zoomed; return nil }},
		{[]string{"s"}, "save the schedule and the locks into a file", func(s *screen) tea.Cmd { return s.save() }},
		{[]string{"S"}, "save what the lower part shows into a file, as text", func(s *screen) tea.Cmd { return s.saveText() }},
		{[]string{"L"}, "load such a file, or one that a search has kept", func(s *screen) tea.Cmd { return s.load() }},
		{[]string{"y"}, "show the command that executes it again, and copy it", func(s *screen) tea.Cmd { return s.replay() }},
		{[]string{"?"}, "this help", func(s *screen) tea.Cmd { s.help, s.pane.top = true, 0; return nil }},
		{[]string{"q", "ctrl+c"}, "leave", func(s *screen) tea.Cmd { s.left = true; return tea.Quit }},
	}},
}

// onGrid is for keys that mean the cell under the cursor.
func onGrid(do func(*screen) tea.Cmd) func(*screen) tea.Cmd {
	return func(s *screen) tea.Cmd {
		s.pane.focused, s.zoomed = false, false
		return do(s)
	}
}

// toggle puts a fault of a kind into the cell under the cursor, or takes it away.
func toggle(k rounds.Kind) func(*screen) tea.Cmd {
	return onGrid(func(s *screen) tea.Cmd {
		if l := LayerOf(k); l != s.grid.layer {
			s.remark = fmt.Sprintf("this is a fault of %s: here they are, choose one and press the key again", l)
			if !s.grid.show(l) {
				s.remark = fmt.Sprintf("this is a fault of %s, and there are none", l)
			}
			return nil
		}
		return s.change(s.explore.Toggle(k, s.grid.cell()))
	})
}

// cycle puts the next fault into the cell under the cursor, and says if the bounds have
// none of its kind.
func (s *screen) cycle() tea.Cmd {
	within := s.explore.Within()
	cmd := s.change(s.explore.Cycle(s.grid.cell()))
	if within && s.remark == "" && !s.explore.Within() {
		s.remark = "this is outside the bounds: it is executed, but n never finds it; space goes on"
	}
	return cmd
}

// change updates the screen after a change of the schedule, or refuses if err says that it
// was impossible.
func (s *screen) change(err error) tea.Cmd {
	if err != nil {
		s.refuse(err)
		return nil
	}
	return s.changed()
}

// refuse shows an error: in the last line or, if it is too long for that, as an answer.
func (s *screen) refuse(err error) {
	s.remark = err.Error()
	if ansi.StringWidth(s.note()) <= s.width {
		return
	}
	var lines []string
	for text := range strings.Lines(s.remark) {
		lines = append(lines, line(strings.TrimRight(text, "\r\n")))
	}
	s.pane.say("this cannot be done", lines)
}

func (s *screen) stepped(done bool, otherwise string) tea.Cmd {
	if !done {
		s.remark = otherwise
		return nil
	}
	return s.changed()
}

// pressed takes one key.
func (s *screen) pressed(msg tea.KeyPressMsg) tea.Cmd {
	s.remark = ""
	key := msg.String()
	switch {
	case s.prompt != nil:
		return s.typing(msg)
	case s.help && key == "pgdown", s.help && key == "down":
		s.pane.top += max(s.height-4, 1)
		return nil
	case s.help && key != "ctrl+c":
		s.help, s.pane.top = false, 0
		return nil
	}
	if cmd, ok := s.moved(key); ok {
		return cmd
	}
	for _, p := range parts {
		for _, b := range p.keys {
			if b.do != nil && slices.Contains(b.keys, key) {
				return b.do(s)
			}
		}
	}
	s.remark = fmt.Sprintf("%s does nothing: ? shows the keys", line(key))
	return nil
}

// refocus moves the focus of the arrows to the list, or to the grid.
func (s *screen) refocus() tea.Cmd {
	switch {
	case !s.pane.hasList():
		s.remark = "there is no list below to go to: 2 shows the fault sets, 3 the facts"
	case s.pane.focused:
		s.pane.focused, s.remark = false, "the arrows move in the grid"
	default:
		s.pane.focused, s.remark = true, "the arrows move in the list"
	}
	return nil
}

// moved handles keys that move something, and tells whether key is one of them.
func (s *screen) moved(key string) (tea.Cmd, bool) {
	down, right := 0, 0
	switch key {
	case "up":
		down = -1
	case "down":
		down = 1
	case "left":
		right = -1
	case "right":
		right = 1
	case "pgup":
		s.pane.page(-1)
		return nil, true
	case "pgdown":
		s.pane.page(1)
		return nil, true
	case "<":
		s.pane.scroll(0, -8)
		return nil, true
	case ">":
		s.pane.scroll(0, 8)
		return nil, true
	case "n":
		return s.step(1), true
	case "N":
		return s.step(-1), true
	case "enter":
		return s.enter(), true
	case "esc":
		return s.back(), true
	default:
		return nil, false
	}
	switch {
	case s.pane.focused:
		s.pane.move(down, right)
	case s.zoomed:
		s.pane.scroll(down, right)
	default:
		s.grid.move(down, right)
	}
	return nil, true
}

// enter does the main action of a list.
func (s *screen) enter() tea.Cmd {
	switch {
	case s.pane.focused && s.pane.view == setsView:
		return s.enterSet()
	case s.pane.focused && s.pane.view == factsView:
		return s.askWhy()
	case s.pane.view == answerView:
		return s.take()
	}
	return nil
}

// back cancels the question, or goes back to the initial view.
func (s *screen) back() tea.Cmd {
	if s.cancel() {
		s.remark = "given up: nothing is known"
		return nil
	}
	s.pane.show(diagramView)
	s.zoomed = false
	return nil
}

// lock locks the cell under the cursor, or the fact that is picked.
func (s *screen) lock(must bool) tea.Cmd {
	if s.pane.focused && s.pane.view == factsView {
		fact, round, ok := s.pane.picked()
		if !ok {
			return nil
		}
		return s.locked(s.explore.Lock(Lock{Text: fact.In(round), Must: must}))
	}
	return s.locked(s.explore.LockCell(s.grid.cell(), must))
}

func (s *screen) locked(err error) tea.Cmd {
	s.remark = "a asks again under the locks"
	if err != nil {
		s.refuse(err)
	} else if len(s.explore.Locks()) == 0 {
		s.remark = "no locks are left"
	}
	return nil
}

func (s *screen) typeLock() tea.Cmd {
	s.ask("lock (not … for must not):", "", func(text string) tea.Cmd {
		text = strings.TrimSpace(text)
		if text == "" {
			return nil
		}
		pattern, not := strings.CutPrefix(text, "not ")
		return s.locked(s.explore.Lock(Lock{Text: strings.TrimSpace(pattern), Must: !not}))
	}, nil)
	return nil
}

func (s *screen) edit() tea.Cmd {
	s.ask("faults:", s.explore.Schedule().String(), func(text string) tea.Cmd { return s.change(s.explore.SetText(text)) }, nil)
	return nil
}

func (s *screen) sift() tea.Cmd {
	s.pane.show(factsView)
	s.ask("facts with:", s.pane.facts.filter, nil, func(text string) {
		s.pane.facts.filter = text
		s.pane.sift()
	})
	return nil
}

func (s *screen) save() tea.Cmd {
	s.ask("save into the file:", "", func(name string) tea.Cmd {
		return s.did("saved into "+name, s.explore.Save(name))
	}, nil)
	return nil
}

// saveText saves the verdict, the faults and the whole lower part as text.
func (s *screen) saveText() tea.Cmd {
	text := s.whole()
	s.ask("save this text into the file:", "", func(name string) tea.Cmd {
		return s.did("saved into "+name, s.explore.SaveText(name, text))
	}, nil)
	return nil
}

func (s *screen) load() tea.Cmd {
	s.ask("load the file:", "", func(name string) tea.Cmd {
		err := s.explore.Load(name)
		if err != nil {
			return s.did("", err)
		}
		return s.changed()
	}, nil)
	return nil
}

// did shows that an action was done, or its error.
func (s *screen) did(what string, err error) tea.Cmd {
	s.remark = what
	if err != nil {
		s.refuse(err)
	}
	return nil
}

// replay shows the command that executes the schedule, and copies it.
func (s *screen) replay() tea.Cmd {
	command := s.options.Replay(s.explore.Schedule())
	s.pane.say("to execute it again (copied, if this terminal lets programs do that)", []string{line(command)})
	return tea.SetClipboard(command)
}

// askWhy asks about the selected fact, or else about a broken one.
func (s *screen) askWhy() tea.Cmd {
	if s.pane.focused && s.pane.view == factsView {
		fact, round, ok := s.pane.picked()
		if !ok {
			return nil
		}
		return s.why(fact.In(round))
	}
	in := s.shown()
	if in == nil || len(in.Violations) == 0 {
		s.pane.show(factsView)
		s.remark = "nothing is broken: choose a fact, and w says why it holds, or why not"
		return nil
	}
	fact, ok := s.explore.Broken(in.Violations[0])
	if !ok {
		return s.whyBroken(in)
	}
	return s.why(fact)
}

func (s *screen) askWhatIf() tea.Cmd {
	fact, round, ok := s.pane.picked()
	if !s.pane.focused || s.pane.view != factsView || !ok {
		s.pane.show(factsView)
		s.remark = "choose a fact: t says which faults change it, or which to undo if they have"
		return nil
	}
	return s.whatIf(fact.In(round))
}

// askDifference asks for the differences of the schedule from the one without faults.
func (s *screen) askDifference() tea.Cmd {
	schedule := s.explore.Schedule()
	if schedule.Size() == 0 {
		s.remark = "there are no faults: this is the run without them"
		return nil
	}
	return s.put("comparing with the run without faults", s.comparing(schedule, "how it differs from the run without faults"+under(schedule.String())))
}

// helpLines describe the keys.
func (s *screen) helpLines() []string {
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
		for _, b := range p.keys {
			for i, text := range wrapped([]string{b.help}, max(s.width-18, 20)) {
				keys := ""
				if i == 0 {
					keys = strings.Join(b.keys, " ")
				}
				if len(keys) > 14 {
					all = append(all, "  "+keys)
					keys = ""
				}
				all = append(all, "  "+pad(keys, 15)+text)
			}
		}
	}
	return append(all, "", "Asked within: "+s.scope(), "", "Signs in the grid: C crash  I isolated  R restart  P pause  O omission  X cut  D delay  2 duplicate  | parted  + chosen  F fast clock  S slow clock  J jump  Y failed sync  = order  - down, or lost anyway  ! must  ~ must not")
}

func (s *screen) seenHelp() []string {
	text := wrapped(s.helpLines(), s.width)
	s.pane.top = max(min(s.pane.top, len(text)-s.height+1), 0)
	return text[s.pane.top:]
}
