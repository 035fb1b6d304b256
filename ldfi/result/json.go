package result

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/lineage-driven/ldfi/internal/plainjson"
)

// List is a slice that JSON has as [] when it is empty, and never as null.
type List[T any] []T

// MarshalJSON writes the list.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if len(l) == 0 {
		return []byte("[]"), nil
	}
	return plainjson.Marshal([]T(l))
}

// UnmarshalJSON reads a list; an empty one is nil.
func (l *List[T]) UnmarshalJSON(data []byte) error {
	var list []T
	err := json.Unmarshal(data, &list)
	if *l = list; len(list) == 0 {
		*l = nil
	}
	return err
}

// Duration is a time that JSON has in milliseconds.
type Duration time.Duration

// MarshalJSON writes the milliseconds.
func (d Duration) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(time.Duration(d).Microseconds())/1000, 'f', -1, 64), nil
}

// UnmarshalJSON reads the milliseconds.
func (d *Duration) UnmarshalJSON(data []byte) error {
	ms, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return fmt.Errorf("a time in milliseconds is a number, and not %s", data)
	}
	*d = Duration(math.Round(ms * float64(time.Millisecond)))
	return nil
}
