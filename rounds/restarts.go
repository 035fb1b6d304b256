package rounds

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// durableKey is the key of the relations that survive a crash.
const durableKey = "durable"

// CheckRestarts returns an error if the restarts and durable relations of the bounds do
// not fit the program p: there are restarts although crashes are mute or p defines a
// relation booted, or no rule carries a durable relation from round to round.
func (b Bounds) CheckRestarts(p *dedalus.Program) error {
	var all []error
	for _, wrong := range b.programProblems(p) {
		all = append(all, fmt.Errorf("bounds: %s", wrong.message))
	}
	return errors.Join(all...)
}

// checkProgram notes the same at the settings that it comes from.
func (r *settingReader) checkProgram(b Bounds) error {
	for _, p := range b.programProblems(r.program) {
		r.fail(r.chosen[p.key], "%s", p.message)
	}
	return r.err()
}

func (b Bounds) programProblems(p *dedalus.Program) []problem {
	var all []problem
	if b.Restarts != 0 && b.Crashes != 0 {
		for _, wrong := range b.wrongRestarts(p) {
			all = append(all, problem{Restart.Setting(), wrong})
		}
	}
	for i, name := range b.Durable {
		if wrong := wrongDurable(p, name); wrong != "" {
			all = append(all, problem{durableKey, fmt.Sprintf("%s=%s: %s", durableKey, name, wrong)})
		} else if slices.Contains(b.Durable[:i], name) {
			all = append(all, problem{durableKey, fmt.Sprintf("%s=%s: %s is named twice", durableKey, strings.Join(b.Durable, ","), name)})
		}
	}
	return all
}

// wrongRestarts says why the processes of a program cannot restart.
func (b Bounds) wrongRestarts(p *dedalus.Program) (all []string) {
	if !b.CrashStop {
		all = append(all, "restarts need crash=stop: a crashed process that is mute goes on receiving and computing, so it cannot restart")
	}
	for _, f := range p.Facts {
		if f.Relation == syntax.Booted {
			return append(all, ownBooted("a fact", f.Position.String()))
		}
	}
	for _, r := range p.Rules {
		if r.Head.Relation == syntax.Booted {
			return append(all, ownBooted("a rule", r.Position.String()))
		}
	}
	for _, r := range p.Relations() {
		if r.Name == syntax.Booted && r.Arity != 1 {
			all = append(all, fmt.Sprintf("%s has %s at %s; where there are restarts it has one, the process that is back", syntax.Booted, text.Plural(r.Arity, "column"), r.Position))
		}
	}
	return all
}

func ownBooted(what, where string) string {
	return fmt.Sprintf("the program has %s of its own for %s at %s, but with restarts it says that a process is back: give it another name", what, syntax.Booted, where)
}

// wrongDurable says why a relation cannot be durable, "" if it can.
func wrongDurable(p *dedalus.Program, name string) string {
	var names []string
	known := false
	for _, r := range p.Relations() {
		names = append(names, r.Name)
		known = known || r.Name == name && r.Arity > 0
	}
	carried := slices.ContainsFunc(p.Rules, func(r *syntax.Rule) bool {
		return r.Head.Relation == name && r.Kind != syntax.Deductive
	})
	switch {
	case !slices.Contains(names, name):
		return fmt.Sprintf("there is no relation %q%s", name, text.DidYouMean(name, names))
	case !carried:
		return fmt.Sprintf("no @next or @async rule gives %s, so no process keeps it: name relations that a process keeps", name)
	case !known:
		return fmt.Sprintf("%s has no columns, and so belongs to no process", name)
	}
	return ""
}
