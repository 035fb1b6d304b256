package generate

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// A test makes garbage for some seconds and ends, so it spends less on the collector than
// what runs for a long time: four tenths of the processor time of a sweep were the
// collector's and that of fresh pages. Benchmarks measure what users have, and GOGC decides
// where it is set.
func init() {
	benchmark := func(arg string) bool { return strings.HasPrefix(arg, "-test.bench=") }
	if os.Getenv("GOGC") == "" && !slices.ContainsFunc(os.Args, benchmark) {
		debug.SetGCPercent(400)
	}
}
