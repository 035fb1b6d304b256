package bubble

import (
	"path"
	"runtime"
	"strings"
)

// Goroutine is one of a bubble, at a moment.
type Goroutine struct {
	State string   // what it does: "chan receive (durable)"
	Stack []string // the functions that it runs, the innermost first: node.step at election/node.go:53
}

// String says where it is.
func (g Goroutine) String() string {
	if len(g.Stack) == 0 {
		return g.State
	}
	return g.State + " in " + g.Stack[0]
}

// deepest is how many functions of a stack are kept.
const deepest = 32

// goroutines returns the goroutines of a bubble but for those that ldfi has in it.
func goroutines(bubble string) (all []Goroutine) {
	for _, text := range strings.Split(stacks(), "\n\n") {
		head, rest, _ := strings.Cut(text, "\n")
		if bubble == "" || bubbleOf(head) != bubble {
			continue
		}
		if stack := functions(strings.Split(rest, "\n")); len(stack) > 0 {
			all = append(all, Goroutine{State: stateOf(head), Stack: stack})
		}
	}
	return all
}

// stacks returns the stacks of all goroutines.
func stacks() string {
	for size := 1 << 18; ; size *= 4 {
		all := make([]byte, size)
		if n := runtime.Stack(all, true); n < size || size >= 1<<26 {
			return string(all[:n])
		}
	}
}

// bubbleOf returns the bubble that is named in the first line of a stack, "" if none
// is: goroutine 35 [chan receive (durable), synctest bubble 2]:
func bubbleOf(head string) string {
	_, name, found := strings.Cut(head, "synctest bubble ")
	if !found {
		return ""
	}
	number := strings.IndexFunc(name, func(c rune) bool { return c < '0' || '9' < c })
	if number < 0 {
		number = len(name)
	}
	return name[:number]
}

// stateOf returns what the first line of a stack says that the goroutine does.
func stateOf(head string) string {
	_, state, _ := strings.Cut(head, "[")
	if end := strings.IndexAny(state, ",]"); end >= 0 {
		state = state[:end]
	}
	return state
}

// functions reads the lines of a stack, two for each function.
func functions(lines []string) (stack []string) {
	for i := 0; i+1 < len(lines); i += 2 {
		function, place := lines[i], strings.TrimSpace(lines[i+1])
		if strings.HasPrefix(function, "created by ") || strings.HasPrefix(function, ours) || strings.HasPrefix(function, machines) {
			break
		}
		if j := strings.LastIndexByte(function, '('); j > 0 {
			function = function[:j]
		}
		place, _, _ = strings.Cut(place, " ")
		dir, file := path.Split(place)
		stack = append(stack, path.Base(function)+" at "+path.Base(dir)+"/"+file)
	}
	if len(stack) > deepest {
		stack = append(stack[:deepest], "...")
	}
	return stack
}

// ours are the functions below which the code of the process ends.
const ours = "github.com/lineage-driven/ldfi/internal/bubble."
