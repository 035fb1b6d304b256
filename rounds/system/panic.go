package system

import (
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/execution"
)

// newPanicError returns the panic that is being recovered.
func newPanicError(value any) *PanicError {
	return &PanicError{Value: value, Text: panicText(value), Stack: panicStack()}
}

// longestPanic is how many characters of a panic are kept.
const longestPanic = 400

// panicText returns what a panic says. What it panicked with may be anything, and
// its methods may panic in turn.
func panicText(value any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T, whose text panics in turn", value)
		}
	}()
	switch v := value.(type) {
	case error:
		text = strings.TrimPrefix(v.Error(), "runtime error: ")
	default:
		text = execution.PayloadText(v)
	}
	text = addresses().ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "0x...")
	if characters := []rune(text); len(characters) > longestPanic {
		text = string(characters[:longestPanic]) + "..."
	}
	return text
}

// addresses are what is different every time.
var addresses = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`0x[0-9a-f]{8,16}\b`) })

// deepestStack is how many functions of a stack are kept.
const deepestStack = 32

// panicStack returns the functions between the panic and the call of the process;
// it is called while the panic is recovered.
func panicStack() []string {
	pcs := make([]uintptr, 4*deepestStack)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var stack []string
	panicking, whole := false, false
	for more := true; more && !whole; {
		var frame runtime.Frame
		frame, more = frames.Next()
		switch whole = frame.Function == packagePath+".(*participant).guard"; {
		case whole, frame.Function == "":
		case strings.HasPrefix(frame.Function, "runtime."):
			panicking = panicking || frame.Function == "runtime.gopanic"
		case panicking:
			stack = append(stack, frameText(&frame))
		}
	}
	for whole && len(stack) > 0 && strings.HasPrefix(stack[len(stack)-1], path.Base(packagePath)+".") {
		stack = stack[:len(stack)-1] // what calls the process
	}
	if len(stack) > deepestStack || !whole {
		stack = append(stack[:min(len(stack), deepestStack)], "...")
	}
	return stack
}

const packagePath = "github.com/lineage-driven/ldfi/rounds/system"

// frameText names a function, and where in which file it was: node.step at
// election/node.go:53.
func frameText(f *runtime.Frame) string {
	dir, file := path.Split(f.File)
	return fmt.Sprintf("%s at %s/%s:%d", path.Base(f.Function), path.Base(dir), file, f.Line)
}
