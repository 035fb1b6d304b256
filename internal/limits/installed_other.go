//go:build !linux && !darwin

package limits

// installed is how many bytes of memory the machine has, 0 if it does not say that.
func installed() int64 { return 0 }
