package limits

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MemorySize is a number of bytes; as a flag it is written with a unit, 500MB or 4GB.
type MemorySize int64

// units are those that sizes are written with, the smallest first.
var units = []string{"kB", "MB", "GB", "TB"}

// String returns the size as it is written, "" if there is none.
func (s MemorySize) String() string {
	if s <= 0 {
		return ""
	}
	value, unit := float64(s)/1000, 0
	for ; value >= 999.95 && unit < len(units)-1; unit++ {
		value /= 1000
	}
	return strconv.FormatFloat(math.Round(value*10)/10, 'f', -1, 64) + units[unit]
}

// Set reads a size.
func (s *MemorySize) Set(text string) error {
	number, factor := strings.ToLower(text), 1000.0
	for _, unit := range units {
		if n, found := strings.CutSuffix(number, strings.ToLower(unit)); found {
			value, err := strconv.ParseFloat(n, 64)
			if bytes := value * factor; err != nil || !(1000 <= bytes && bytes < math.MaxInt64) {
				return errSize
			}
			*s = MemorySize(value * factor)
			return nil
		}
		factor *= 1000
	}
	return errSize
}

// Part is one of n equal parts of a size, or without one of half of the machine's memory;
// at least the least that can be written.
func (s MemorySize) Part(n int) MemorySize {
	if s <= 0 {
		s = DefaultMemory()
	}
	return max(s/MemorySize(max(n, 1)), 1000)
}

var errSize = fmt.Errorf("a size is a number with a unit, such as 500MB or 4GB (%s), and at least 1kB", strings.Join(units, ", "))

// Type is what a flag for a size takes.
func (s *MemorySize) Type() string { return "size" }
