// Package campaign is a test that looks at random inputs, of which one is wrong.
package campaign

import (
	"flag"
	"os"
	"testing"
)

var (
	long  = flag.Int("long", 1, "how many inputs")
	seed  = flag.Uint64("seed", 1, "the first of them")
	wrong = flag.Uint64("wrong", 0, "one of them")
)

func TestInputs(t *testing.T) {
	text, err := os.ReadFile("testdata/input.txt")
	if err != nil || string(text) != "right\n" {
		t.Fatalf("%q, %v", text, err)
	}
	for s := *seed; s < *seed+uint64(*long); s++ {
		if s == *wrong {
			t.Fatalf("seed %d is wrong", s)
		}
	}
}

func TestHome(t *testing.T) {
	if dir, err := os.UserHomeDir(); err != nil || dir == "" {
		t.Fatal(err)
	}
}
