package rounds

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/internal/printable"
)

// maxSize limits processes × processes × rounds, so that nothing which is made
// for each message link and round grows beyond reason.
const maxSize = 100_000

// unlimitedText is how a setting writes Unlimited.
const unlimitedText = "unlimited"

// Validate reports everything that is wrong with the bounds.
func (b Bounds) Validate() error {
	var all []error
	for _, p := range b.problems() {
		all = append(all, fmt.Errorf("bounds: %s", p.message))
	}
	return errors.Join(all...)
}

// problem is something wrong with the value of one setting.
type problem struct{ key, message string }

// problems returns everything that is wrong with the bounds.
func (b Bounds) problems() []problem {
	var all []problem
	add := func(key, format string, args ...any) {
		all = append(all, problem{key, fmt.Sprintf(format, args...)})
	}
	if len(b.Processes) == 0 {
		add("processes", "there are no processes; name at least one, as in processes=a,b,c")
	}
	seen := map[string]bool{}
	for _, name := range b.Processes {
		if wrong := wrongName(name); wrong != "" {
			add("processes", "%s", wrong)
		} else if seen[name] {
			add("processes", "process %s is named twice", name)
		}
		seen[name] = true
	}
	if b.EOT < 1 {
		add("eot", "eot=%d: there has to be at least one round, as in eot=6", b.EOT)
	}
	if n := len(b.Processes); b.EOT > maxSize || n > maxSize || n*n*max(b.EOT, 1) > maxSize {
		add("eot", "eot=%d with %s is too large: processes × processes × rounds is at most %d", b.EOT, plural.Of(n, "process"), maxSize)
	}
	if b.EFF < 0 {
		add("eff", "eff=%d: it has to be a round, as in eff=3", b.EFF)
	}
	if b.Period < 0 {
		add("period", "period=%d: a phase has at least one round", b.Period)
	}
	for _, k := range budgeted() {
		if n := b.Budget(k); n < Unlimited {
			add(k.budgetKey(), "%s=%d: it has to be 0 or more, or %s", k.budgetKey(), n, unlimitedText)
		}
	}
	if len(b.Processes) > 0 {
		all = append(all, b.assumptionProblems()...)
	}
	return all
}

// wrongName says why the text of a schedule could not hold a process name; it
// is empty for a good name.
func wrongName(name string) string {
	if name == "" {
		return "there is a process with an empty name"
	}
	if !utf8.ValidString(name) {
		return fmt.Sprintf("process name %q is not valid UTF-8", name)
	}
	for _, r := range name {
		if !isNameRune(r) {
			return fmt.Sprintf("process name %q cannot have %s in it; use letters, digits and _ . - ?", name, strconv.QuoteRune(r))
		}
	}
	if shown := printable.Line(name); shown != name {
		return fmt.Sprintf("process name %+q would be printed as %s; use letters, digits and _ . - ?", name, shown)
	}
	return ""
}

// isNameRune tells whether a process name may have r in it: anything visible
// that the text form of schedules, patterns and settings does not need.
func isNameRune(r rune) bool {
	return r != utf8.RuneError && unicode.IsGraphic(r) && !unicode.IsSpace(r) && !strings.ContainsRune(`>;@,"*|`, r)
}
