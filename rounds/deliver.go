package rounds

import (
	"fmt"
	"strconv"
	"strings"
)

// yes is the text of the assumption that each round has a kernel.
const yes = "yes"

// majority is the text for more than half of the processes.
const majority = "majority"

// leastReceived reads from how many of n processes each receives, itself included, when f
// can crash: n-f, n-1, a number or majority; 0 if nothing is said, or all can crash.
func leastReceived(text string, n, f int) (int, error) {
	less, minus := strings.CutPrefix(text, "n-")
	switch {
	case text == "":
		return 0, nil
	case text == majority:
		return n/2 + 1, nil
	case less == "f" && minus:
		return n - f, nil
	}
	k, err := strconv.Atoi(less)
	if err != nil || k < 0 || strings.Trim(less, "0123456789") != "" {
		return 0, fmt.Errorf("expected n-f, n-1, a number or %s", majority)
	}
	if minus {
		k = n - k
	}
	if k < 1 || k > n {
		return 0, fmt.Errorf("a process receives from at least 1 (itself) and at most %d", n)
	}
	return k, nil
}
