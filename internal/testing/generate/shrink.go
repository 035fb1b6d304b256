package generate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Shrink returns a smaller program on which the test still fails: without
// statements, body terms, faults, rounds and processes that it does not need.
// It calls fails with valid programs only. A program on which the test does
// not fail is returned as it is.
func Shrink(text string, fails func(text string) bool) string {
	if !fails(text) {
		return text
	}
	try := func(candidate string) bool {
		if _, err := dedalus.ParseText("shrink.ded", candidate); err != nil || candidate == text || !fails(candidate) {
			return false
		}
		text = candidate
		return true
	}
	if p, err := dedalus.ParseText("shrink.ded", text); err == nil {
		try(p.String())
	}
	for again := true; again; {
		again = dropLines(&text, try)
		for _, smaller := range []func(string) []string{shorterLines, smallerSettings} {
			again = replaceLines(&text, smaller, try) || again
		}
	}
	return text
}

// dropLines removes halves, quarters and so on down to single lines.
func dropLines(text *string, try func(string) bool) bool {
	changed := false
	for size := strings.Count(*text, "\n"); size > 0; size /= 2 {
		for from := 0; ; {
			lines := strings.SplitAfter(*text, "\n")
			if from+size > len(lines) {
				break
			}
			if try(strings.Join(lines[:from], "") + strings.Join(lines[from+size:], "")) {
				changed = true
			} else {
				from += size
			}
		}
	}
	return changed
}

// replaceLines puts smaller lines in the place of lines.
func replaceLines(text *string, smaller func(line string) []string, try func(string) bool) bool {
	changed := false
	for i := 0; i < strings.Count(*text, "\n"); i++ {
		for again := true; again; {
			again = false
			lines := strings.Split(*text, "\n")
			for _, candidate := range smaller(lines[i]) {
				lines[i] = candidate
				if try(strings.Join(lines, "\n")) {
					again, changed = true, true
					break
				}
			}
		}
	}
	return changed
}

// shorterLines returns a rule without one of its body terms, and with a
// wildcard for one of its body's columns.
func shorterLines(line string) []string {
	p, err := dedalus.ParseText("shrink.ded", line)
	if err != nil || len(p.Rules) != 1 {
		return nil
	}
	var all []string
	r := *p.Rules[0]
	terms := r.Body
	for i := range terms {
		if len(terms) > 1 {
			r.Body = append(append([]syntax.Term{}, terms[:i]...), terms[i+1:]...)
			all = append(all, r.String())
		}
	}
	r.Body = terms
	for _, t := range terms {
		if t.Atom == nil {
			continue
		}
		for j, e := range t.Atom.Args {
			if _, ok := e.(*syntax.Wildcard); !ok {
				t.Atom.Args[j] = &syntax.Wildcard{}
				all = append(all, r.String())
				t.Atom.Args[j] = e
			}
		}
	}
	return all
}

// smallerSettings returns a setting with a number less by one, or with a
// process less.
func smallerSettings(line string) []string {
	key, value, ok := strings.Cut(line, "=")
	if !ok || !strings.HasPrefix(line, "// ldfi:") || strings.Contains(value, "=") {
		return nil
	}
	if n, err := strconv.Atoi(value); err == nil && n > 1 {
		return []string{fmt.Sprintf("%s=%d", key, n-1)}
	}
	if cut := strings.LastIndexByte(value, ','); cut > 0 {
		return []string{key + "=" + value[:cut]}
	}
	return nil
}
