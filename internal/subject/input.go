package subject

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Input is the work that a protocol is given: a file of facts, which replace the facts of
// the program in some relations.
type Input struct {
	File    string   // from the working directory
	Instead []string // the relations that the file replaces, which include those of its facts
}

// InputRelations returns the relations of the facts in a file with an input. An input has
// no rules.
func InputRelations(file string) ([]string, error) {
	if err := files.CheckRegular(file); err != nil {
		return nil, err
	}
	input, err := dedalus.Parse(file)
	if err != nil {
		return nil, err
	}
	if len(input.Rules) > 0 {
		at := input.Rules[0].Position
		return nil, specs.Errors{{Position: at, Message: "an input has facts only, and this is a rule: it belongs to the protocol", Excerpt: input.Excerpt(at)}}
	}
	if len(input.Facts) == 0 {
		return nil, fmt.Errorf("%s states no facts, and so is no input", file)
	}
	return relationsOf(input.Facts), nil
}

// explains tells whether a warning says only that the input has no facts of a relation, and
// another input has some.
func (in *Input) explains(w specs.Warning) bool {
	if in == nil {
		return false
	}
	return slices.ContainsFunc(in.Instead, func(relation string) bool { return strings.HasPrefix(w.Message, relation+vet.AlwaysEmpty) })
}

// relationsOf returns the names of the relations of facts, sorted.
func relationsOf(facts []*syntax.Fact) []string {
	var names []string
	for _, f := range facts {
		names = append(names, f.Relation)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// parse reads the program of a protocol, with its input. Its second result has the
// relations whose facts in the program are replaced by the input.
func (s *Protocol) parse() (program *dedalus.Program, instead []string, err error) {
	if s.Input == nil {
		program, err = dedalus.ParseFS(s.FS, s.paths(s.Files)...)
		return program, nil, err
	}
	input, err := dedalus.ParseFS(s.FS, s.Input.File)
	if err != nil {
		return nil, nil, err
	}
	whole, err := dedalus.ParseFS(s.FS, append(s.paths(s.Files), s.Input.File)...)
	if err != nil {
		return nil, nil, err
	}
	given := map[string]bool{}
	for _, file := range input.Files {
		given[file] = true
	}
	fed, left := *whole, []*syntax.Fact(nil)
	fed.Facts = nil
	for _, f := range whole.Facts {
		switch {
		case !slices.Contains(s.Input.Instead, f.Relation):
			fed.Facts = append(fed.Facts, f)
		case !given[f.Position.File]:
			left = append(left, f)
		}
	}
	fed.Facts = append(fed.Facts, input.Facts...)
	return &fed, relationsOf(left), nil
}
