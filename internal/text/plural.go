package text

import (
	"fmt"
	"strings"
)

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
