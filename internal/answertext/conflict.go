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
	left, there := "no fault set", "there is one"
	if c.Scope {
		left = "no schedule within the bounds"
	}
	without, leave := "any one of them", "leave"
	if len(all) == 1 {
		without, leave = "it", "leaves"
	}
	if assumptions > len(all) {
		there += ", other assumptions aside"
	}
	return fmt.Sprintf("%s %s %s; without %s %s", text.List(all, "and"), leave, left, without, there)
}
