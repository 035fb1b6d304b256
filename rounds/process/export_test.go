package process

import "fmt"

// StepLimits are the limits of the step protocol, as docs/wire.md says them.
var StepLimits = map[string]string{
	"an answer":                      fmt.Sprintf("%d MiB", mostStep>>20),
	"standard error with one answer": fmt.Sprintf("%d MiB", mostPrinted>>20),
	"processor time until an answer": fmt.Sprintf("%d s", mostCPU/1e9),
	"time until an answer":           fmt.Sprintf("%d s, and twice the processor time", mostWait/1e9),
}
