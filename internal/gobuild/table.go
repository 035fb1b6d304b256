package gobuild

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// Edit replaces a text in a file of the standard library.
type Edit struct {
	File     string   // below GOROOT/src, with slashes
	Releases []string // minor releases of Go that it is for: go1.26; none: all that there is a table for
	Why      string
	Old, New string
}

// Releases are the minor releases of Go that there is a table of edits for.
var Releases = []string{"go1.26", "go1.27"}

//go:embed edits node
var embedded embed.FS

// Edits returns the edits for a minor release of Go, in the order of their files.
func Edits(release string) []Edit { return edits.of(release) }

// edits are those of all programs, and nodeEdits those that a node has besides. They are
// read when somebody asks for them.
var (
	edits     = tableOfEdits{file: "edits/edits.txt"}
	nodeEdits = tableOfEdits{file: "node/edits.txt"}
)

type tableOfEdits struct {
	file string
	once sync.Once
	all  []Edit
}

func (t *tableOfEdits) of(release string) []Edit {
	t.once.Do(func() { t.all = embeddedEdits(t.file) })
	return slices.DeleteFunc(slices.Clone(t.all), func(e Edit) bool {
		return len(e.Releases) > 0 && !slices.Contains(e.Releases, release)
	})
}

func embeddedEdits(file string) []Edit {
	text, err := embedded.ReadFile(file)
	if err != nil {
		panic(err) // it is embedded
	}
	edits, err := parse(string(text))
	if err != nil {
		panic(err) // a test reads it
	}
	slices.SortStableFunc(edits, func(a, b Edit) int { return strings.Compare(a.File, b.File) })
	return edits
}

// Added returns the files that are added to the standard library: paths below
// GOROOT/src and what is in them.
func Added() map[string]string { return addedBelow("edits") }

func addedBelow(dir string) map[string]string {
	added := map[string]string{}
	err := fs.WalkDir(embedded, dir, func(path string, d fs.DirEntry, err error) error {
		name, isGo := strings.CutSuffix(path, ".go.txt")
		if err != nil || !isGo {
			return err
		}
		text, err := embedded.ReadFile(path)
		added[strings.TrimPrefix(name, dir+"/")+".go"] = string(text)
		return err
	})
	if err != nil {
		panic(err) // they are embedded
	}
	return added
}

// parse reads edits as edits.txt has them.
func parse(text string) (edits []Edit, err error) {
	sections := strings.Split("\n"+text, "\n=== ")
	for _, section := range sections[1:] {
		e, err := parseEdit(section)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	return edits, nil
}

func parseEdit(section string) (e Edit, err error) {
	head, rest, _ := strings.Cut(section, "\n")
	words := strings.Fields(head)
	if len(words) == 0 {
		return e, fmt.Errorf("an edit names no file")
	}
	why, rest, begins := strings.Cut(rest, "\n<<<\n")
	old, rest, goesOn := strings.Cut(rest, "\n---\n")
	replacement, _, ends := strings.Cut("\n"+rest, "\n>>>")
	if !begins || !goesOn || !ends || old == "" {
		return e, fmt.Errorf("an edit of %s is not <<<, what is replaced, ---, by what, >>>", words[0])
	}
	return Edit{File: words[0], Releases: words[1:], Why: strings.Join(strings.Fields(why), " "),
		Old: old, New: strings.TrimPrefix(replacement, "\n")}, nil
}
