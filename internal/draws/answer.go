package draws

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/internal/search"
)

// Answer is the answer to a unit.
type Answer struct {
	Stretch *search.Stretch `json:"stretch"`
	Took    time.Duration   `json:"took"` // how long the executions took, in nanoseconds
}

// read reads an answer.
func read(text json.RawMessage) (*Answer, error) {
	a := &Answer{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("its answer cannot be read: %w", err)
	}
	if a.Stretch == nil || a.Took < 0 {
		return nil, fmt.Errorf("its answer does not say what the executions came to")
	}
	return a, nil
}
