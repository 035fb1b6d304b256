package report

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Finding is what the maintainers of a server, or of another system, are told about an
// execution in which it breaks a promise, in the form of an issue.
type Finding struct {
	Execution *recording.Execution
	Broken    []result.Violation // none: that is not known
	Because   []string
	Scope     string // what was searched; "": that is not known
	Programs  []Field
	Ldfi      string // its version
	Tick      string // how long a round is by the clocks of nodes; "": that is not known
	Replay    string // the command; "": it is not known
	Requests  []string
	Attached  []Attached
}

// Attached is a file that a finding needs.
type Attached struct {
	Name     string
	Language string
	Lines    []string
	Left     string // why its lines are not here; "" if they are
}

// The most that a finding shows.
const (
	beforeFaults   = 8   // events before the first fault
	mostEvents     = 100 // events in all
	mostViolations = 3   // of one property
	mostAlike      = 2   // events that are alike, and the last of them
	longestEvent   = 200 // bytes of one
)

// Title says what is broken, in one line.
func (f *Finding) Title() string {
	if len(f.Broken) == 0 {
		return f.Execution.System + " under " + cmp.Or(f.Execution.Schedule.String(), "no faults")
	}
	return f.Broken[0].String()
}

// WriteMarkdown writes the finding as the text of an issue.
func (f *Finding) WriteMarkdown(w io.Writer) error {
	var out strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	p("# %s\n", inline(f.Title()))
	for _, field := range f.Programs {
		p("- %s: %s", field.Name, text.Safe(strings.Join(field.Lines, ", ")))
	}
	how, around := "", ""
	if f.Servers() {
		how, around = "executes the programs as they are, with a virtual clock, network and disk, and ", " around the servers"
	}
	p("- found by: ldfi %s, which %srepeats the execution exactly", text.Safe(f.Ldfi), how)
	if f.Scope != "" {
		p("- within: %s", text.Safe(f.Scope))
	}
	p("\n## What fails%s\n", around)
	for _, line := range f.Faults() {
		p("- %s", text.Safe(line))
	}
	p("\n## What is expected, and what happens\n")
	all, told := map[string]int{}, map[string]int{}
	for _, v := range f.Broken {
		all[v.Property]++
	}
	for _, v := range f.Broken {
		told[v.Property]++
		switch told[v.Property] {
		case 1:
			p("- expected: %s", text.Safe(expected(v.Property)))
		case mostViolations + 1:
			p("- and %d more of these", all[v.Property]-mostViolations)
		}
		if told[v.Property] > mostViolations {
			continue
		}
		p("- what happens: %s", code(v.Text))
		if lines := append(slices.Clone(v.Stack), v.Conflict...); len(lines) > 0 {
			p("")
			block(&out, "text", lines)
		}
	}
	if len(f.Broken) == 0 {
		p("This recording does not say which promise is broken.")
	}
	if len(f.Because) > 0 {
		p("\nBeside the execution without faults:\n")
		block(&out, "text", f.Because)
	}
	tick := ""
	if f.Tick != "" {
		tick = ", of " + f.Tick + " each"
	}
	what := "Facts and messages"
	if f.Servers() {
		what = "Lines of logs and messages"
	}
	p("\n## The sequence\n\n%s by round%s. Lines of one round are in no order of time.\n", what, tick)
	block(&out, "text", f.Sequence())
	f.repeat(&out)
	_, err := io.WriteString(w, out.String())
	return err
}

// repeat writes what somebody needs who executes it again.
func (f *Finding) repeat(out *strings.Builder) {
	out.WriteString("\n## How to repeat it\n\n")
	if f.Replay == "" {
		fmt.Fprintf(out, "With ldfi, under the schedule %s.\n", code(cmp.Or(f.Execution.Schedule.String(), "none")))
	} else {
		block(out, "sh", []string{f.Replay})
	}
	if len(f.Requests) > 0 {
		out.WriteString("\nThe requests that are left:\n\n")
		block(out, "text", f.Requests)
	}
	for _, a := range f.Attached {
		if a.Left != "" {
			fmt.Fprintf(out, "\n%s %s.\n", code(a.Name), text.Safe(a.Left))
			continue
		}
		fmt.Fprintf(out, "\n<details><summary>%s (%s)</summary>\n\n", inline(a.Name), text.Plural(len(a.Lines), "line"))
		block(out, a.Language, a.Lines)
		out.WriteString("\n</details>\n")
	}
}

// expected says what a property promises.
func expected(property string) string {
	switch property {
	case "clients succeed":
		return "each client finds what it was promised, and ends with status 0"
	case "clients end":
		return "each client ends"
	case "checker succeeds":
		return "what is there after the last fault is right, and the checker ends with status 0"
	case "checker ends":
		return "the checker ends"
	case "no exit":
		return "no server ends by itself"
	case "no panic":
		return "no server panics"
	case "no hang":
		return "no server loops for ever"
	}
	return "the property “" + property + "” holds"
}

// Faults says in words what fails, the earliest first.
func (f *Finding) Faults() (lines []string) {
	all := slices.Clone(f.Execution.Schedule.Faults)
	slices.SortStableFunc(all, func(a, b rounds.Fault) int { return cmp.Compare(a.Round, b.Round) })
	for _, fault := range all {
		lines = append(lines, f.faultText(fault))
	}
	if len(lines) == 0 {
		lines = []string{"nothing: it breaks without faults"}
	}
	if s := f.Execution.Schedule.Settings; s.Start+s.Latency != "" {
		lines = append(lines, "programs do not start at the same time, and what is sent on a link arrives up to 2 rounds later, always the same")
	}
	return lines
}

// Servers tells whether the execution is of programs as they are: those have disks, and what
// they log and how they end is known. Processes that send and receive have neither.
func (f *Finding) Servers() bool {
	return f.Execution.Bounds.Disks || slices.ContainsFunc(f.Execution.Facts, func(fact recording.Fact) bool {
		args, ours := ofPrograms[fact.Relation]
		return ours && len(fact.Args) == args
	})
}

// ofPrograms are relations of what programs do, each with the number of its arguments.
var ofPrograms = map[string]int{"up": 1, "log": 5, "exit": 2}

// faultText says in words what a fault is.
func (f *Finding) faultText(fault rounds.Fault) string {
	switch servers := f.Servers(); {
	case !servers && fault.Kind == rounds.Crash:
		return fmt.Sprintf("%s crashes in round %d", fault.Process, fault.Round)
	case !servers && fault.Kind == rounds.Restart:
		return fmt.Sprintf("%s starts again in round %d", fault.Process, fault.Round)
	}
	return ofServers(fault)
}

// ofServers says in words what a fault does to servers.
func ofServers(f rounds.Fault) string {
	during := fmt.Sprintf("in round %d", f.Round)
	if f.Until > f.Round {
		during = fmt.Sprintf("in rounds %d to %d", f.Round, f.Until)
	}
	sent := fmt.Sprintf("what %s sends %s %s", f.Process, f.To, during)
	if f.Of != "" {
		sent += fmt.Sprintf(", of the kind %s,", rounds.KindText(f.Of))
	}
	if f.Nth > 0 {
		sent = fmt.Sprintf("message %d of the kind %s that %s sends %s %s", f.Nth, rounds.KindText(f.Of), f.Process, f.To, during)
	}
	switch f.Kind {
	case rounds.Crash:
		return crashText(f)
	case rounds.Restart:
		return fmt.Sprintf("%s starts again %s, with what is on its disk", f.Process, during)
	case rounds.Isolate:
		return fmt.Sprintf("%s exchanges nothing with others %s", f.Process, during)
	case rounds.Omit, rounds.Cut:
		return sent + " is lost"
	case rounds.Partition:
		one, other, _ := strings.Cut(strings.ReplaceAll(f.Detail, ",", ", "), "|")
		name := func(side string) string {
			if side == "*" {
				return "all others"
			}
			return side
		}
		return fmt.Sprintf("%s on one side and %s on the other exchange nothing %s", name(one), name(other), during)
	case rounds.Delay:
		return fmt.Sprintf("%s arrives %s later", sent, text.Plural(f.By, "round"))
	case rounds.Duplicate:
		return fmt.Sprintf("%s arrives once more %s later", sent, text.Plural(f.By, "round"))
	case rounds.Pause:
		return fmt.Sprintf("%s stands still %s", f.Process, during)
	case rounds.Fast:
		return fmt.Sprintf("the clock of %s runs fast %s", f.Process, during)
	case rounds.Slow:
		return fmt.Sprintf("the clock of %s runs slow %s", f.Process, during)
	case rounds.Jump:
		return fmt.Sprintf("the clock of %s jumps ahead %s, by %s", f.Process, during, text.Plural(f.By, "round"))
	case rounds.FailSync:
		return fmt.Sprintf("syncs of %s fail %s, and what they were to make durable never is", f.Process, during)
	case rounds.Terminate:
		return fmt.Sprintf("%s gets SIGTERM in round %d, and starts again in round %d", f.Process, f.Round, max(f.Until, f.Round)+1)
	case rounds.Lie:
		return fmt.Sprintf("%s says what the lie %s makes of it", sent, f.Detail)
	case rounds.Tick:
		return fmt.Sprintf("the timers of %s tick %s more %s", f.Process, text.Plural(f.By, "time"), during)
	case rounds.Ask:
		return fmt.Sprintf("a client asks %s of %s %s", strconv.Quote(f.Detail), f.Process, during)
	case rounds.Order:
		return fmt.Sprintf("what others send %s %s comes in the order %s", f.Process, during, f.Detail)
	}
	return f.String()
}

var before = regexp.MustCompile(`^call(\d+)$`)

// crashText says in words where a process is killed, and what its disk keeps.
func crashText(f rounds.Fault) string {
	at := ","
	if call := before.FindStringSubmatch(f.Point()); call != nil {
		at = ", before operation " + call[1] + " on files,"
	} else if f.Point() != "" {
		at = ", at the point " + f.Point() + ","
	}
	disk := map[string]string{"": "what it had not synced is lost", "kept": "its disk keeps all that it wrote", "torn": "of what it had not synced its disk keeps a part"}[f.Disk()]
	return fmt.Sprintf("%s is killed in round %d%s and %s", f.Process, f.Round, at, disk)
}

// event is a line of the sequence.
type event struct {
	round int
	who   string
	what  string
	sent  bool // it is a message
}

// quiet are what messages begin with that say nothing about what goes wrong.
var quiet = []string{"dial", "accept", "close", "PING", "PONG", "+OK", "ping", "ack", "link", "MsgHeartbeat", "MsgHeartbeatResp", "preface", "settings", "window", "priority", "headers"}

// undecoded is what bytes are told by that are not understood.
var undecoded = regexp.MustCompile(`^\d+ bytes? [0-9a-f]{8}(, close)?$`)

// Sequence has what the servers log and send, from shortly before the first fault to what
// is broken. What it leaves out is counted.
func (f *Finding) Sequence() (lines []string) {
	events, silent := f.events()
	first, last := f.span()
	from := 0
	for from < len(events) && events[from].round < first {
		from++
	}
	from = max(from-beforeFaults, 0)
	to := len(events)
	for to > from && events[to-1].round > last {
		to--
	}
	leave := func(n int, what string) {
		if n > 0 {
			lines = append(lines, "       ⋮  "+text.Plural(n, what))
		}
	}
	leave(from, "earlier line")
	shown, alike := lessAlike(events[from:to])
	kept := within(shown)
	wide, cut := 0, 0
	for i, e := range shown {
		if kept[i] {
			wide = max(wide, text.Width(e.who))
		}
	}
	for i, e := range shown {
		if !kept[i] {
			cut++
			continue
		}
		leave(cut, "line")
		cut = 0
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%6d  %s%s  %s", e.round, e.who, strings.Repeat(" ", wide-text.Width(e.who)), e.what), " "))
	}
	leave(len(events)-to, "later line")
	lines = append(lines, "")
	if alike > 0 {
		lines = append(lines, fmt.Sprintf("left out where they are: %s that others are like", text.Plural(alike, "line")))
	}
	if silent > 0 {
		lines = append(lines, fmt.Sprintf("left out: %s of connections that open and close, of heartbeats, or not decoded", text.Plural(silent, "message")))
	}
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// within tells of each event whether it is shown, where there are too many: the first and the
// last are, and between them what is no message, as long as there is room.
func within(events []event) []bool {
	kept, room := make([]bool, len(events)), mostEvents/4
	for i, e := range events {
		switch {
		case len(events) <= mostEvents, i < mostEvents/4, i >= len(events)-mostEvents/2:
			kept[i] = true
		case !e.sent && room > 0:
			kept[i], room = true, room-1
		}
	}
	return kept
}

// span returns the round of the first fault, and that in which something is broken.
func (f *Finding) span() (first, last int) {
	first, last = f.Execution.Bounds.EOT, f.Execution.Bounds.EOT
	for _, fault := range f.Execution.Schedule.Faults {
		first = min(first, fault.Round)
	}
	if len(f.Execution.Schedule.Faults) == 0 {
		first = 0
	}
	if len(f.Broken) > 0 && f.Broken[0].Fact.Round >= first && !f.Broken[0].Missing {
		last = f.Broken[0].Fact.Round
	}
	return first, last
}

// events returns what happened by round, and how many messages are left out.
func (f *Finding) events() (events []event, silent int) {
	e := f.Execution
	for _, fault := range e.Schedule.Faults {
		events = append(events, event{round: fault.Round, what: "✗ " + f.faultText(fault)})
	}
	for _, n := range Notes(e, f.Broken) {
		events = append(events, event{round: n.Round, what: "✗ " + n.Text})
	}
	events = append(events, logged(e.Facts)...)
	for _, fact := range e.Facts {
		if len(fact.Args) > 0 && !f.Servers() {
			events = append(events, event{round: fact.Round, who: fact.Args[0].Text(), what: recording.Display(fact, e.Bounds.Processes)})
		}
	}
	at := map[event]int{}
	for _, m := range e.Messages {
		what := f.meaning(m)
		word, _, _ := strings.Cut(strings.TrimSuffix(what, ","), " ")
		if undecoded.MatchString(what) || slices.Contains(quiet, word) && !(m.Lost && word == "dial") {
			silent++
			continue
		}
		if m.Lost {
			what += "   lost: " + m.Cause.String()
		}
		same := event{m.Round, m.From, what, true}
		if i, known := at[same]; known {
			events[i].who += ", " + m.To
			continue
		}
		at[same] = len(events)
		events = append(events, event{m.Round, m.From + " → " + m.To, what, true})
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.round, b.round) })
	for i := range events {
		events[i].who = text.Safe(events[i].who)
		if events[i].what = text.Safe(events[i].what); len(events[i].what) > longestEvent {
			events[i].what = strings.ToValidUTF8(events[i].what[:longestEvent], "") + "…"
		}
	}
	return events, silent
}

// meaning returns what a message says.
func (f *Finding) meaning(m recording.Message) string {
	switch ofOne := len(m.Args) == 2 && m.Args[0] == specs.String(m.To); {
	case ofOne && f.Servers():
		return m.Args[1].Text()
	case ofOne:
		return m.Relation + " " + m.Args[1].Text()
	}
	return recording.Display(recording.Fact{Relation: m.Relation, Args: m.Args}, f.Execution.Bounds.Processes)
}

// logged returns the lines of logs, and what else is known of programs: each line once in
// a round, with all of its keys.
func logged(facts []recording.Fact) (events []event) {
	type line struct {
		round                int
		node, level, message string
	}
	at := map[line]int{}
	for _, f := range facts {
		arg := func(i int) string { return f.Args[i].Text() }
		switch {
		case f.Relation == "log" && len(f.Args) == 5:
			of := line{f.Round, arg(0), arg(1), arg(2)}
			i, known := at[of]
			if !known {
				i, at[of] = len(events), len(events)
				events = append(events, event{round: f.Round, who: arg(0), what: strings.TrimSpace(arg(1) + " " + arg(2))})
			}
			if arg(3) != "" {
				events[i].what += " " + arg(3) + "=" + arg(4)
			}
		case f.Relation == "exit" && len(f.Args) == 2:
			mark := "✗ "
			if f.Args[1] == specs.Int(0) {
				mark = ""
			}
			events = append(events, event{round: f.Round, who: arg(0), what: mark + "ends with status " + arg(1)})
		case f.Relation == "file_lost" && len(f.Args) == 2:
			events = append(events, event{round: f.Round, who: arg(0), what: "starts without what was in " + arg(1) + " before the crash"})
		}
	}
	return events
}

// lessAlike leaves the first events of those that are alike, and the last.
func lessAlike(events []event) (shown []event, left int) {
	kind := func(e event) event { e.round = 0; return e }
	all, seen := map[event]int{}, map[event]int{}
	for _, e := range events {
		all[kind(e)]++
	}
	for _, e := range events {
		k := kind(e)
		seen[k]++
		switch more := all[k] - mostAlike - 1; {
		case seen[k] > mostAlike && seen[k] < all[k]:
			left++
			continue
		case seen[k] == mostAlike && more > 0:
			e.what += fmt.Sprintf("   (and %d more)", more)
		}
		shown = append(shown, e)
	}
	return shown, left
}

// block writes lines of code.
func block(out *strings.Builder, language string, lines []string) {
	fence := "```"
	for strings.Contains(strings.Join(lines, "\n"), fence) {
		fence += "`"
	}
	fmt.Fprintf(out, "%s%s\n", fence, language)
	for _, line := range lines {
		out.WriteString(text.Safe(strings.ReplaceAll(line, "\t", "    ")) + "\n")
	}
	out.WriteString(fence + "\n")
}

// code is text that is shown as it is.
func code(s string) string {
	s = text.Safe(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if fence != "`" {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// inline is text in which nothing is markup.
func inline(s string) string {
	return strings.NewReplacer("<", "&lt;", "&", "&amp;", "`", "'", "*", "\\*", "_", "\\_", "[", "\\[").Replace(text.Safe(s))
}
