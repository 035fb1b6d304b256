package unit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// Kind is what is to be done.
type Kind string

// The kinds of units.
const (
	Search Kind = "search" // a question: a case of a suite, a version of a bisect
	Cube   Kind = "cube"   // a part of the schedules of a protocol
	Draws  Kind = "draws"  // some of the executions of a drawn search of a system
	Hunt   Kind = "hunt"   // some of the inputs of a test that compares two ways to one answer
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

// Digest is what [Unit.Files] says of the contents of a file.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Check reports what no unit has: a kind that is not known, a file outside of the directory
// in which the unit is done, a digest that is none.
func (u *Unit) Check() error {
	if !slices.Contains([]Kind{Search, Cube, Draws, Hunt}, u.Kind) {
		return fmt.Errorf("a unit of the kind %q, which is not known", u.Kind)
	}
	if u.Build == "" {
		return fmt.Errorf("a unit that does not say which ldfi asks")
	}
	if !json.Valid(u.Ask) {
		return fmt.Errorf("a unit without a question")
	}
	for _, name := range slices.Sorted(maps.Keys(u.Files)) {
		if !filepath.IsLocal(name) || name == "." {
			return fmt.Errorf("a unit with the file %q, which lies outside of its directory", name)
		}
		if !digest.MatchString(u.Files[name]) {
			return fmt.Errorf("a unit with the file %q, whose digest %q is none", name, u.Files[name])
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
