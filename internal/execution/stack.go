package execution

import (
	"path"
	"runtime"
	"strings"
)

// goroutine returns the number of the goroutine that calls it.
func goroutine() string {
	var b [64]byte
	words := strings.Fields(string(b[:runtime.Stack(b[:], false)]))
	if len(words) < 2 {
		return ""
	}
	return words[1]
}

// deepest is how many functions of a stack are kept.
const deepest = 32

// stackOf returns the functions of a process that a goroutine runs, the innermost
// first: node.step at election/node.go:53.
func stackOf(goroutine string) []string {
	buffer := make([]byte, 1<<20)
	all := strings.Split(string(buffer[:runtime.Stack(buffer, true)]), "\n\n")
	for _, text := range all {
		if strings.HasPrefix(text, "goroutine "+goroutine+" ") {
			if strings.Contains(text, "\n"+inBubble) {
				return busyOf(all)
			}
			return functions(strings.Split(text, "\n")[1:])
		}
	}
	return nil
}

// functions reads the lines of a stack, two for each function, down to what calls
// the process.
func functions(lines []string) []string {
	var stack []string
	for i := 0; i+1 < len(lines); i += 2 {
		function, place := lines[i], strings.TrimSpace(lines[i+1])
		if strings.HasPrefix(function, guard) || strings.HasPrefix(function, "created by ") || strings.HasPrefix(function, server) {
			break
		}
		if j := strings.LastIndexByte(function, '('); j > 0 {
			function = function[:j]
		}
		place, _, _ = strings.Cut(place, " ")
		dir, file := path.Split(place)
		stack = append(stack, path.Base(function)+" at "+path.Base(dir)+"/"+file)
	}
	for len(stack) > 0 && strings.HasPrefix(stack[len(stack)-1], "system.") {
		stack = stack[:len(stack)-1] // what calls the process
	}
	if len(stack) > deepest {
		stack = append(stack[:deepest], "...")
	}
	return stack
}

const guard = "github.com/lineage-driven/ldfi/rounds/system.(*participant).guard("
