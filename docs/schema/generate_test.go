package schema_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object whose members have an order.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, value := encode(m.name), encode(m.value)
		if name == nil || value == nil {
			return nil, fmt.Errorf("member %s", m.name)
		}
		fmt.Fprintf(&b, "%s:%s", name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// generator makes schemas from the types of Go that are written.
type generator struct {
	sources map[string]*source
	form    form // that is made
	defs    map[string]object
	owners  map[string]string // of the names in the defs of all forms: the types
	wrong   []error
}

// complain takes note of what is wrong, and returns something in its place.
func (g *generator) complain(format string, args ...any) object {
	g.wrong = append(g.wrong, fmt.Errorf(format, args...))
	return object{{"$comment", "wrong"}}
}

// source returns a package of the module.
func (g *generator) source(folder string) *source {
	if g.sources[folder] == nil {
		s, err := read(folder)
		if err != nil {
			g.wrong = append(g.wrong, err)
			s = &source{path: folder}
		}
		g.sources[folder] = s
	}
	return g.sources[folder]
}

// document returns the schema of a form.
func (g *generator) document(f form) ([]byte, error) {
	g.form, g.defs, g.wrong = f, map[string]object{}, nil
	folder, name := split(f.written)
	s := g.source(folder)
	d, ok := s.types[name]
	if !ok {
		return nil, fmt.Errorf("there is no type %s", f.written)
	}
	document := object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "https://raw.githubusercontent.com/lineage-driven/ldfi/main/docs/schema/v1/" + f.name + ".json"},
		{"title", f.title},
		{"description", d.doc + "."},
	}
	document = append(document, g.definition(s, d)...)
	if len(g.defs) > 0 {
		defs := object{}
		for _, name := range slices.Sorted(keys(g.defs)) {
			defs = append(defs, member{name, g.defs[name]})
		}
		document = append(document, member{"$defs", defs})
	}
	var out bytes.Buffer
	if err := json.Indent(&out, encode(document), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), errors.Join(g.wrong...)
}

func keys(m map[string]object) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// split returns the folder and the name of a type: ldfi/result and Answer.
func split(name string) (folder, of string) {
	at := strings.LastIndexByte(name, '.')
	return name[:at], name[at+1:]
}

// named returns the schema of a type that has a name.
func (g *generator) named(s *source, name string) object {
	full := s.path + "." + name
	d, ok := s.types[name]
	if !ok {
		return g.complain("there is no type %s", full)
	}
	called := cmp.Or(called[full], name)
	if owner := g.owners[called]; owner != "" && owner != full {
		return g.complain("%s and %s have the same name", full, owner)
	}
	if g.defs[called] == nil {
		g.owners[called], g.defs[called] = full, object{} // which is in itself, perhaps
		g.defs[called] = append(object{{"description", d.doc + "." + meanings(s.values[name])}}, g.definition(s, d)...)
		if d.doc == "" {
			g.complain("%s has no comment", full)
		}
	}
	return object{{"$ref", "#/$defs/" + called}}
}

// definition returns what a type is written as.
func (g *generator) definition(s *source, d declared) object {
	name := d.Name.Name
	form, known := written[s.path+"."+name]
	switch {
	case known && form.as != nil:
		return form.as
	case known:
		return g.structure(s, form.like)
	case s.methods[name+".MarshalText"]:
		return object{{"type", "string"}}
	case s.methods[name+".MarshalJSON"]:
		return g.complain("%s.%s writes its JSON itself: say in the table what it is", s.path, name)
	case len(s.values[name]) > 0:
		return enumeration(s.values[name])
	}
	if _, ok := d.Type.(*ast.StructType); ok {
		return g.structure(s, name)
	}
	return g.expression(s, d.file, d.Type)
}

// enumeration returns the schema of one of some words.
func enumeration(values []value) object {
	var words []string
	for _, v := range values {
		words = append(words, v.text)
	}
	return object{{"type", "string"}, {"enum", words}}
}

// meanings says what each of some words means.
func meanings(values []value) string {
	var texts []string
	for _, v := range values {
		if v.doc != "" {
			texts = append(texts, strconv.Quote(v.text)+": "+v.doc)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return " " + strings.Join(texts, "; ") + "."
}

// structure returns the schema of an object with the fields of a type.
func (g *generator) structure(s *source, name string) object {
	var properties object
	required := []string{}
	g.fields(s, name, false, func(field string, value object, optional bool) {
		if g.form.lacks(s.path+"."+name, field) {
			return
		}
		if i := slices.IndexFunc(properties, func(m member) bool { return m.name == field }); i >= 0 {
			properties = slices.Delete(properties, i, i+1)
		}
		properties = append(properties, member{field, value})
		if !optional {
			required = append(required, field)
		}
	})
	return object{{"type", "object"}, {"required", required}, {"properties", properties}}
}

// fields tells the fields of a type, and those of the types in it without a name.
func (g *generator) fields(s *source, name string, perhaps bool, tell func(field string, value object, optional bool)) {
	d, ok := s.types[name]
	if !ok {
		g.complain("there is no type %s.%s", s.path, name)
		return
	}
	if other, ok := d.Type.(*ast.Ident); ok {
		g.fields(s, other.Name, perhaps, tell)
		return
	}
	structure, ok := d.Type.(*ast.StructType)
	if !ok {
		g.complain("%s.%s is no structure", s.path, name)
		return
	}
	for _, f := range structure.Fields.List {
		if len(f.Names) == 0 {
			of, folder, pointer := g.embedded(s, d.file, f.Type)
			g.fields(g.source(folder), of, perhaps || pointer, tell)
			continue
		}
		for _, n := range f.Names {
			g.field(s, d, f, n.Name, perhaps, tell)
		}
	}
}

// field tells a field, if it is written.
func (g *generator) field(s *source, d declared, f *ast.Field, name string, perhaps bool, tell func(string, object, bool)) {
	tag := ""
	if f.Tag != nil {
		unquoted, _ := strconv.Unquote(f.Tag.Value)
		tag = reflect.StructTag(unquoted).Get("json")
	}
	words := strings.Split(tag, ",")
	if words[0] == "-" || !token.IsExported(name) {
		return
	}
	if words[0] == "" {
		g.complain("%s.%s.%s has no name in JSON", s.path, d.Name.Name, name)
		return
	}
	optional := slices.Contains(words, "omitempty") || slices.Contains(words, "omitzero")
	value := g.expression(s, d.file, f.Type)
	if _, pointer := f.Type.(*ast.StarExpr); pointer && !optional && !always[s.path+"."+d.Name.Name+"."+name] {
		value = object{{"anyOf", []object{value, {{"type", "null"}}}}}
	}
	comment := said(name, words[0], strings.TrimSpace(text(f.Doc)+" "+capital(text(f.Comment))))
	if comment == "" && value[0].name != "$ref" {
		g.complain("%s.%s.%s has no comment", s.path, d.Name.Name, name)
	}
	if comment != "" {
		value = append(object{{"description", comment + "."}}, value...)
	}
	tell(words[0], value, optional || perhaps)
}

// embedded returns the name of a type in another one, and the folder of its package.
func (g *generator) embedded(s *source, file *ast.File, e ast.Expr) (name, folder string, pointer bool) {
	switch e := e.(type) {
	case *ast.StarExpr:
		name, folder, _ = g.embedded(s, file, e.X)
		return name, folder, true
	case *ast.Ident:
		return e.Name, s.path, false
	case *ast.SelectorExpr:
		path, err := imported(file, e.X.(*ast.Ident).Name)
		if err != nil {
			g.complain("%s: %w", s.path, err)
		}
		return e.Sel.Name, strings.TrimPrefix(path, module), false
	}
	g.complain("%s: %T is embedded", s.path, e)
	return "", s.path, false
}

// plain are the types without a name of their own.
var plain = map[string]object{
	"string": {{"type", "string"}}, "bool": {{"type", "boolean"}}, "float64": {{"type", "number"}},
	"int": {{"type", "integer"}}, "int64": {{"type", "integer"}}, "uint64": {{"type", "integer"}, {"minimum", 0}},
}

// expression returns the schema of a type as a field has it.
func (g *generator) expression(s *source, file *ast.File, e ast.Expr) object {
	switch e := e.(type) {
	case *ast.Ident:
		if o, ok := plain[e.Name]; ok {
			return o
		}
		return g.named(s, e.Name)
	case *ast.StarExpr:
		return g.expression(s, file, e.X)
	case *ast.ArrayType:
		return object{{"type", "array"}, {"items", g.expression(s, file, e.Elt)}}
	case *ast.IndexExpr: // result.List
		return object{{"type", "array"}, {"items", g.expression(s, file, e.Index)}}
	case *ast.MapType:
		return object{{"type", "object"}, {"additionalProperties", g.expression(s, file, e.Value)}}
	case *ast.SelectorExpr:
		path, err := imported(file, e.X.(*ast.Ident).Name)
		switch {
		case err != nil:
			return g.complain("%s: %w", s.path, err)
		case path == "math/big":
			return object{{"type", "integer"}}
		case path == "time" && e.Sel.Name == "Time":
			return object{{"type", "string"}, {"format", "date-time"}}
		case strings.HasPrefix(path, module):
			return g.named(g.source(strings.TrimPrefix(path, module)), e.Sel.Name)
		}
		return g.complain("%s: nothing is known of %s.%s", s.path, path, e.Sel.Name)
	}
	return g.complain("%s: a field is a %T", s.path, e)
}
