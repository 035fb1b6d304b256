package datalog

import (
	"fmt"
	"strings"
)

// The beginning of a line of rules that answers a question of ldfi, and the one answer
// that there is.
const (
	answers = "# ldfi:"
	counts  = "crashed=counts"
)

// CrashedCounts tells whether the text of rules says, in a line of its own, that what
// processes have reported counts when they have crashed, too.
func CrashedCounts(name, text string) (bool, error) {
	says, number := false, 0
	for line := range strings.Lines(text) {
		number++
		answer, ok := strings.CutPrefix(strings.TrimSpace(line), answers)
		if !ok {
			continue
		}
		if answer = strings.TrimSpace(answer); answer != counts {
			return false, fmt.Errorf("%s:%d:%d: %s: after %s there can only be %s, which says that facts of crashed processes count", name, number, 1+strings.Index(line, answers), answer, answers, counts)
		}
		says = true
	}
	return says, nil
}
