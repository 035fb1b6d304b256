package rounds

import (
	"fmt"
	"strconv"
	"strings"
)

// withinKey is the setting that says when pre and post are judged.
const withinKey = "within"

// least is its text for the smallest number of rounds that is enough.
const least = "least"

// Least in place of a number of rounds is the smallest that is enough.
const Least = -1

// mostQuiet is how many rounds of quiet can be asked about at most.
const mostQuiet = 1000

// Quiet returns from how many rounds after nothing fails any more pre has to imply post, or Least; false if
// it has to in the last round only.
func (b Bounds) Quiet() (number int, asked bool) {
	number, err := b.quiet()
	return number, err == nil && b.Normal().Within != ""
}

func (b Bounds) quiet() (int, error) {
	switch within := b.Normal().Within; within {
	case "":
		return 0, nil
	case least:
		return Least, nil
	default:
		n, err := strconv.Atoi(within)
		if err != nil || n < 0 || n > mostQuiet || strings.Trim(within, "0123456789") != "" {
			return 0, fmt.Errorf("expected a number of rounds, at most %d, or %s, or %s", mostQuiet, least, noAssumption)
		}
		return n, nil
	}
}
