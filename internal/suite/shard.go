package suite

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is part Number, from 1, of so many parts of a suite. The zero value is
// the whole suite.
type Shard struct{ Number, Of int }

// ParseShard reads for example "1/3".
func ParseShard(text string) (Shard, error) {
	number, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(number)
	n, err2 := strconv.Atoi(of)
	if err != nil || err2 != nil || i < 1 || i > n {
		return Shard{}, fmt.Errorf("%q is no part of a suite: expected for example 1/3, the first of three", text)
	}
	return Shard{i, n}, nil
}

// String returns the text that ParseShard reads, "" for the whole suite.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// of returns the cases, of so many, that belong to the shard.
func (s Shard) of(cases int) []int {
	indexes := []int{}
	for i := range cases {
		if s.Of == 0 || i%s.Of == s.Number-1 {
			indexes = append(indexes, i)
		}
	}
	return indexes
}
