package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Lock is an assumption of questions for hypotheses: about faults, or about facts.
type Lock struct {
	Text string // a pattern over faults, or a fact
	Must bool   // something that matches happens, or holds; otherwise nothing does
}

// String returns the lock in words.
func (l Lock) String() string {
	if l.Must {
		return answertext.Required(l.Text)
	}
	return answertext.Forbidden(l.Text)
}

// parseLock reads a lock in words.
func parseLock(text string) (Lock, error) {
	if pattern, ok := strings.CutPrefix(text, "must not "); ok {
		return Lock{Text: strings.TrimSpace(pattern)}, nil
	}
	pattern, ok := strings.CutPrefix(text, "must ")
	if !ok {
		return Lock{}, errors.New("it begins with must or must not")
	}
	return Lock{Text: strings.TrimSpace(pattern), Must: true}, nil
}

// Locks returns the locks in the order in which they were set.
func (e *Exploration) Locks() []Lock { return e.now.locks }

// Lock sets a lock, or takes it away if it is set. One that says the opposite goes.
func (e *Exploration) Lock(l Lock) error {
	if err := e.check(l); err != nil {
		return err
	}
	e.move(state{e.now.schedule, locked(e.now.locks, l)})
	return nil
}

func locked(locks []Lock, l Lock) []Lock {
	if slices.Contains(locks, l) {
		return slices.DeleteFunc(slices.Clone(locks), func(o Lock) bool { return o == l })
	}
	opposite := Lock{l.Text, !l.Must}
	return append(slices.DeleteFunc(slices.Clone(locks), func(o Lock) bool { return o == opposite }), l)
}

// check reports a lock that means nothing.
func (e *Exploration) check(l Lock) error {
	if !rounds.IsPattern(l.Text) {
		_, err := dedalus.ParseQuery(l.Text)
		return err
	}
	p, err := rounds.ParsePattern(l.Text)
	if err != nil {
		return err
	}
	return p.Check(e.bounds.Processes, e.bounds.EOT)
}

// LockCell locks a cell: if must, its faults must stay; else no fault may be in it.
func (e *Exploration) LockCell(c Cell, must bool) error {
	texts := e.texts(c, must)
	if len(texts) == 0 && must {
		return errors.New("there is no fault here that could be a must: put one here first")
	}
	if len(texts) == 0 {
		return fmt.Errorf("the bounds allow no fault of %s in round %d anyway", c.Name(), c.Round)
	}
	locks := e.now.locks
	for _, text := range texts {
		l := Lock{text, must}
		if err := e.check(l); err != nil {
			return err
		}
		locks = locked(locks, l)
	}
	e.move(state{e.now.schedule, locks})
	return nil
}

// texts are the patterns of a cell.
func (e *Exploration) texts(c Cell, must bool) []string {
	var texts []string
	if must && (c.Layer() != Others || c.Kind != rounds.Choose) { // a fact may hold by default
		for _, f := range e.Faults(c) {
			texts = append(texts, patternOf(f).String())
		}
		return texts
	}
	for _, k := range e.Kinds(c) {
		if e.allowed(k) {
			texts = append(texts, patternOf(rounds.Fault{Kind: k, Process: c.From, To: c.To, Detail: c.Detail, Round: c.Round}).String())
		}
	}
	return texts
}

// patternOf returns the pattern of faults like one, in its rounds.
func patternOf(f rounds.Fault) rounds.Pattern {
	p := rounds.Pattern{Kind: f.Kind, Process: f.Process, To: f.To, From: f.Round, Until: max(f.Round, f.Until), By: f.By, Of: f.Of, Nth: f.Nth}
	switch f.Kind {
	case rounds.Partition:
		p.Sides = f.Detail
	case rounds.Choose:
		p.Fact = f.Detail
	}
	return p
}

// Locked tells whether a lock speaks about a cell: that something must be there, or must
// not.
func (e *Exploration) Locked(c Cell) (must, mustNot bool) {
	for _, l := range e.now.locks {
		if !rounds.IsPattern(l.Text) {
			continue
		}
		p, err := rounds.ParsePattern(l.Text)
		if err != nil || !e.speaksOf(p, c) {
			continue
		}
		must, mustNot = must || l.Must, mustNot || !l.Must
	}
	return must, mustNot
}

func (e *Exploration) speaksOf(p rounds.Pattern, c Cell) bool {
	if LayerOf(p.Kind) != c.Layer() || c.Layer() == Others && p.Kind != c.Kind {
		return false
	}
	return p.Matches(rounds.Fault{Kind: p.Kind, Process: c.From, To: c.To, Detail: c.Detail, Round: c.Round, By: p.By}, e.bounds.Processes)
}

// assumptions are the locks as questions take them.
func assumptions(locks []Lock) (require, forbid []string) {
	for _, l := range locks {
		if l.Must {
			require = append(require, l.Text)
		} else {
			forbid = append(forbid, l.Text)
		}
	}
	return require, forbid
}
