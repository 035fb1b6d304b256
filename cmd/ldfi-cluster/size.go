package main

import (
	"fmt"
	"strconv"
	"strings"
)

// size is a number of bytes, as a flag: 512MiB, 4GiB.
type size int64

var sizes = []struct {
	unit  string
	bytes size
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

func (s size) String() string {
	for _, u := range sizes {
		if s >= u.bytes && s%u.bytes == 0 {
			return strconv.FormatInt(int64(s/u.bytes), 10) + u.unit
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}

// Set reads a size.
func (s *size) Set(text string) error {
	for _, u := range append(sizes, struct {
		unit  string
		bytes size
	}{"B", 1}) {
		number, ok := strings.CutSuffix(text, u.unit)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err == nil && n > 0 && n <= (1<<62)/int64(u.bytes) {
			*s = size(n) * u.bytes
			return nil
		}
		break
	}
	return fmt.Errorf("a size is a number above 0 with its unit, such as 512MiB or 4GiB")
}

// Type names what the flag wants, in the help.
func (*size) Type() string { return "size" }
