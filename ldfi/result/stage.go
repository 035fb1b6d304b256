package result

import (
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// Stage is the progress of a question about a protocol.
type Stage struct {
	Ways    map[string]string `json:"ways"`           // what each way to decide the question is doing
	AtLeast int               `json:"at_least"`       // no set with fewer faults breaks the promise
	Best    *rounds.Schedule  `json:"best,omitempty"` // the first of the schedules that are known to break the promise
}

func (s Stage) String() string {
	var texts []string
	for _, way := range slices.Sorted(maps.Keys(s.Ways)) {
		texts = append(texts, way+": "+s.Ways[way])
	}
	if s.AtLeast > 0 {
		texts = append(texts, "no set below "+text.Plural(s.AtLeast, "fault"))
	}
	if s.Best != nil {
		texts = append(texts, "best so far "+text.Plural(s.Best.Size(), "fault"))
	}
	return strings.Join(texts, "; ")
}
