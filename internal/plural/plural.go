// Package plural writes counts in words.
package plural

import (
	"fmt"
	"strings"
)

// Of returns "1 crash" or "2 crashes".
func Of(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, Word(noun))
}

// Word returns the plural of a noun.
func Word(noun string) string {
	if strings.HasSuffix(noun, "s") || strings.HasSuffix(noun, "sh") {
		return noun + "es"
	}
	return noun + "s"
}
