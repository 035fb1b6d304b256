// Package dot writes text into graphs in the DOT language.
package dot

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/printable"
)

// Quoted writes lines as one DOT string.
func Quoted(lines ...string) string {
	escapes := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	shown := make([]string, len(lines))
	for i, line := range lines {
		shown[i] = escapes.Replace(printable.Line(line))
	}
	return `"` + strings.Join(shown, `\n`) + `"`
}
