package rounds

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/text"
)

// maxSize limits processes × processes × rounds, so that nothing which is made
// for each message link and round grows beyond reason.
const maxSize = 100_000

// unlimitedText is how a setting writes Unlimited.
const unlimitedText = "unlimited"

// Validate returns an error that joins everything that is wrong with the bounds.
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
		fits := ""
		if most := maxSize / max(n*n, 1); n <= maxSize && most > 0 {
			fits = fmt.Sprintf(": with so many processes eot is at most %d", most)
		}
		add("eot", "eot=%d with %s is too large: processes × processes × rounds is at most %d%s", b.EOT, text.Plural(n, "process"), maxSize, fits)
	}
	if b.FaultFree < 0 || b.FaultFree > 0 && b.FaultFree >= b.EOT {
		add("eot", "eot=%d: nothing fails in the last %s (--last), which leaves none for faults: say more rounds, or fewer of the last", b.EOT, text.Plural(b.FaultFree, "round"))
	}
	if b.EFF < 0 {
		add("eff", "eff=%d: it has to be a round, as in eff=3", b.EFF)
	}
	all = append(all, b.fromProblems()...)
	if b.Period < 0 {
		add("period", "period=%d: a phase has at least one round", b.Period)
	}
	all = append(all, b.phaseProblems()...)
	if b.MaxJump < 0 || b.MaxJump > maxRound {
		add(maxJumpKey, "%s=%d: a clock jumps by at least 1 and at most %d rounds", maxJumpKey, b.MaxJump, maxRound)
	}
	all = append(all, b.lateProblems()...)
	for _, k := range spoken {
		if n := b.Budget(k); n < Unlimited {
			add(k.Setting(), "%s=%d: it has to be 0 or more, or %s", k.Setting(), n, unlimitedText)
		}
	}
	if len(b.Processes) > 0 {
		all = append(all, b.assumptionProblems()...)
		all = append(all, b.joinProblems()...)
	}
	for _, wrong := range b.wrongKinds() {
		add(kindsKey, "%s", wrong)
	}
	if b.Partitions != 0 {
		if wrong := wrongPartitions(len(b.Processes)); wrong != "" {
			add(Partition.Setting(), "%s", wrong)
		}
	}
	if _, err := b.quiet(); err != nil {
		add(withinKey, "%s=%s: %v", withinKey, b.Within, err)
	}
	all = append(all, b.choiceProblems()...)
	for _, name := range slices.Sorted(maps.Keys(b.Points)) {
		for _, wrong := range b.wrongPoints(name) {
			add("points", "%s", wrong)
		}
	}
	return all
}

// mostParted is how many processes there are at most where there can be
// partitions: of so many there are 32,767.
const mostParted = 16

// wrongPartitions says why so many processes have no partitions.
func wrongPartitions(processes int) string {
	switch {
	case processes < 3:
		return fmt.Sprintf("partitions: %s cannot be parted in two but by an isolation: use isolations", text.Plural(processes, "process"))
	case processes > mostParted:
		return fmt.Sprintf("partitions: %d processes can be parted in 2^%d-1 ways, which is too many: partitions go with at most %d processes; use isolations", processes, processes-1, mostParted)
	}
	return ""
}

// mostPoints is how many crash points a process has at most.
const mostPoints = 100

// wrongPoints returns what is wrong with the points of a process.
func (b Bounds) wrongPoints(process string) []string {
	if !slices.Contains(b.Processes, process) {
		return []string{fmt.Sprintf("there are crash points of %q, which is no process", process)}
	}
	if n := len(b.Points[process]); n > mostPoints {
		return []string{fmt.Sprintf("crash points of %s: there are at most %d, and not %d", process, mostPoints, n)}
	}
	var all []string
	for i, point := range b.Points[process] {
		switch wrong := wrongName(point); {
		case wrong != "":
			all = append(all, fmt.Sprintf("crash points of %s: %s", process, strings.ReplaceAll(wrong, "process", "point")))
		case strings.Contains(point, "/"):
			all = append(all, fmt.Sprintf("crash points of %s: %q cannot have a / in it", process, point))
		case slices.Contains(disks, point):
			all = append(all, fmt.Sprintf("crash points of %s: %q says what a disk keeps (%s); use another name", process, point, strings.Join(disks, ", ")))
		case slices.Contains(b.Points[process][:i], point):
			all = append(all, fmt.Sprintf("crash points of %s: %s is named twice", process, point))
		}
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
	if shown := text.Safe(name); shown != name {
		return fmt.Sprintf("process name %+q would be printed as %s; use letters, digits and _ . - ?", name, shown)
	}
	return ""
}

// isNameRune tells whether a process name may have r in it: anything visible
// that the text form of schedules, patterns and settings does not need.
func isNameRune(r rune) bool {
	return r != utf8.RuneError && unicode.IsGraphic(r) && !unicode.IsSpace(r) && !strings.ContainsRune(`>;@,"*|`, r)
}
