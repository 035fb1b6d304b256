package answertext

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Required and Forbidden are assumptions in words.
func Required(text string) string { return "must " + text }

// Forbidden is what Required is of what is not to be.
func Forbidden(text string) string { return "must not " + text }

// Conflict says in a sentence which of so many assumptions leave nothing; nothing without a
// conflict.
func Conflict(c *result.Conflict, assumptions int) string {
	if c == nil {
		return ""
	}
	var all []string
	for _, text := range c.Require {
		all = append(all, "“"+Required(text)+"”")
	}
	for _, text := range c.Forbid {
		all = append(all, "“"+Forbidden(text)+"”")
	}
	if len(all) == 0 {
		return "no schedule within the bounds does it, with or without assumptions"
	}
	left, there := "nothing is left", "there is"
	if c.Scope {
		left, there = "no schedule within the bounds is left", "there is one"
	}
	without := "any one of them"
	if len(all) == 1 {
		without = "it"
	}
	if assumptions > len(all) {
		there += ", other assumptions aside"
	}
	return fmt.Sprintf("with %s %s; without %s %s", text.List(all, "and"), left, without, there)
}
