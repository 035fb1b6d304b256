package property

import (
	"slices"
	"strings"
)

// keywords are words of Mangle that no relation can be called by.
var keywords = []string{"bound", "descr", "do", "inclusion", "let", "opt"}

// ruleName returns what rules call a relation of a recording: what Mangle does
// not allow in a name is _, a capital at the beginning is a small letter, and a
// name that means something else already has _ behind it.
func ruleName(relation string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, relation)
	switch {
	case name == "" || name[0] == '_' || name[0] >= '0' && name[0] <= '9':
		name = "r" + name
	case name[0] >= 'A' && name[0] <= 'Z':
		name = strings.ToLower(name[:1]) + name[1:]
	}
	if has(environment, name) || slices.Contains(keywords, name) {
		name += "_"
	}
	return name
}
