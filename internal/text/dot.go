package text

import (
	"strings"
)

// DOT writes lines as one DOT string.
func DOT(lines ...string) string {
	escapes := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	shown := make([]string, len(lines))
	for i, line := range lines {
		shown[i] = escapes.Replace(Safe(line))
	}
	return `"` + strings.Join(shown, `\n`) + `"`
}
