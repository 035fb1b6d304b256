package learned

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// names gives things names, each its own.
type names map[string]bool

// of returns the name itself, or if another thing has it, one like it.
func (n names) of(name string) string {
	free := name
	for i := 2; n[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	n[free] = true
	return free
}

// longest is how long a text may be to stand for itself in a program.
const longest = 60

// texts are what programs call states, lists of messages and sets of facts: what they
// are in words, if that is short, else a number, which a comment explains.
type texts struct {
	taken     names
	explained []string // lines for comments
}

// all returns what things are called that have these texts: the text, or a name with a
// number.
func (t *texts) all(name string, things []string) []specs.Value {
	var all []specs.Value
	for i, s := range things {
		plain := text.Safe(quotable(s))
		called := t.taken.of(plain)
		if len(plain) > longest {
			called = t.taken.of(fmt.Sprintf("%s %d", name, i+1))
			t.explained = append(t.explained, called+" is "+plain)
		}
		all = append(all, specs.String(called))
	}
	return all
}

// quotable returns a text for a string of a program, which has no escapes.
func quotable(text string) string { return strings.ReplaceAll(text, `"`, "'") }

// identifier returns a name for relations that is like a text.
func identifier(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r)
			gap = false
		} else {
			gap = true
		}
	}
	switch name := b.String(); {
	case name == "" || name[0] <= '9':
		return "r_" + name
	case len(name) > longest:
		return name[:longest]
	default:
		return name
	}
}
