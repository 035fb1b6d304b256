package oracle

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/specs"
)

// small is the largest integer that is a number, as in functions.lua.
const small = 1 << 24

// term writes a value.
func term(v specs.Value) string {
	if !v.IsInt() {
		return `"` + strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(v.Text()) + `"`
	}
	n := v.Int()
	if -small <= n && n <= small {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("n(%d,%d,%d)", uint64(n)>>44, n>>22&0x3fffff, n&0x3fffff)
}

// atom writes an atom.
func atom(name string, args ...string) string {
	if len(args) == 0 {
		return name
	}
	return name + "(" + strings.Join(args, ",") + ")"
}

// rule writes a rule, or a constraint if it has no head.
func (x *translation) rule(head string, body ...string) {
	x.text.WriteString(head)
	if len(body) > 0 {
		x.text.WriteString(" :- " + strings.Join(body, ", "))
	}
	x.text.WriteString(".\n")
}
