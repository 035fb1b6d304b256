package bubble

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// PanicStack returns the functions that ran when the calling goroutine panicked, the
// innermost first: node.step at election/node.go:53. It is called while the panic is
// recovered, or by who is told of it.
func PanicStack() []string { return stackFrom("runtime.gopanic") }

// ExitStack returns those that ran when it ended the program.
func ExitStack() []string { return stackFrom("os.Exit") }

// stackFrom returns the functions that have called one, down to those of ldfi.
func stackFrom(function string) (stack []string) {
	pcs := make([]uintptr, 4*deepest)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	from := false
	for more := true; more && len(stack) < deepest; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == function:
			from = true
		case !from || f.Function == "" || strings.HasPrefix(f.Function, "runtime."):
		case strings.HasPrefix(f.Function, ours) || strings.HasPrefix(f.Function, machines):
			return stack
		default:
			dir, file := path.Split(f.File)
			stack = append(stack, fmt.Sprintf("%s at %s/%s:%d", path.Base(f.Function), path.Base(dir), file, f.Line))
		}
	}
	return stack
}

// machines are the functions that call the server of a machine.
const machines = "github.com/lineage-driven/ldfi/rounds/virtual.(*server)."
