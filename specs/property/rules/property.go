package rules

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/specs/property"
)

func init() { datalog.Mangle = newRules }

// New returns the property with the given name and rules. Mistakes in the rules are
// reported when the property is compiled.
func New(name, text string) property.Property {
	return property.Property{Name: name, Rules: newRules(name, text)}
}

func newRules(name, text string) *datalog.Rules {
	if name == "" {
		name = "rules"
	}
	text = strings.TrimPrefix(text, "\ufeff") // editors of Windows write it
	return &datalog.Rules{Text: text, Compile: sync.OnceValues(func() (*datalog.Compiled, error) { return compile(name, text) })}
}

// Load returns the property with the rules of a file. Its name is the name of the file
// without the extension.
func Load(file string) (property.Property, error) {
	text, err := files.ReadNamed(file, files.Text)
	if err != nil {
		return property.Property{}, fmt.Errorf("reading a property: %w", err)
	}
	return New(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), string(text)), nil
}

// compile reads and checks rules. The error has everything that is wrong, with
// line and column.
func compile(name, text string) (*datalog.Compiled, error) {
	r, err := parseRules(name, text)
	if err != nil {
		return nil, err
	}
	return r.compile()
}
