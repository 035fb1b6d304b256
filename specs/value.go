package specs

import (
	"cmp"
	"strconv"
	"strings"
)

// Value is a constant of a program or a recording: an integer or a string. Values are
// comparable with ==; the integer 1 and the string "1" are different values.
type Value struct {
	text   string
	number int64
	isInt  bool
}

// Int returns the value for the integer n.
func Int(n int64) Value { return Value{number: n, isInt: true} }

// String returns the value for the string s.
func String(s string) Value { return Value{text: s} }

// IsInt tells whether the value is an integer.
func (v Value) IsInt() bool { return v.isInt }

// Int returns the integer, and 0 for a string.
func (v Value) Int() int64 { return v.number }

// Text returns the value without quotes: the string itself, or the integer in
// decimal.
func (v Value) Text() string {
	if v.isInt {
		return strconv.FormatInt(v.number, 10)
	}
	return v.text
}

// String returns the value as written in a program: 7 or "hello".
func (v Value) String() string {
	if v.isInt {
		return v.Text()
	}
	return `"` + v.text + `"`
}

// Compare orders values: integers before strings, integers by size, strings by
// their bytes. It returns -1, 0 or 1.
func (v Value) Compare(w Value) int {
	switch {
	case v.isInt && w.isInt:
		return cmp.Compare(v.number, w.number)
	case v.isInt:
		return -1
	case w.isInt:
		return 1
	default:
		return strings.Compare(v.text, w.text)
	}
}
