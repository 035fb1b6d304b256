package text

import (
	"fmt"
	"strings"
	"unicode"
)

// Mermaid writes a text so that Mermaid shows it as it is: characters that mean something
// to it, to HTML or to Markdown as entities, on one line.
func Mermaid(text string) string {
	var out strings.Builder
	for _, r := range Safe(text) {
		if r == unicode.ReplacementChar || r > unicode.MaxASCII || unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" _-.,()[]@=+/>'", r) {
			out.WriteRune(r)
			continue
		}
		fmt.Fprintf(&out, "#%d;", r)
	}
	if strings.TrimSpace(text) == "" {
		return "?"
	}
	return out.String()
}
