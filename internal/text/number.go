package text

import (
	"fmt"
	"math/big"
)

// Number writes a count for a person: 77,824, or about 5.5·10^367 where it has more
// than so many digits.
func Number(n *big.Int, longest int) string {
	digits := n.String()
	if len(digits) > longest {
		return fmt.Sprintf("about %s.%s·10^%d", digits[:1], digits[1:2], len(digits)-1)
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
