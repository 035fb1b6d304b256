package property

import "fmt"

// plural returns "1 column" or "2 columns".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
