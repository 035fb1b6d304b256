package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// reasonLines limits the lines of a Reason about the first fact, and otherLines the other
// facts, which have a line each. Lines about the other faults, and the number of lines left
// out, follow.
const (
	reasonLines = 6
	otherLines  = 3
)

// A Question is a fact to be explained by a reason; for a missing fact it may also have
// facts that hold although the fact is missing.
type Question struct {
	recording.Fact
	While []recording.Fact
}

// Reason says in a few lines why facts are missing, or why they hold, as far as messages
// and the faults of the schedule decide it. For a missing fact it names the messages that
// would have brought it and the faults that lost them; for one that holds, the messages
// that brought it, and the losses that made it possible. The lines nearest to the first
// fact come first, then those nearest to each of the others, then the effects of faults not
// named by then (first if none is, and the fact is missing), and the number of lines left
// out.
//
// If the faults are not why a fact is missing, the reason also explains the facts of the
// question that hold although it is missing.
func (x *Explainer) Reason(all ...Question) []string {
	asked := distinct(all)
	r := x.reasonsOf(asked[0])
	lines, more := r.lines(reasonLines, nil)
	holds, others := r[0].holds, 0
	looked := asked[:min(len(asked), reasonLines)]
	for _, q := range looked[1:] {
		r := x.reasonsOf(q)
		its, left := r.lines(min(1, otherLines-others), lines)
		lines = append(lines, its...)
		holds, others, more = holds || r[0].holds, others+len(its), more+left
	}
	more += len(asked) - len(looked)
	x.matter(looked)
	switch besides, named := x.besides(lines); {
	case besides == "":
	case named || holds:
		lines = append(lines, "besides, "+besides)
	default: // that the facts are missing comes of them
		lines = append([]string{besides}, lines...)
	}
	for _, q := range looked {
		if dead := x.dead(q); dead != "" {
			lines = append(lines, dead)
			break
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more: ldfi why explains them", more))
	}
	return lines
}

// distinct removes questions about the same facts in other rounds.
func distinct(all []Question) []Question {
	var asked []Question
	known := map[string]bool{}
	for _, q := range all {
		fact := q.Fact
		fact.Round = 0
		if key := fact.String(); !known[key] {
			known[key] = true
			asked = append(asked, q)
		}
	}
	return asked
}

// reasons are the reasons of a question: that of its fact, and perhaps those of facts that
// hold although it is missing.
type reasons []*reason

func (x *Explainer) reasonsOf(q Question) reasons {
	all := reasons{x.reasonOf(q.Fact)}
	if r := all[0]; !r.faulty && !r.holds {
		for _, f := range q.While {
			all = append(all, x.reasonOf(f))
		}
	}
	return all
}

// lines returns no more than most lines about a question that are not in said, and the
// number of lines left out.
func (all reasons) lines(most int, said []string) (lines []string, more int) {
	own := most
	if len(all) > 1 {
		own = (most + 1) / 2
	}
	lines, more = all[0].lines(own, said)
	for _, r := range all[1:] {
		its, left := r.lines(most-len(lines), said)
		lines = append(lines, its...)
		more += left
	}
	return lines, more
}

// besides describes the faults of the schedule that no line names, "" if all are named. The
// result named tells whether a line names any, or there are none but choices.
func (x *Explainer) besides(lines []string) (text string, named bool) {
	all := strings.Join(lines, "\n") + "\n"
	var texts []string
	faults, missing := 0, 0
	for _, f := range x.Schedule.Normal().Faults {
		if f.Kind == rounds.Choose {
			if text := x.chosen(f); !strings.Contains(all, text) {
				texts = append(texts, text)
			}
			continue
		}
		faults++
		if !strings.Contains(all, f.String()+")") {
			missing++
			texts = append(texts, fmt.Sprintf("%s (%s)", x.effect(f), f))
		}
	}
	return enumerate(texts, 6), missing < faults || faults == 0
}

// effect describes the effect of a fault, even if it makes no difference.
func (x *Explainer) effect(f rounds.Fault) string {
	switch {
	case f.Kind == rounds.Omit:
		return fmt.Sprintf("%s is lost", x.sent(f))
	case f.Kind == rounds.Isolate:
		return fmt.Sprintf("%s is isolated in %s", f.Process, roundsText(f.Round, f.Until)) + x.sparing(f.Process)
	case f.Kind == rounds.Delay:
		return fmt.Sprintf("%s arrives in round %d", x.sent(f), f.Round+f.By)
	case f.Kind == rounds.Duplicate:
		return fmt.Sprintf("%s arrives again in round %d", x.sent(f), f.Round+f.By)
	case f.Kind == rounds.Cut:
		return fmt.Sprintf("%s is lost", x.sent(f))
	case f.Kind == rounds.Partition:
		return fmt.Sprintf("%s exchange nothing in %s", strings.ReplaceAll(strings.ReplaceAll(f.Detail, "|*", " and the others"), "|", " and "), roundsText(f.Round, f.Until)) + x.sparing("")
	case f.Kind == rounds.Restart:
		return fmt.Sprintf("%s is back in round %d", f.Process, f.Round)
	case x.Environment.BackFrom(f) == f.Round:
		return fmt.Sprintf("%s crashes and is back at once in round %d", f.Process, f.Round)
	case x.Environment.BackFrom(f) > 0:
		return fmt.Sprintf("%s does nothing in %s", f.Process, roundsText(f.Round, x.Environment.BackFrom(f)-1))
	case x.Graph.Bounds.CrashStop:
		return fmt.Sprintf("%s does nothing from round %d on", f.Process, f.Round)
	default:
		return fmt.Sprintf("%s is silent from round %d on", f.Process, f.Round)
	}
}

// matter records the relations on which the facts of questions depend, among all recorded
// ones.
func (x *Explainer) matter(asked []Question) {
	x.matters = map[string]bool{}
	var facts []recording.Fact
	for _, q := range asked {
		facts = append(append(facts, q.While...), q.Fact)
	}
	for _, f := range facts {
		for _, r := range x.Graph.Program.Slice(f.Relation).Relations() {
			x.matters[r.Name] = true
		}
	}
}

// sent describes the messages on the link of a fault while it lasts, by those of their
// relations that matter, if they are known.
func (x *Explainer) sent(f rounds.Fault) string {
	last := max(f.Round, f.Until)
	text := fmt.Sprintf("what %s sends %s in %s", f.Process, f.To, roundsText(f.Round, last))
	if f.Of != "" {
		return fmt.Sprintf("%s (only %s)", text, rounds.KindText(f.Of))
	}
	var names []string
	for _, m := range x.messages {
		if m.From == f.Process && m.To == f.To && f.Round <= m.Round && m.Round <= last && x.matters[m.Relation] && !slices.Contains(names, m.Relation) {
			names = append(names, m.Relation)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return text
	}
	return fmt.Sprintf("%s (%s)", text, enumerate(names, 6))
}

// reasonOf explains a fact and collects the remarks about it.
func (x *Explainer) reasonOf(f recording.Fact) *reason {
	e := x.explainFaults(x.patternOf(f.Relation, f.Args, f.Round), Limits{Facts: 400, Steps: 4})
	r := &reason{
		root:     e.Roots[0],
		holds:    e.Holds,
		faulty:   e.faulty && !e.Holds,
		needed:   map[*Node]matter{},
		arrivals: map[int]map[string][]string{},
	}
	r.mention(r.root, matter{})
	r.mentionMeanwhile(r.root)
	for i := 0; i < len(r.queue); i++ {
		if r.queue[i].Note == notShown {
			r.unshown++
		}
		for _, s := range r.queue[i].Steps {
			r.step(r.queue[i], s)
		}
	}
	return r
}

// lines returns no more than most of the collected lines that are not in said, and the
// number of lines left out.
func (r *reason) lines(most int, said []string) (lines []string, more int) {
	known := func(text string) bool { return slices.Contains(said, text) }
	if r.holds {
		lines = append(lines, r.origin(r.root))
		lines = append(lines, r.arrived()...)
		lines = slices.DeleteFunc(lines, known)
	}
	all := r.losses
	if !slices.ContainsFunc(all, func(r remark) bool { return !r.unsent }) && !r.holds {
		all = append(all, r.lacks...)
	}
	if n := r.root.Node; len(all) == 0 && n.Note != "" {
		all.add(nil, "%s: %s", r.root.Atom, n.Note)
	}
	all = slices.DeleteFunc(slices.Clone(all), func(r remark) bool { return known(r.text) })
	if len(lines) > most {
		return lines[:most], len(lines) - most + len(all) + r.unshown
	}
	shown := all.nearest(most - len(lines))
	return append(lines, shown...), len(all) - len(shown) + r.unshown
}

// reason collects the remarks of an explanation about messages, those nearest to the
// question first.
type reason struct {
	root    *Part
	holds   bool
	faulty  bool // the fact is missing because of the faults
	queue   []*Node
	unshown int              // nodes that are not explained because there are too many
	needed  map[*Node]matter // why a node matters, by its first mention

	arrivals map[int]map[string][]string // receivers of messages that came, by round and sender
	losses   remarks                     // messages that were lost, or not sent, and facts that stood in the way
	lacks    remarks                     // anything else that was lacking
}

// remark is a line of a reason and the faults that it names.
type remark struct {
	text   string
	faults []rounds.Fault
	unsent bool // it is only that a message was not sent, for a reason that others tell
}

// remarks are lines of a reason, each of them once.
type remarks []remark

// add adds a line that names some faults.
func (all *remarks) add(faults []rounds.Fault, format string, args ...any) {
	all.put(remark{text: fmt.Sprintf(format, args...), faults: faults})
}

func (all *remarks) put(one remark) {
	if !slices.ContainsFunc(*all, func(r remark) bool { return r.text == one.text }) {
		*all = append(*all, one)
	}
}

// nearest picks no more than most remarks: the first that name a fault, then others, and
// last those about messages that were not sent; all in their order.
func (all remarks) nearest(most int) []string {
	named := map[rounds.Fault]bool{}
	picked := map[int]bool{}
	pick := func(wanted func(remark) bool) {
		for i, r := range all {
			if len(picked) < most && !picked[i] && wanted(r) {
				picked[i] = true
				for _, f := range r.faults {
					named[f] = true
				}
			}
		}
	}
	pick(func(r remark) bool {
		return slices.ContainsFunc(r.faults, func(f rounds.Fault) bool { return !named[f] })
	})
	pick(func(r remark) bool { return !r.unsent })
	pick(func(remark) bool { return true })
	var lines []string
	for i, r := range all {
		if picked[i] {
			lines = append(lines, r.text)
		}
	}
	return lines
}

// mention queues the nodes that explain a part.
func (r *reason) mention(p *Part, why matter) {
	if p.Node == nil {
		return
	}
	if _, known := r.needed[p.Node]; !known {
		r.needed[p.Node] = why
		r.queue = append(r.queue, p.Node)
	}
}

// mentionMeanwhile queues the absences that a persisting fact needed.
func (r *reason) mentionMeanwhile(p *Part) {
	if p.Kept == nil {
		return
	}
	for _, absent := range p.Kept.Absent {
		r.mention(absent, matter{after: " would rule out " + p.Atom.String() + ", but"})
	}
}

// step collects the remarks about a step of a node.
func (r *reason) step(n *Node, s *Step) {
	for _, p := range s.Parts {
		r.mentionMeanwhile(p)
		switch {
		case p.Negated && p.Met:
			r.mention(p, matter{after: " would rule out " + r.name(n) + ", but"})
		case p.Negated:
			r.mention(p, matter{after: " rules out " + r.name(n) + ", and"})
		default:
			r.mention(p, matter{r.name(n) + " needs ", ", which"})
		}
		switch {
		case p.Instead:
			r.lacks.add(nil, "%s holds instead of %s", p.Atom, r.name(n))
		case p.Message != nil && p.Met && s.Fired:
			r.arrival(p.Message)
		case p.Message != nil && !p.Met && !s.sent():
			r.losses.put(remark{text: fmt.Sprintf("%s was not sent by %s in %s", r.subject(n), p.Message.way(), roundsText(p.Message.First, p.Message.Last)), unsent: true})
		case p.Message != nil && !p.Met:
			r.losses.add(p.Message.faults(), "%s did not come by %s", r.subject(n), p.Message.short())
		case !p.Met && p.Negated:
			r.losses.add(nil, "%s rules out %s", p.Atom, r.name(n))
		case !p.Met && p.Atom != nil:
			r.lacks.add(nil, "%s lacks %s", r.name(n), p.Atom)
		case p.stopped != nil:
			r.losses.add([]rounds.Fault{*p.stopped}, "%s did not come about: %s", r.subject(n), p.Text)
		case !p.Met:
			r.lacks.add(nil, "%s: %s", r.name(n), p.Text)
		}
	}
	for _, row := range s.Rows {
		if s.Fired && !row.Fired {
			for _, p := range row.Parts {
				r.mention(p, matter{after: " would count in " + r.name(n) + ", but"})
			}
		}
		r.step(n, row)
	}
}

// sent tells whether a step lacked nothing for sending its message, except that a crash has
// stopped its process.
func (s *Step) sent() bool {
	return !slices.ContainsFunc(s.Parts, func(p *Part) bool {
		return p.Instead || !p.Met && p.Message == nil && p.stopped == nil
	})
}

// name names a node; with its round only if it is about one.
func (r *reason) name(n *Node) string {
	if n.First == n.Last {
		return n.String()
	}
	return n.atom()
}

// matter says why a node matters, before and behind its name. A verb follows.
type matter struct{ before, after string }

// subject names a node with why it matters.
func (r *reason) subject(n *Node) string {
	why := r.needed[n]
	return why.before + r.name(n) + why.after
}

// arrived lists the messages that arrived, round by round; nothing if none did.
func (r *reason) arrived() []string {
	if len(r.arrivals) == 0 {
		return nil
	}
	var texts []string
	for _, round := range slices.Sorted(maps.Keys(r.arrivals)) {
		var ways []string
		for _, from := range slices.Sorted(maps.Keys(r.arrivals[round])) {
			to := slices.Compact(slices.Sorted(slices.Values(r.arrivals[round][from])))
			ways = append(ways, from+">"+strings.Join(to, ","))
		}
		texts = append(texts, fmt.Sprintf("%s (round %d)", strings.Join(ways, " "), round))
	}
	return []string{"it took the messages " + enumerate(texts, 12)}
}

func (r *reason) arrival(m *Message) {
	if r.arrivals[m.First] == nil {
		r.arrivals[m.First] = map[string][]string{}
	}
	to := m.To
	if m.Arrival > 0 {
		to += fmt.Sprintf(" (in round %d)", m.Arrival)
	}
	r.arrivals[m.First][m.From] = append(r.arrivals[m.First][m.From], to)
}

// origin describes the origin of a fact that holds.
func (r *reason) origin(root *Part) string {
	text := root.Atom.String() + since(root)
	if root.Node.Given != nil {
		return text + " is given at " + place(root.Node.Given.Position)
	}
	if root.Node.Note == chosenNote || root.Node.Note == byDefaultNote {
		return text + " is " + root.Node.Note
	}
	if len(root.Node.Steps) == 0 || root.Node.Steps[0].Rule == nil {
		return text + " holds"
	}
	s := root.Node.Steps[0]
	var from []string
	for _, p := range s.Parts {
		if p.Atom != nil && !(p.Negated && p.Atom.Relation == syntax.Crash) {
			absent := map[bool]string{true: "no "}[p.Negated]
			from = append(from, absent+p.Atom.String()+since(p))
		}
	}
	for _, row := range s.Rows {
		if row.Fired {
			from = append(from, "the row"+bindingsText(row.Bindings, " "))
		}
	}
	if len(from) == 0 {
		return fmt.Sprintf("%s comes from the rule at %s", text, place(s.Rule.Position))
	}
	return fmt.Sprintf("%s comes from %s (%s)", text, enumerate(from, 6), place(s.Rule.Position))
}

// since says since when a fact has held, if it persisted.
func since(p *Part) string {
	if p.Kept == nil || p.Kept.From != nil {
		return ""
	}
	return p.Kept.since()
}

// short names the sender of a message and the faults that lost it in each round.
func (m *Message) short() string {
	losses := make([]string, len(m.Losses))
	for i, loss := range m.Losses {
		switch {
		case loss.Fault.Kind == rounds.Crash && loss.Fault.Process == m.From && loss.back > 0:
			losses[i] = fmt.Sprintf("%s is down in %s (%s)", m.From, roundsText(loss.First, loss.Last), loss.Fault)
		case loss.Fault.Kind == rounds.Crash && loss.Fault.Process == m.From:
			losses[i] = fmt.Sprintf("%s is silent from round %d on (%s)", m.From, loss.Fault.Round, loss.Fault)
		default:
			losses[i] = loss.text()
		}
	}
	return fmt.Sprintf("%s in %s: %s", m.way(), roundsText(m.First, m.Last), strings.Join(losses, ", "))
}

// faults are the faults that lost the message.
func (m *Message) faults() []rounds.Fault {
	var all []rounds.Fault
	for _, loss := range m.Losses {
		all = append(all, loss.Fault)
	}
	return all
}

// enumerate joins texts with commas, the first few of many.
func enumerate(all []string, most int) string {
	if len(all) > most {
		all = append(slices.Clone(all[:most]), fmt.Sprintf("%d more", len(all)-most))
	}
	return strings.Join(all, ", ")
}
