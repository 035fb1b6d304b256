package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
)

// FileName is the name of the file of a suite.
const FileName = "ldfi.yaml"

// Suite is a file with cases. It is not changed after Read.
type Suite struct {
	File  string // as it was named
	Cases []Case // in the order of the file; there is at least one
}

// Expected is what a case expects: a verdict, or "reached", of the target of its guide.
type Expected = result.Verdict

// Reached is what a case expects of the target of its guide, in place of a verdict: it is reached
// in every execution, and nothing is violated.
const Reached Expected = "reached"

// Case is a question, with the expected answer.
type Case struct {
	Name     string
	Subject  subject.Subject
	Expect   Expected
	Faults   *int           // the smallest number of faults that is expected; nil: nothing is
	Vacuous  bool           // the promise is expected to ask for nothing
	Timeout  time.Duration  // 0: none
	Kept     string         `json:",omitempty"` // the directory in which its schedules are kept, relative to the suite; "": where that is by itself
	Known    []string       `json:",omitempty"` // files with schedules of what is known to be violated, which the search goes past
	Position specs.Position // in the file of the suite

	entry int // the number of the entry in the file, which may stand for several cases
}

// Read reads the file of a suite. Its error has all errors in it, as dedalus.Errors. It
// does not check the protocols.
func Read(file string) (*Suite, error) {
	files.RemoveTemporary(filepath.Dir(file))
	return readFrom(nil, file, files.Read)
}

// ReadFS is Read with a file of a file system, which also has the files of its cases. It
// changes nothing.
func ReadFS(fsys fs.FS, file string) (*Suite, error) {
	return readFrom(fsys, file, func(name string, limit int64) ([]byte, error) { return files.ReadFrom(fsys, name, limit) })
}

func readFrom(fsys fs.FS, file string, read func(string, int64) ([]byte, error)) (*Suite, error) {
	text, err := read(file, files.Text)
	if err != nil {
		return nil, fmt.Errorf("reading the suite: %w", err)
	}
	return parseFS(fsys, file, string(text))
}

// dir returns the directory to which the names of files in the suite are relative.
func (s *Suite) dir() string { return filepath.Dir(s.File) }

// digest covers the cases and their expectations, so that reports about different suites
// are not taken for parts of one.
func (s *Suite) digest() string {
	var text bytes.Buffer
	for _, c := range s.Cases {
		c.Position, c.Subject = specs.Position{}, c.Subject.Copy()
		c.Subject.Shared().Dir = ""
		if err := json.NewEncoder(&text).Encode(c); err != nil {
			panic(err) // it has only texts and numbers
		}
	}
	return work.Digest(text.Bytes())
}

// keptDir is where the schedules of a case are kept.
func (s *Suite) keptDir(c *Case) string {
	return filepath.Join(s.dir(), schedules.KeptDir, filepath.FromSlash(dirName(c.Name)))
}

// dirName turns the name of a case into the name of a directory.
func dirName(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = schedules.KeptName(part)
	}
	return strings.Join(parts, "/")
}

// Missing says what to do when there is no suite.
const Missing = "there is no suite " + FileName + " here, and none was named. A small one, beside a file protocol.ded, is:" + example

// Inputs returns the files from which the suite is read, as far as its text names them.
func (s *Suite) Inputs() []string {
	files := []string{s.File}
	for _, c := range s.Cases {
		var names []string
		if p := c.Subject.AsProtocol(); p != nil {
			names = p.Files
		}
		if s := c.Subject.AsSystem(); s != nil {
			files, names = append(files, s.Inputs...), s.Properties
		}
		if guide := c.Subject.Shared().Guide; guide != "" {
			names = append(slices.Clip(names), guide)
		}
		for _, name := range names {
			if !filepath.IsAbs(name) {
				name = filepath.Join(c.Subject.Shared().Dir, name)
			}
			files = append(files, name)
		}
	}
	return files
}
