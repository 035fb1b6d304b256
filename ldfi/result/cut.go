package result

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Cut is the effect of one fault of a counterexample on the first violation, as far as
// leaving out that fault alone shows it.
type Cut struct {
	Fault   rounds.Schedule `json:"fault"`   // the fault; a crash comes with the restart after it, which needs the crash
	Fact    recording.Fact  `json:"fact"`    // the outcome, which comes back, or goes away, when this fault alone is left out
	Missing bool            `json:"missing"` // the outcome comes back; otherwise it goes away

	// Messages are the messages, as relation from>to@round, that the fault loses or
	// makes late. When the fault alone is left out, the outcome rests on them, or is
	// prevented by them.
	Messages List[string] `json:"messages"`
	Effects  List[string] `json:"effects,omitempty"` // other effects of the fault, phrases
}

// mostParts limits the links and effects that the text of a Cut names.
const mostParts = 4

// String returns the lost messages, grouped by link, and the fault: log a>b@2..5 (crash
// a@2).
func (c Cut) String() string {
	parts := slices.Concat(inRounds(c.Messages), c.Effects)
	if more := len(parts) - mostParts; more > 0 {
		parts = append(parts[:mostParts:mostParts], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ") + " (" + c.Fault.String() + ")"
}

// inRounds joins the rounds with the same lost messages.
func inRounds(messages []string) (parts []string) {
	lost := map[string][]int{}
	var names []string
	for _, m := range messages {
		at := strings.LastIndexByte(m, '@')
		round, err := strconv.Atoi(m[at+1:])
		if at < 0 || err != nil {
			parts = append(parts, m)
			continue
		}
		if name := m[:at]; lost[name] == nil {
			names = append(names, name)
		}
		lost[m[:at]] = append(lost[m[:at]], round)
	}
	for _, name := range names {
		parts = append(parts, name+"@"+ranges(lost[name]))
	}
	return parts
}

// ranges writes sorted numbers, with successive ones joined: 1, 3..5.
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		part := strconv.Itoa(numbers[i])
		if last > i {
			part += ".." + strconv.Itoa(numbers[last])
		}
		parts = append(parts, part)
		i = last + 1
	}
	return strings.Join(parts, ",")
}
