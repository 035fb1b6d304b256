// Package memory says how much memory evaluations may take, and counts what they take.
//
// Facts differ: one with a hundred columns takes as much as forty with two. So what is
// counted are cells, a column of a fact each, and what belongs to a fact beside them, in
// bytes. What a program comes to does not depend on when garbage is collected, nor on what
// else goes on: each evaluation counts for itself, up to a share of the whole.
package memory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes; as a flag it is written with a unit, 500MB or 4GB.
type Size int64

// units are those that sizes are written with, the smallest first.
var units = []string{"kB", "MB", "GB", "TB"}

// String returns the size as it is written, "" if there is none.
func (s Size) String() string {
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
func (s *Size) Set(text string) error {
	number, factor := strings.ToLower(text), 1000.0
	for _, unit := range units {
		if n, found := strings.CutSuffix(number, strings.ToLower(unit)); found {
			value, err := strconv.ParseFloat(n, 64)
			if bytes := value * factor; err != nil || !(1000 <= bytes && bytes < math.MaxInt64) {
				return errSize
			}
			*s = Size(value * factor)
			return nil
		}
		factor *= 1000
	}
	return errSize
}

// Part is one of n equal parts of a size, or without one of half of the machine's memory;
// at least the least that can be written.
func (s Size) Part(n int) Size {
	if s <= 0 {
		s = Default()
	}
	return max(s/Size(max(n, 1)), 1000)
}

var errSize = fmt.Errorf("a size is a number with a unit, such as 500MB or 4GB (%s), and at least 1kB", strings.Join(units, ", "))

// Type is what a flag for a size takes.
func (s *Size) Type() string { return "size" }
