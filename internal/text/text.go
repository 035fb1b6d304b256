package text

import (
	"fmt"
	"math/big"
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

// Number writes a count for a person: 77,824, or about 5.5·10^367 where it has more
// than so many digits.
func Number(n *big.Int, longest int) string {
	digits := n.String()
	if len(digits) > longest {
		return fmt.Sprintf("about %s.%s·10^%d", digits[:1], digits[1:2], len(digits)-1)
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Plural returns "1 crash" or "2 crashes".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, PluralWord(noun))
}

// PluralWord returns the plural of a noun.
func PluralWord(noun string) string {
	if strings.HasSuffix(noun, "s") || strings.HasSuffix(noun, "sh") {
		return noun + "es"
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && stem != "" && !strings.ContainsRune("aeiou", rune(stem[len(stem)-1])) {
		return stem + "ies"
	}
	return noun + "s"
}

// List returns "a, b and c", with the conjunction "and"; at least one word is
// needed.
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// DOT writes lines as one DOT string.
func DOT(lines ...string) string {
	escapes := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	shown := make([]string, len(lines))
	for i, line := range lines {
		shown[i] = escapes.Replace(Safe(line))
	}
	return `"` + strings.Join(shown, `\n`) + `"`
}
