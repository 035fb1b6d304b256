package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml/ast"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/spelling"
)

// The keys of an entry, by what it asks about.
var (
	commonKeys   = []string{"name", "expect", "faults", "bounds", "timeout"}
	filesKeys    = []string{"files"}
	manyKeys     = []string{"protocols", "except"}
	systemKeys   = []string{"system", "system-name", "properties", "strategy", "executions", "seed", "inputs"}
	allKeys      = slices.Concat(commonKeys, filesKeys, manyKeys, systemKeys)
	subjectKeys  = []string{"files", "protocols", "system"} // an entry has one of these
	protocolOnly = []string{"processes", "crash", "goals"}  // bounds that a system has itself
)

// keysBeside returns the keys that go with one of the subjectKeys.
func keysBeside(subject string) []string {
	switch subject {
	case "files":
		return slices.Concat(commonKeys, filesKeys)
	case "protocols":
		return slices.Concat(commonKeys, manyKeys)
	default:
		return slices.Concat(commonKeys, systemKeys)
	}
}

// boundKeys returns the bounds that a protocol, or a system, can have.
func boundKeys(system bool) []string {
	keys := rounds.SettingKeys()
	if system {
		keys = slices.DeleteFunc(keys, func(key string) bool { return slices.Contains(protocolOnly, key) })
		keys = append(keys, rounds.SystemKeys()...)
	}
	return keys
}

// entry reads one entry of the list of cases. It stands for one case, or with
// protocols for one of each file.
func (r *reader) entry(number int, n ast.Node) []Case {
	fields, ok := r.mapping(n, "a case")
	if !ok {
		return nil
	}
	known := r.known(fields, allKeys, "a case")
	c := Case{Position: r.position(firstToken(n)), entry: number, Expect: ldfi.Holds}
	c.Subject.Dir = r.dir
	r.common(&c, fields)
	kind := r.kind(n, fields, known)
	if kind == "" {
		return nil
	}
	c.Subject.Bounds = r.bounds(fields, kind == "system")
	switch kind {
	case "files":
		c.Subject.Files = r.files(fields, "files")
		if _, named := fields["name"]; !named && len(c.Subject.Files) > 0 {
			c.Name = nameOf(c.Subject.Files[0])
		}
	case "protocols":
		return r.protocols(c, fields)
	default:
		r.system(&c, fields)
	}
	return []Case{c}
}

// kind returns which of the subjectKeys an entry has, "" if that is not clear,
// which is reported unless an unknown key may be the reason.
func (r *reader) kind(n ast.Node, fields map[string]field, known bool) string {
	var kinds []string
	for _, key := range subjectKeys {
		if _, ok := fields[key]; ok {
			kinds = append(kinds, key)
		}
	}
	switch len(kinds) {
	case 0:
		if !known {
			return ""
		}
		r.fail(n, "this case asks about nothing: it needs files (one protocol), protocols (a case for each file) or system")
		return ""
	case 1:
	default:
		r.fail(fields[kinds[1]].key, "this case has %s already, and can have one of files, protocols and system", kinds[0])
		return ""
	}
	for key, f := range fields {
		if slices.Contains(allKeys, key) && !slices.Contains(keysBeside(kinds[0]), key) {
			r.fail(f.key, "%s does not go with %s", key, kinds[0])
		}
	}
	return kinds[0]
}

// common reads what every case can have.
func (r *reader) common(c *Case, fields map[string]field) {
	if f, ok := fields["name"]; ok {
		c.Name, ok = r.text(f.value)
		if ok && strings.TrimSpace(c.Name) == "" {
			r.fail(f.value, "a name is not empty")
		}
	}
	if f, ok := fields["expect"]; ok {
		c.Expect = r.verdict(f.value)
	}
	if f, ok := fields["faults"]; ok {
		if n, ok := r.number(f.value, 0, 31); ok {
			faults := int(n)
			c.Faults = &faults
		}
		if _, given := fields["expect"]; c.Expect != ldfi.Violated && (c.Expect != "" || !given) {
			r.fail(f.key, "faults, the smallest number of faults that break the promise, goes with expect: violated")
		}
	}
	if f, ok := fields["timeout"]; ok {
		c.Timeout = r.duration(f.value)
	}
}

func (r *reader) verdict(n ast.Node) ldfi.Verdict {
	text, ok := r.text(n)
	verdicts := []string{string(ldfi.Holds), string(ldfi.Violated), string(ldfi.Inconclusive)}
	if ok && !slices.Contains(verdicts, text) {
		r.fail(n, "there is no verdict %q%s: expect is holds, violated or inconclusive", text, spelling.DidYouMean(text, verdicts))
		return ""
	}
	return ldfi.Verdict(text)
}

// system reads a case about a system.
func (r *reader) system(c *Case, fields map[string]field) {
	s := &c.Subject
	var ok bool
	if s.System, ok = r.text(fields["system"].value); ok && strings.TrimSpace(s.System) == "" {
		r.fail(fields["system"].value, "expected the command that starts the host of the system")
	}
	s.System = strings.TrimSpace(s.System)
	if f, ok := fields["system-name"]; ok {
		s.Name, _ = r.text(f.value)
	}
	s.Properties = r.files(fields, "properties")
	s.Inputs = r.glob(fields, "inputs")
	if f, ok := fields["strategy"]; ok {
		s.Strategy, _ = r.text(f.value)
		if _, err := search.Named(s.Strategy); err != nil && s.Strategy != "" {
			r.fail(f.value, "%v", err)
		}
	}
	if f, ok := fields["executions"]; ok {
		n, _ := r.number(f.value, 1, 31)
		s.Executions = int(n)
	}
	if f, ok := fields["seed"]; ok {
		s.Seed, _ = r.number(f.value, 0, 64)
	}
	if _, named := fields["name"]; !named {
		c.Name = cmp.Or(s.Name, s.System)
	}
}

// protocols makes a case of each file that the globs match. With a name, the
// cases are called by it and by their files below their common directory.
func (r *reader) protocols(c Case, fields map[string]field) []Case {
	except := r.glob(fields, "except")
	files := slices.DeleteFunc(r.glob(fields, "protocols"), func(file string) bool { return slices.Contains(except, file) })
	common := commonDir(files)
	var cases []Case
	for _, file := range files {
		each := c
		each.Subject.Bounds = maps.Clone(c.Subject.Bounds)
		each.Subject.Files = []string{file}
		if each.Name = nameOf(file); c.Name != "" {
			each.Name = c.Name + "/" + nameOf(strings.TrimPrefix(file, common))
		}
		cases = append(cases, each)
	}
	if f, ok := fields["except"]; ok && len(cases) == 0 && len(except) > 0 {
		r.fail(f.value, "this leaves no file")
	}
	return cases
}

// commonDir returns the directory that all files are below, with a "/" at its
// end; "" if there is none.
func commonDir(files []string) string {
	if len(files) == 0 {
		return ""
	}
	dir := files[0]
	for _, file := range files {
		for !strings.HasPrefix(file, dir) || dir != "" && !strings.HasSuffix(dir, "/") {
			dir = dir[:strings.LastIndex(strings.TrimSuffix(dir, "/"), "/")+1]
		}
	}
	return dir
}

// nameOf is the name of a case about a file.
func nameOf(file string) string {
	name := strings.TrimSuffix(file, path.Ext(file))
	for strings.HasPrefix(name, "../") {
		name = name[len("../"):]
	}
	return name
}

// bounds reads the bounds, and checks each for itself.
func (r *reader) bounds(fields map[string]field, system bool) map[string]string {
	f, ok := fields["bounds"]
	if !ok {
		return nil
	}
	given, ok := r.mapping(f.value, "bounds")
	if !ok {
		return nil
	}
	what := "the bounds of a protocol"
	if system {
		what = "the bounds of a system"
	}
	r.known(given, boundKeys(system), what)
	bounds := map[string]string{}
	for key, value := range given {
		text, ok := r.bound(value.value)
		if ok && slices.Contains(boundKeys(system), key) {
			bounds[key] = text
		}
	}
	r.checkBounds(bounds, given)
	return bounds
}

// bound reads the value of a bound: a number, a text, or a list of names.
func (r *reader) bound(n ast.Node) (string, bool) {
	switch it := r.follow(n).(type) {
	case *ast.IntegerNode:
		return it.GetToken().Value, true
	case *ast.SequenceNode:
		var names []string
		for _, v := range it.Values {
			text, ok := r.text(v)
			if !ok {
				return "", false
			}
			names = append(names, text)
		}
		return strings.Join(names, ","), true
	default:
		return r.text(n)
	}
}

// checkBounds reports bounds that are wrong whatever the program says.
func (r *reader) checkBounds(bounds map[string]string, given map[string]field) {
	settings := map[string]string{"processes": "a", "eot": "100000"}
	maps.Copy(settings, bounds)
	_, _, err := rounds.BoundsFrom(nil, settings)
	for _, e := range overrideErrors(err) {
		if f, ok := given[e.Key]; ok {
			r.fail(f.value, "%s", e.Message)
		}
	}
	if goals, ok := bounds["goals"]; ok && goals != ldfi.Every && goals != ldfi.Witnessed {
		r.fail(given["goals"].value, "goals are %q or %q, not %q", ldfi.Every, ldfi.Witnessed, goals)
	}
}

// overrideErrors returns what is wrong with overrides.
func overrideErrors(err error) []*rounds.OverrideError {
	var all []*rounds.OverrideError
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			all = append(all, overrideErrors(e)...)
		}
		return all
	}
	var one *rounds.OverrideError
	if errors.As(err, &one) {
		all = append(all, one)
	}
	return all
}

// text reads a text.
func (r *reader) text(n ast.Node) (string, bool) {
	switch it := r.follow(n).(type) {
	case *ast.StringNode:
		return it.Value, true
	case *ast.LiteralNode:
		return it.Value.Value, true
	default:
		r.fail(n, "expected a text, found %s%s", kindOf(it), quotesHelp(it))
		return "", false
	}
}

// quotesHelp says how a scalar becomes a text.
func quotesHelp(n ast.Node) string {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return fmt.Sprintf("; write it in quotes: %q", n.GetToken().Value)
	}
	return ""
}

// number reads a whole number of so many bits.
func (r *reader) number(n ast.Node, least uint64, bits int) (uint64, bool) {
	it, ok := r.follow(n).(*ast.IntegerNode)
	if ok {
		number, err := strconv.ParseUint(it.GetToken().Value, 10, bits)
		if err == nil && number >= least {
			return number, true
		}
	}
	r.fail(n, "expected a whole number, %d or more, found %s", least, kindOf(r.follow(n)))
	return 0, false
}

// duration reads a time such as 30s, or a number of seconds.
func (r *reader) duration(n ast.Node) time.Duration {
	it := r.follow(n)
	var d time.Duration
	var err error
	switch it := it.(type) {
	case *ast.IntegerNode:
		d, err = time.ParseDuration(it.GetToken().Value + "s")
	case *ast.StringNode:
		d, err = time.ParseDuration(it.Value)
	default:
		err = errors.New("no time")
	}
	if err != nil || d <= 0 {
		r.fail(n, "expected a time above 0 such as 30s, or a number of seconds, found %s", shownAs(it))
		return 0
	}
	return d
}

// shownAs is a node in an error message.
func shownAs(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return strconv.Quote(s.Value)
	}
	return kindOf(n)
}

// texts reads a text, or a list of texts.
func (r *reader) texts(f field) []ast.Node {
	if list, ok := r.follow(f.value).(*ast.SequenceNode); ok {
		if len(list.Values) == 0 {
			r.fail(f.value, "this list is empty")
		}
		return list.Values
	}
	return []ast.Node{f.value}
}

// files reads the names of files, which have to be there.
func (r *reader) files(fields map[string]field, key string) []string {
	f, ok := fields[key]
	if !ok {
		return nil
	}
	var files []string
	for _, n := range r.texts(f) {
		file, ok := r.text(n)
		if !ok {
			continue
		}
		if wrong := r.missing(file); wrong != "" {
			r.fail(n, "%s", wrong)
		}
		files = append(files, path.Clean(filepath.ToSlash(file)))
	}
	return files
}

// missing says why there is no such file, "" if there is.
func (r *reader) missing(file string) string {
	name := file
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.dir, file)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("there is no file %s (files are looked for from %s)", strconv.Quote(file), r.dir)
	case err != nil:
		return fmt.Sprintf("%s: %v", file, err)
	case info.IsDir():
		return fmt.Sprintf("%s is a directory", strconv.Quote(file))
	}
	return ""
}

// glob reads patterns and returns the files that they match, each once.
func (r *reader) glob(fields map[string]field, key string) []string {
	f, ok := fields[key]
	if !ok {
		return nil
	}
	var files []string
	for _, n := range r.texts(f) {
		pattern, ok := r.text(n)
		if !ok {
			continue
		}
		matches, err := doublestar.FilepathGlob(r.pattern(pattern), doublestar.WithFilesOnly())
		switch {
		case err != nil:
			r.fail(n, "%q is no pattern: %v", pattern, err)
		case len(matches) == 0:
			r.fail(n, "no file matches %s (files are looked for from %s)", strconv.Quote(pattern), r.dir)
		}
		for _, match := range matches {
			files = append(files, r.relative(match, pattern))
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func (r *reader) pattern(pattern string) string {
	if filepath.IsAbs(pattern) {
		return pattern
	}
	return filepath.Join(r.dir, filepath.FromSlash(pattern))
}

// relative returns the name of a file that a pattern matches as the suite would
// write it.
func (r *reader) relative(file, pattern string) string {
	if rel, err := filepath.Rel(r.dir, file); err == nil && !filepath.IsAbs(pattern) {
		file = rel
	}
	return filepath.ToSlash(file)
}

// names reports cases that cannot be told apart.
func (r *reader) names() {
	taken := map[string]Case{} // by the directory for what is kept
	for _, c := range r.cases {
		if c.Name == "" {
			continue
		}
		dir := strings.ToLower(dirName(c.Name))
		first, ok := taken[dir]
		switch {
		case !ok:
			taken[dir] = c
		case first.Name == c.Name:
			r.failAt(c.Position, "the name %q is taken by the case in line %d; give this one another name", c.Name, first.Position.Line)
		default:
			r.failAt(c.Position, "the name %q is too similar to %q in line %d: both would keep schedules in testdata/ldfi/%s", c.Name, first.Name, first.Position.Line, dir)
		}
	}
}
