package oracle

import (
	"fmt"
	"math/rand/v2"
)

// lateness returns random settings of messages that come late or twice: none most of
// the time.
func lateness(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 2))
	if r.IntN(3) > 0 {
		return ""
	}
	text := "// ldfi:"
	kind := r.IntN(3)
	if kind < 2 {
		text += fmt.Sprintf(" delays=%d", 1+r.IntN(2))
	}
	if kind > 0 {
		text += fmt.Sprintf(" duplicates=%d", 1+r.IntN(2))
	}
	return text + fmt.Sprintf(" max-delay=%d\n", 1+r.IntN(3))
}
