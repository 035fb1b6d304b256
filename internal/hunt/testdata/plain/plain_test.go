// Package plain has tests without seeds.
package plain

import "testing"

func TestNothing(*testing.T) {}
