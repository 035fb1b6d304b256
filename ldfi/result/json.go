package result

import (
	"encoding/json"

	"github.com/lineage-driven/ldfi/internal/text"
)

// List is a slice that is written to JSON as [] when it is empty, and never as null.
type List[T any] []T

// MarshalJSON writes the list.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if len(l) == 0 {
		return []byte("[]"), nil
	}
	return text.MarshalJSON([]T(l))
}

// UnmarshalJSON reads a list. An empty list becomes nil.
func (l *List[T]) UnmarshalJSON(data []byte) error {
	var list []T
	err := json.Unmarshal(data, &list)
	if *l = list; len(list) == 0 {
		*l = nil
	}
	return err
}
