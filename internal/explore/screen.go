package explore

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// screen is the screen of an exploration.
type screen struct {
	explore *Exploration
	options Options

	width, height int
	grid          grid
	pane          pane
	help          bool
	zoomed        bool   // the lower part has the whole screen
	remark        string // the result of the last key, if it is not visible anyway

	ctx     context.Context
	end     context.CancelFunc
	trying  context.CancelFunc // ends the running execution
	serial  int                // of the current schedule
	look    *result.Injection  // by the circuit; nil: not known yet
	ran     *result.Injection  // the last execution
	current bool               // which is that of the current schedule
	doubted bool               // and is executed once more

	proof     Invariant // for any number of rounds; nil: it was not asked for
	certified bool      // a search has found that no schedule within the bounds breaks the promise

	failure error // a bug of ldfi, which ends everything
	blind   error // why the circuit does not know the current schedule
	trouble error // why the current schedule was not executed
	left    bool  // the user is gone
	still   bool  // nothing is animated: the screen is not displayed

	prompt    *prompt   // nil: nothing is being typed
	question  *question // nil: no question is being asked
	questions int       // the number asked so far
}

func newScreen(ctx context.Context, e *Exploration, o Options) *screen {
	s := &screen{explore: e, options: o, width: 80, height: 24, trying: func() {}}
	s.ctx, s.end = context.WithCancel(ctx)
	s.grid.screen, s.pane.screen = s, s
	s.pane.sets.tried = -1
	return s
}

func (s *screen) stop() { s.end() }

// Init begins with the run without faults.
func (s *screen) Init() tea.Cmd { return s.changed() }

// executed is the end of an execution.
type executed struct {
	serial int
	in     *result.Injection
	err    error
	ctx    context.Context // ends when no more results are wanted
}

// prepared is the end of an evaluation.
type prepared struct {
	serial int
	err    error
}

// changed looks at the schedule that is the current one now.
func (s *screen) changed() tea.Cmd {
	s.trying()
	s.serial++
	s.current, s.trouble, s.blind, s.look = false, nil, nil, s.explore.Look()
	ctx, cancel := context.WithCancel(s.ctx)
	s.trying = cancel
	serial, schedule := s.serial, s.explore.Schedule()
	s.pane.refresh()
	execute := func() tea.Msg {
		in, err := s.explore.Execute(ctx, schedule)
		return executed{serial, in, err, ctx}
	}
	if s.look != nil {
		return execute
	}
	return tea.Batch(execute, func() tea.Msg { return prepared{serial, s.explore.Prepare(s.ctx, schedule)} })
}

// Update takes one message.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
		s.pane.refresh()
	case tea.KeyPressMsg:
		return s, s.pressed(msg)
	case tea.PasteMsg:
		return s, s.pasted(msg.Content)
	case answered:
		return s, s.answered(msg)
	case tick:
		if s.question != nil {
			return s, s.tick()
		}
	case executed:
		return s, s.executed(msg)
	case prepared:
		return s, s.prepared(msg)
	}
	return s, nil
}

func (s *screen) executed(m executed) tea.Cmd {
	if m.serial != s.serial {
		return nil
	}
	if s.trouble = m.err; m.err != nil {
		s.current = false
		return nil
	}
	s.ran, s.current = m.in, true
	s.doubted = !s.explore.Confirmed(m.in)
	if cmd := s.agree(); cmd != nil || !s.doubted {
		return cmd
	}
	return func() tea.Msg {
		in, err := s.explore.Confirm(m.ctx, m.in)
		return executed{m.serial, in, err, m.ctx}
	}
}

func (s *screen) prepared(m prepared) tea.Cmd {
	if m.serial != s.serial {
		return nil
	}
	s.blind = m.err
	s.look = s.explore.Look()
	return s.agree()
}

// agree compares circuit and execution, and shows the result.
func (s *screen) agree() tea.Cmd {
	s.pane.refresh()
	if !s.current {
		return nil
	}
	if s.failure = Disagreement(s.look, s.ran); s.failure != nil {
		return tea.Quit
	}
	return nil
}

// shown returns the result of the current schedule: by the circuit, or by its execution;
// nil if it is not known.
func (s *screen) shown() *result.Injection {
	if s.look != nil || !s.current {
		return s.look
	}
	return s.ran
}

// View draws everything.
func (s *screen) View() tea.View {
	v := tea.NewView(strings.Join(s.lines(), "\n"))
	if s.prompt != nil {
		if cursor := s.prompt.input.Cursor(); cursor != nil {
			cursor.Y = max(s.height-1, 0)
			v.Cursor = cursor
		}
	}
	v.AltScreen = true
	v.WindowTitle = "ldfi explore"
	return v
}

// lines returns the lines of the screen, exactly as many as it has, and none wider.
func (s *screen) lines() []string {
	var all []string
	if s.help {
		all = s.seenHelp()
	} else {
		if all = s.header(); s.zoomed {
			all = all[:min(len(all), max(s.height/2, 1))]
		} else {
			all = append(all, s.grid.lines(s.height-len(all)-1)...)
		}
		all = all[:max(min(len(all), s.height-2), 0)]
		all = append(all, s.pane.lines(max(s.height-len(all)-1, 1))...)
	}
	for len(all) < s.height-1 {
		all = append(all, "")
	}
	all = append(all[:max(s.height-1, 0)], s.footer())
	for i, line := range all {
		all[i] = clipped(line, s.width)
	}
	return all
}

// whole is the verdict with the faults and all of the lower part, without colours.
func (s *screen) whole() string {
	p := s.pane // a copy, which scrolls for itself
	p.top, p.left, p.unfolded = 0, 0, true
	var text strings.Builder
	for _, line := range append(append(s.header(), ""), p.body(mostLines)...) {
		text.WriteString(strings.TrimRight(ansi.Strip(line), " ") + "\n")
	}
	return text.String()
}

// mostLines is more than anything has that is shown.
const mostLines = 1 << 20

// each are foreign texts in lines.
func each(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, line(text))
	}
	return all
}

// clipped is a line of at most a width, however a terminal counts: they differ in marks
// that combine.
func clipped(s string, width int) string {
	cut := ansi.Truncate(s, width, "…")
	for most := width - 1; most > 0 && max(ansi.StringWidth(cut), text.Width(ansi.Strip(cut))) > width; most-- {
		cut = ansi.Truncate(s, most, "…")
	}
	return cut
}

// line is foreign text in a line.
func line(s string) string { return text.Safe(s) }

func pad(s string, width int) string { return text.Pad(s, width) }

// Options set the subject of an exploration, and its display.
type Options struct {
	Title  string                       // the files, or the command of the system
	Replay func(rounds.Schedule) string // the command that executes a schedule
	Size   int                          // the most faults of the sets that are listed; 0: any number
	Style  diagram.Style                // of diagrams
}

// Run explores on a terminal until the user leaves, or the context ends.
func Run(ctx context.Context, e *Exploration, o Options, program ...tea.ProgramOption) error {
	s := newScreen(ctx, e, o)
	defer s.stop()
	_, err := tea.NewProgram(s, append(program, tea.WithContext(ctx), tea.WithoutSignalHandler())...).Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, s.failure)
}
