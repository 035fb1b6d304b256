package main

import (
	"fmt"
	"strconv"
	"strings"
)

// sizesFlag is a flag with the numbers of processes: 3..5, or 4.
type sizesFlag []int

func (f *sizesFlag) String() string {
	if len(*f) == 0 {
		return ""
	}
	return fmt.Sprintf("%d..%d", (*f)[0], (*f)[1])
}

// Set reads the numbers.
func (f *sizesFlag) Set(written string) error {
	first, last, two := strings.Cut(written, "..")
	if !two {
		last = first
	}
	from, err := strconv.Atoi(first)
	to, wrong := strconv.Atoi(last)
	if err != nil || wrong != nil || from < 1 || to < from || to > mostSize {
		return fmt.Errorf("expected numbers of processes from 1 to %d, as in 3..5", mostSize)
	}
	*f = sizesFlag{from, to}
	return nil
}

// mostSize is the largest number of processes that is asked about.
const mostSize = 20

// Type is the kind of value.
func (f *sizesFlag) Type() string { return "n..m" }
