package execution

import (
	"slices"
	"strings"
)

// What calls a process whose goroutines are in a bubble, what the main goroutine of
// the bubble runs, and what calls the server in it.
const (
	inBubble = "github.com/lineage-driven/ldfi/internal/bubble.(*Bubble).Do("
	inMain   = "github.com/lineage-driven/ldfi/internal/bubble.(*Bubble).run."
	server   = "github.com/lineage-driven/ldfi/rounds/virtual.(*server)."
)

// busyOf returns the stack of a goroutine that keeps its bubble from coming to rest, of
// the bubble in which a call is.
func busyOf(all []string) []string {
	bubble := ""
	for _, text := range all {
		if strings.Contains(text, "\n"+inMain) && (strings.Contains(text, "\ntesting/synctest.Wait(") || strings.Contains(text, "\ntime.Sleep(")) {
			bubble = bubbleOf(text)
		}
	}
	var busy []string
	for _, text := range all {
		if bubble == "" || bubbleOf(text) != bubble || strings.Contains(text, "\n"+inMain) || strings.Contains(text, "\ninternal/synctest.Run(") {
			continue
		}
		head, _, _ := strings.Cut(text, "\n")
		switch {
		case strings.Contains(head, "(durable)"):
		case strings.Contains(head, "[run"): // running or runnable: rather that than one that waits for it
			busy = slices.Insert(busy, 0, text)
		default:
			busy = append(busy, text)
		}
	}
	if len(busy) == 0 {
		return nil
	}
	return functions(strings.Split(busy[0], "\n")[1:])
}

// bubbleOf returns what the first line of a stack says of its bubble: it ends the line
// but for what is not said of others in the same bubble.
func bubbleOf(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	_, bubble, _ := strings.Cut(head, "synctest bubble ")
	bubble, _, _ = strings.Cut(bubble, "]")
	bubble, _, _ = strings.Cut(bubble, ",")
	return bubble
}

// NeedsOverlay begins the error of a server that cannot run in a program without the overlay
// of the standard library.
const NeedsOverlay = "the server needs the overlay of the standard library"
