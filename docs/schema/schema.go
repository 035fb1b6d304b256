// Package schema has the JSON Schemas of what ldfi writes with --output json, one for
// each form, each a document of its own. docs/json.md says which form is which, and
// what stays as it is within a version.
//
// The files in v1 are made from the types of Go that are written, and their comments:
// go test ./docs/schema -update.
package schema

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed v1/*.json
var files embed.FS

// Of returns the schema of a form: the name of a command, such as run, or one of the
// other Names, such as why-system.
func Of(form string) ([]byte, error) {
	data, err := files.ReadFile("v1/" + form + ".json")
	if err != nil {
		return nil, fmt.Errorf("there is no schema of %q", form)
	}
	return data, nil
}

// Names returns the names of all forms, sorted.
func Names() []string {
	entries, _ := fs.ReadDir(files, "v1")
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}
