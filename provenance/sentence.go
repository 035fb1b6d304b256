package provenance

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// Sentence is so after every round: if all that is given is there, something of what follows is.
// It stands for a clause for each choice of what its letters stand for.
type Sentence struct {
	Given, Follows []Phrase
	Letters        []Letter
	Clauses        [][]solver.StateBit
}

// Phrase is a fact, or what the name of a bit of the state says.
type Phrase struct {
	Relation string // of a fact
	Words    string // of a bit with a name; its only term is a process
	Terms    []Term
}

// Plain tells whether the phrase is a fact of the program, and neither remembered nor under way.
func (p Phrase) Plain() bool { return p.Relation != "" && !strings.ContainsAny(p.Relation, "@+") }

// Term is a value, or a letter.
type Term struct {
	Value  specs.Value
	Letter int // its index; -1: the value
}

// Letter stands for a value. Different letters stand for different ones, but _ for any.
type Letter struct {
	Name    string
	Process bool          // it stands for a process
	Among   []specs.Value // what it stands for; for a process, its name
	All     bool          // and for more, which are in no fact that can be there
}

// Any tells whether a letter stands for any value, also for that of another letter.
func (l Letter) Any() bool { return l.Name == anything }

const anything = "_"

// String returns the sentence, with what letters stand for if that is not all that there is.
func (s *Sentence) String() string {
	given, follows := s.phrases(s.Given), s.phrases(s.Follows)
	var said string
	switch {
	case len(follows) == 0:
		said = "never " + strings.Join(given, " and ")
	case len(given) == 0:
		said = "always " + strings.Join(follows, " or ")
	default:
		said = strings.Join(given, ", ") + " => " + strings.Join(follows, " or ")
	}
	return said + s.among()
}

// among says what letters stand for if that is not all that there is.
func (s *Sentence) among() (said string) {
	var names, all []string
	for _, l := range s.Letters {
		if l.All {
			continue
		}
		of := listed(l.Among)
		if i := slices.Index(all, of); i >= 0 {
			names[i] += ", " + l.Name
		} else {
			names, all = append(names, l.Name), append(all, of)
		}
	}
	for i := range all {
		all[i] = names[i] + " of " + all[i]
	}
	if len(all) == 0 {
		return ""
	}
	return "   for " + strings.Join(all, "; ")
}

// listed lists values; numbers that follow each other are a range.
func listed(values []specs.Value) string {
	first, last := values[0], values[len(values)-1]
	if first.IsInt() && last.IsInt() && last.Int()-first.Int() == int64(len(values)-1) && len(values) > 2 {
		return first.Text() + ".." + last.Text()
	}
	var all []string
	for _, v := range values {
		all = append(all, v.Text())
	}
	return strings.Join(all, ", ")
}

func (s *Sentence) phrases(all []Phrase) (texts []string) {
	for _, p := range all {
		texts = append(texts, s.phrase(p))
	}
	return texts
}

func (s *Sentence) phrase(p Phrase) string {
	if p.Relation == "" {
		words := p.Words
		for _, t := range p.Terms {
			words = cmp.Or(s.letter(t), t.Value.Text()) + " " + words
		}
		return words
	}
	var args []string
	for _, t := range p.Terms {
		args = append(args, cmp.Or(s.letter(t), t.Value.String()))
	}
	name, suffix := p.Relation, ""
	if i := strings.LastIndexAny(name, "@+"); i > 0 { // it is remembered, or under way
		name, suffix = name[:i], name[i:]
	}
	if rounds, late := strings.CutPrefix(suffix, "+"); late {
		suffix = " comes " + rounds + " rounds late"
	}
	return name + "(" + strings.Join(args, ", ") + ")" + suffix
}

func (s *Sentence) letter(t Term) string {
	if t.Letter < 0 {
		return ""
	}
	return s.Letters[t.Letter].Name
}

// Facts returns how many facts the state has.
func (s *Step) Facts() (n int) {
	for _, b := range s.State {
		if b.Name == "" {
			n++
		}
	}
	return n
}

// Until returns the last round in which the program gives or chooses something by the name of the round.
func (s *Step) Until() int { return s.until }

// Begin returns the first round that can be the last one of bounds: those that the program reads by name, and in which
// processes join or faults begin, are within them.
func (s *Step) Begin() int { return s.begin }

// phraseOf is what a bit of the state says.
func (s *Step) phraseOf(bit int) Phrase {
	b := s.State[bit]
	if b.Name == "" {
		p := Phrase{Relation: b.Fact.Relation}
		for _, v := range b.Fact.Args {
			p.Terms = append(p.Terms, Term{v, -1})
		}
		return p
	}
	p := Phrase{Words: b.Name}
	if b.Process != "" {
		p.Terms = []Term{{specs.String(b.Process), -1}}
	}
	return p
}

// started is the bit that says that a round is over, which is so after every round.
const started = 0

// Started is true from the second round on.
func (s *Step) Started() solver.Lit { return s.State[started].Lit }

// Words are the literals of a clause, those that are not to be with "not" before them; without that a round is over.
func (s *Step) Words(clause []solver.StateBit) (words []string) {
	for _, b := range clause {
		said := (&Sentence{}).phrase(s.phraseOf(b.Bit))
		switch {
		case b.Bit == started:
		case b.Value:
			words = append(words, said)
		default:
			words = append(words, "not "+said)
		}
	}
	return words
}

// early tells whether a clause only says that something is not there before the first round.
func early(clause []solver.StateBit) bool {
	return slices.Contains(clause, solver.StateBit{Bit: started, Value: true})
}

// sentence writes a pattern for people.
func (w *generalizer) sentence(p *pattern) *Sentence {
	s := &Sentence{Letters: slices.Clone(p.letters)}
	for _, l := range slices.SortedStableFunc(slices.Values(p.literals), func(a, b literal) int { return cmp.Compare(w.weight(a), w.weight(b)) }) {
		switch {
		case l.Words == w.step.State[started].Name:
		case l.value:
			s.Follows = append(s.Follows, l.Phrase)
		default:
			s.Given = append(s.Given, l.Phrase)
		}
	}
	w.name(s)
	return s
}

// weight puts what the promise speaks of first.
func (w *generalizer) weight(l literal) int {
	switch {
	case l.Relation == "":
		return 2
	case slices.Contains(w.about, l.Relation):
		return 0
	}
	return 1
}

// Letters for processes, and those for values that the program has no letter for.
const (
	processLetters = "PQRSTUVW"
	valueLetters   = "VWXYZABCDEFGHIJKLMNO"
)

// name names the letters of a sentence in the order in which they come. One that stands for all
// and comes once in what is given is nothing but a blank if it may stand for what others do.
func (w *generalizer) name(s *Sentence) {
	var used, order []int
	for _, p := range slices.Concat(s.Given, s.Follows) {
		for _, t := range p.Terms {
			if t.Letter >= 0 && !slices.Contains(used, t.Letter) {
				used = append(used, t.Letter)
			}
		}
	}
	taken := ""
	for _, process := range []bool{true, false} {
		for _, i := range used {
			l := &s.Letters[i]
			if l.Process != process || l.Any() {
				continue
			}
			letters := processLetters
			if !process {
				letters = w.columnLetter(s, i) + valueLetters
			}
			for _, r := range letters {
				if !strings.ContainsRune(taken, r) {
					l.Name = string(r)
					taken += l.Name
					break
				}
			}
		}
	}
	order = append(order, used...)
	place := make([]int, len(s.Letters))
	var letters []Letter
	for _, i := range order {
		place[i] = len(letters)
		letters = append(letters, s.Letters[i])
	}
	s.Letters = letters
	for _, phrases := range [][]Phrase{s.Given, s.Follows} {
		for i := range phrases {
			phrases[i].Terms = slices.Clone(phrases[i].Terms)
			for j, t := range phrases[i].Terms {
				if t.Letter >= 0 {
					phrases[i].Terms[j].Letter = place[t.Letter]
				}
			}
		}
	}
}

// columnLetter is the letter that the program writes in a column in which a letter stands, if that is one.
func (w *generalizer) columnLetter(s *Sentence, letter int) string {
	for _, p := range slices.Concat(s.Given, s.Follows) {
		for i, t := range p.Terms {
			if t.Letter == letter {
				return w.letters[place{p.Relation, i}]
			}
		}
	}
	return ""
}

// compare puts the sentences first that say most to a reader: those about what the promise
// speaks of, short ones, and those that stand for much.
func (w *generalizer) compare(a, b *Sentence) int {
	return cmp.Or(
		cmp.Compare(w.rank(a), w.rank(b)),
		cmp.Compare(len(a.Given)+len(a.Follows), len(b.Given)+len(b.Follows)),
		cmp.Compare(len(b.Clauses), len(a.Clauses)),
		cmp.Compare(a.String(), b.String()),
	)
}

func (w *generalizer) rank(s *Sentence) int {
	var about []string
	names := 0
	for _, p := range slices.Concat(s.Given, s.Follows) {
		switch {
		case p.Relation == "":
			names = 1
		case slices.Contains(w.about, p.Relation) && !slices.Contains(about, p.Relation):
			about = append(about, p.Relation)
		}
	}
	rank := 1000*names - 10*min(len(about), 2)
	if len(s.Given) == 0 {
		rank += 500
	}
	return rank
}
