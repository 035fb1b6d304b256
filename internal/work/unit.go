package work

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Kind is what is to be done.
type Kind string

// The kinds of units.
const (
	Search Kind = "search" // a question: a case of a suite, a version of a bisect, what run asks about a protocol
	Draws  Kind = "draws"  // some of the executions of a drawn search of a system
)

// Unit is a piece of work. Units with equal addresses have equal results.
type Unit struct {
	Kind     Kind              `json:"kind"`
	Build    string            `json:"build"`              // names the ldfi that asks; no other one does the unit
	Platform string            `json:"platform,omitempty"` // such as linux/amd64, of units that start a program that was built for it; "": any
	Files    map[string]string `json:"files,omitempty"`    // by a name, the SHA-256 of what is in it, in hexadecimal
	Ask      json.RawMessage   `json:"ask"`                // what is asked, by the kind
}

// Address names all that the result depends on, in 64 hexadecimal digits.
func (u *Unit) Address() string {
	text, err := json.Marshal(u)
	if err != nil { // Ask is no JSON: nobody does that
		text = fmt.Appendf(nil, "%+v", *u)
	}
	return Digest(text)
}

// Digest returns the SHA-256 of content, in hexadecimal.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// mostFiles is how many files a unit has at most.
const mostFiles = 10_000

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Check reports what no unit has: a kind that is not known, a file outside of the directory
// in which the unit is done, a digest that is none.
func (u *Unit) Check() error {
	if !slices.Contains([]Kind{Search, Draws}, u.Kind) {
		return fmt.Errorf("a unit of the kind %q, which is not known", u.Kind)
	}
	if u.Build == "" {
		return fmt.Errorf("a unit that does not say which ldfi asks")
	}
	if !json.Valid(u.Ask) {
		return fmt.Errorf("a unit without a question")
	}
	if len(u.Files) > mostFiles {
		return fmt.Errorf("a unit with %d files, which are more than %d", len(u.Files), mostFiles)
	}
	for _, name := range slices.Sorted(maps.Keys(u.Files)) {
		if err := u.checkName(name); err != nil {
			return err
		}
		if !digest.MatchString(u.Files[name]) {
			return fmt.Errorf("a unit with the file %q, whose digest %q is none", name, u.Files[name])
		}
	}
	return nil
}

// checkName reports what is wrong with the name of a file: it is one on every machine, with
// slashes, and of no directory in which another file lies.
func (u *Unit) checkName(name string) error {
	if !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name)) || name == "." || strings.ContainsRune(name, 0) {
		return fmt.Errorf("a unit with the file %q, which is no name of a file in its directory", name)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, ok := u.Files[dir]; ok {
			return fmt.Errorf("a unit with the file %q, and with %q, which cannot be a directory as well", name, dir)
		}
	}
	return nil
}

// Result is what became of a unit.
type Result struct {
	Address string          `json:"address"`          // of the unit
	Answer  json.RawMessage `json:"answer,omitempty"` // by the kind; null if there is none
	Final   bool            `json:"final"`            // whoever does the unit again comes to the same: it may be kept

	// Why there is no answer: "" if there is one. It is an error of the question, or the
	// unit could not be done: then Tries is how often that was tried.
	Failure string `json:"failure,omitempty"`
	Tries   int    `json:"tries,omitempty"`
	Log     string `json:"log,omitempty"` // the end of what was written to standard error, if it failed

	Worker  string        `json:"worker"`  // who did it: a name of the machine and of the process
	Build   string        `json:"build"`   // by which ldfi
	Elapsed time.Duration `json:"elapsed"` // how long it took, in nanoseconds
}

// SetAside says that nobody could do the unit, and why; "" if there is an answer, or an
// error of the question.
func (r *Result) SetAside() string {
	if r.Failure == "" || r.Tries == 0 {
		return ""
	}
	return fmt.Sprintf("set aside after %s: %s", text.Plural(r.Tries, "try"), r.Failure)
}

// Hands are those who do units: this process, or workers on other machines. Several
// goroutines may ask at a time.
type Hands interface {
	// Do returns what became of a unit. A limit bounds how long the unit itself may take,
	// 0 does not: how long it waits does not count. File returns what is in a file of the
	// unit, by its digest; it is asked only for what the workers do not have. When the
	// context ends the unit is taken back. A [RefusedError] says that nobody can do the
	// unit but the caller; any other error that nobody can do any.
	Do(ctx context.Context, u *Unit, limit time.Duration, file func(digest string) ([]byte, error)) (*Result, error)

	// Doubt is told of a result of a unit that does not look true, and why not. The caller
	// does the unit by itself then. Nothing is done twice for that before it comes back.
	Doubt(u *Unit, r *Result, file func(digest string) ([]byte, error), why error)

	// Here is told of what the caller does by itself, and why; often the same.
	Here(why string)

	// Slots is how many units can be done at a time by now, at least 1.
	Slots() int

	// Build names the ldfi that asks, for [Unit.Build].
	Build() string
}

// RefusedError says that a unit could not be handed out, or its result not be kept.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return "a unit cannot be handed out: " + e.Reason }

// A worker starts ldfi unit in a directory of its own, and writes it tasks on standard
// input, a line each. For each it gets a line on standard output. What the process writes
// to standard error is the log of the unit. To end a unit before its time the process is
// killed; the next one is started for the next unit.

// Task is a unit, with the directory in which its files lie.
type Task struct {
	Unit    *Unit  `json:"unit"`
	Dir     string `json:"dir"`               // absolute; has the files of the unit under their names
	Hosts   bool   `json:"hosts,omitempty"`   // programs among the files may be started
	Workers int    `json:"workers,omitempty"` // how many cores to use; 0: all

	Limit time.Duration `json:"limit,omitempty"` // how long the unit may take, in nanoseconds: then it answers with what is known; 0: any time
}

// Done is what became of a task.
type Done struct {
	Answer json.RawMessage `json:"answer,omitempty"`
	Final  bool            `json:"final,omitempty"` // as in [Result]
	Error  string          `json:"error,omitempty"` // of the question; then there is no answer
}
