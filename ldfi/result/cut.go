package result

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Cut is what one fault of a counterexample does to what the schedule breaks first, as far
// as undoing it alone shows.
type Cut struct {
	Fault   rounds.Schedule `json:"fault"`   // with a crash also the restart after it, where there is none without it
	Fact    recording.Fact  `json:"fact"`    // the outcome: it comes back, or goes, when this fault alone is undone
	Missing bool            `json:"missing"` // it comes back

	// Messages are those by which it comes back, or goes: the fault loses them, or makes them late, and without
	// it alone the outcome rests on them, or is prevented by them; relation from>to@round.
	Messages List[string] `json:"messages"`
	Effects  List[string] `json:"effects,omitempty"` // what the fault does besides, phrases
}

// mostParts is how many links and effects the text of a Cut names.
const mostParts = 4

// String names the messages that are lost, those of one link together, and the fault:
// log a>b@2..5 (crash a@2).
func (c Cut) String() string {
	parts := slices.Concat(inRounds(c.Messages), c.Effects)
	if more := len(parts) - mostParts; more > 0 {
		parts = append(parts[:mostParts:mostParts], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ") + " (" + c.Fault.String() + ")"
}

// inRounds puts the rounds together in which the same is lost.
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

// ranges writes numbers, in order, with those in a row together: 1, 3..5.
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
