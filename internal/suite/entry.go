package suite

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/specs"
)

// The keys of an entry: those of every entry, those of programs, and those of its subject, of which
// an entry has one.
var (
	commonKeys  = []string{"name", "expect", "faults", "vacuous", "bounds", "guide", "hold", "timeout", "kept"}
	programKeys = []string{"rounds", "within"}
	subjectKeys = []string{"files", "protocols", "system"}
	keysWith    = map[string][]string{
		"files":     {"files"},
		"protocols": {"protocols", "except"},
		"system":    {"system", "system-name", "properties", "strategy", "executions", "seed", "goroutine-orders", "call-timeout", "inputs", "known"},
	}
	allKeys = slices.Concat(commonKeys, programKeys, keysWith["files"], keysWith["protocols"], keysWith["system"])
)

// The parts of a suite, and of a file that it names, in which a key may belong.
var (
	inCase    = text.Part{Where: "in a case, beside bounds", Names: allKeys}
	inBounds  = text.Part{Where: "in the bounds of a case", Names: slices.Concat(rounds.SettingKeys())}
	inCluster = text.Part{Where: "in the file with the cluster", Names: []string{"servers", "clients", "checker", "last", "requests", "tick", "apart", "calls", "epoch"}}
)

// entry reads one entry of the list of cases. It stands for one case, or with
// protocols for one of each file.
func (r *reader) entry(number int, n ast.Node) []Case {
	fields, ok := r.mapping(n, "a case")
	if !ok {
		return nil
	}
	known := r.known(fields, allKeys, "a case", inBounds, inCluster)
	c := Case{Position: r.position(firstToken(n)), entry: number, Expect: result.Holds}
	r.common(&c, fields)
	kind := r.kind(n, fields, known)
	if kind == "" {
		return nil
	}
	common := subject.Common{Dir: r.dir, Bounds: r.bounds(fields, kind == "system"), Hold: r.hold(fields)}
	common.Guide = r.guide(&c, fields, common.Hold)
	if f, ok := fields["within"]; ok && kind != "system" {
		common.Bounds = r.within(f, fields, common.Bounds)
	}
	switch kind {
	case "files":
		files := r.files(fields, "files")
		c.Subject = &subject.Protocol{Common: common, Files: files, AnyRounds: r.anyRounds(fields)}
		if _, named := fields["name"]; !named && len(files) > 0 {
			c.Name = nameOf(files[0])
		}
	case "protocols":
		return r.protocols(c, common, fields)
	default:
		r.system(&c, common, fields)
	}
	return []Case{c}
}

// kind returns the subject key of an entry, "" if that is not clear. It reports the error,
// unless an unknown key may be the reason.
func (r *reader) kind(n ast.Node, fields map[string]field, known bool) string {
	kinds := slices.DeleteFunc(slices.Clone(subjectKeys), func(key string) bool { return fields[key] == field{} })
	switch {
	case len(kinds) == 0 && !known:
		return ""
	case len(kinds) == 0:
		r.fail(n, "this case asks about nothing: it needs files (one protocol), protocols (a case for each file) or system")
		return ""
	case len(kinds) > 1:
		r.fail(fields[kinds[1]].key, "this case has %s already, and can have one of files, protocols and system", kinds[0])
		return ""
	}
	for _, key := range allKeys {
		f, ok := fields[key]
		system := kinds[0] == "system"
		if ok && !slices.Contains(commonKeys, key) && !slices.Contains(keysWith[kinds[0]], key) && (system || !slices.Contains(programKeys, key)) {
			instead := ""
			if o := otherOnly(key, system); o != nil {
				instead = ": " + o.InSuite()
			}
			r.fail(f.key, "%s does not go with %s%s", key, kinds[0], instead)
		}
	}
	return kinds[0]
}

// common reads the keys of every case.
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
		if _, given := fields["expect"]; c.Expect != result.Violated && (c.Expect != "" || !given) {
			r.fail(f.key, "faults, the smallest number of faults that break the promise, goes with expect: violated")
		}
	}
	if f, ok := fields["vacuous"]; ok {
		c.Vacuous = r.yes(f.value)
		if c.Vacuous && c.Expect == result.Violated {
			r.fail(f.key, "vacuous: yes, a promise that asks for nothing, does not go with expect: violated")
		}
	}
	if f, ok := fields["kept"]; ok {
		if c.Kept, ok = r.text(f.value); ok && strings.TrimSpace(c.Kept) == "" {
			r.fail(f.value, "expected the directory in which schedules are kept")
		}
	}
	if f, ok := fields["timeout"]; ok {
		c.Timeout = r.duration(f.value)
	}
}

// guide reads the name of a guide, and the guide, so that what is wrong in it is told before any
// case is asked.
func (r *reader) guide(c *Case, fields map[string]field, hold bool) string {
	f, ok := fields["guide"]
	if !ok {
		if hold {
			r.fail(fields["hold"].key, "hold leaves unharmed what leads to the waypoints of a guide, and this case has none (guide: FILE.mg)")
		}
		if c.Expect == Reached {
			r.fail(fields["expect"].value, "expect: reached asks for the target of a guide, and this case has none (guide: FILE.mg)")
		}
		return ""
	}
	file, ok := r.text(f.value)
	if !ok {
		return ""
	}
	if wrong := r.missing(file); wrong != "" {
		r.fail(f.value, "%s", wrong)
		return ""
	}
	common := subject.Common{Dir: r.dir, Guide: path.Clean(filepath.ToSlash(file)), Hold: hold, FS: r.fsys}
	g, err := common.ReadGuide()
	var placed specs.Errors
	switch {
	case errors.As(err, &placed):
		for _, e := range placed {
			if !slices.ContainsFunc(r.wrong, func(have *specs.Error) bool { return *have == *e }) { // of another case
				r.wrong = append(r.wrong, e)
			}
		}
	case err != nil:
		r.fail(f.value, "%v", err)
	case c.Expect == Reached && !g.Targeted():
		r.fail(fields["expect"].value, "expect: reached asks for the target of the guide, and %s has no good state and no waypoint", file)
	}
	return common.Guide
}

// hold tells whether what leads to the waypoints of the guide stays unharmed.
func (r *reader) hold(fields map[string]field) bool {
	f, ok := fields["hold"]
	return ok && r.yes(f.value)
}

func (r *reader) verdict(n ast.Node) result.Verdict {
	s, ok := r.text(n)
	verdicts := []string{string(result.Holds), string(result.Violated), string(result.Inconclusive), string(Reached)}
	if ok && !slices.Contains(verdicts, s) {
		r.fail(n, "there is no verdict %q%s: expect is holds, violated, inconclusive or, with a guide, reached", s, text.DidYouMean(s, verdicts))
		return ""
	}
	return result.Verdict(s)
}

// anyRounds tells whether a case is about any number of rounds, of which there are no bounds then.
func (r *reader) anyRounds(fields map[string]field) bool {
	f, ok := fields["rounds"]
	if !ok {
		return false
	}
	if word, ok := r.text(f.value); ok && word != "any" {
		r.fail(f.value, "rounds is any, or left out; a number of rounds is eot in the bounds")
	}
	r.endless("rounds: any", fields, "eot", "eff", "within")
	return true
}

// endless refuses bounds that say when rounds, or losses, end in a case that has any number of rounds.
func (r *reader) endless(key string, fields map[string]field, refused ...string) {
	if fields["bounds"].value == nil {
		return
	}
	why := map[string]string{
		"eot": "which has no last round", "eff": "where losses have no last round", "within": "which is another question",
	}
	if bounds, ok := r.follow(fields["bounds"].value).(*ast.MappingNode); ok {
		for _, v := range bounds.Values {
			switch name := v.Key.GetToken().Value; {
			case name == key:
				r.fail(v.Key, "%s stands beside bounds already", name)
			case slices.Contains(refused, name):
				r.fail(v.Key, "%s does not go with %s, %s: leave out one of them", name, key, why[name])
			}
		}
	}
}

// within reads from how many rounds after the last fault pre is to imply post, which is a bound.
func (r *reader) within(f field, fields map[string]field, bounds map[string]string) map[string]string {
	written, ok := r.bound("", f.value)
	if _, any := fields["rounds"]; any {
		r.fail(f.key, "within does not go with rounds: any, which is another question: leave out one of them")
	}
	r.endless("within", fields, "eot", "eff", "within")
	if !ok {
		return bounds
	}
	given := map[string]string{"within": written}
	r.checkBounds(given, map[string]field{"within": f})
	maps.Copy(given, bounds)
	return given
}

// system reads a case about a system.
func (r *reader) system(c *Case, common subject.Common, fields map[string]field) {
	s := &subject.System{Common: common}
	c.Subject = s
	var ok bool
	if s.Command, ok = r.text(fields["system"].value); ok && strings.TrimSpace(s.Command) == "" {
		r.fail(fields["system"].value, "expected the command that starts the host of the system")
	}
	s.Command = strings.TrimSpace(s.Command)
	called := s.Command
	if words, err := text.ShellSplit(s.Command); err == nil && len(words) == 1 {
		if command, is := subject.Cluster(words[0]); is {
			if wrong := r.missing(words[0]); wrong != "" {
				r.fail(fields["system"].value, "%s", wrong)
			} else if r.fsys == nil {
				r.cluster(fields["system"].value, words[0])
			}
			s.Command, called = command, nameOf(words[0])
		}
	}
	if f, ok := fields["system-name"]; ok {
		s.Name, _ = r.text(f.value)
	}
	s.Properties = r.files(fields, "properties")
	s.Inputs = r.glob(fields, "inputs")
	c.Known = r.files(fields, "known")
	if f, ok := fields["strategy"]; ok {
		s.Strategy, _ = r.text(f.value)
		if err := strategies.Check(s.Strategy); err != nil {
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
	if f, ok := fields["goroutine-orders"]; ok {
		s.GoroutineOrders = r.truth(f.value)
	}
	if f, ok := fields["call-timeout"]; ok {
		s.CallTimeout = r.duration(f.value)
	}
	if _, named := fields["name"]; !named {
		c.Name = cmp.Or(s.Name, called)
	}
}

// cluster reports what is wrong in a file with a cluster, so that it is told before any case
// is asked.
func (r *reader) cluster(n ast.Node, file string) {
	_, err := process.Read(r.path(file))
	var placed *specs.Error
	switch {
	case errors.As(err, &placed):
		if !slices.ContainsFunc(r.wrong, func(e *specs.Error) bool { return *e == *placed }) { // of another case
			r.wrong = append(r.wrong, placed)
		}
	case err != nil:
		r.fail(n, "%v", err)
	}
}

// protocols makes a case of each file that the globs match. The cases are called by the
// name of the entry, if it has one, and by their files below their common directory.
func (r *reader) protocols(c Case, common subject.Common, fields map[string]field) []Case {
	except, anyRounds := r.glob(fields, "except"), r.anyRounds(fields)
	files := slices.DeleteFunc(r.glob(fields, "protocols"), func(file string) bool { return slices.Contains(except, file) })
	dir := commonDir(files)
	var cases []Case
	for _, file := range files {
		each := c
		about := &subject.Protocol{Common: common, Files: []string{file}, AnyRounds: anyRounds}
		about.Bounds = maps.Clone(common.Bounds)
		each.Subject = about
		if each.Name = nameOf(file); c.Name != "" {
			each.Name = c.Name + "/" + nameOf(strings.TrimPrefix(file, dir))
		}
		cases = append(cases, each)
	}
	if f, ok := fields["except"]; ok && len(cases) == 0 && len(except) > 0 {
		r.fail(f.value, "this leaves no file")
	}
	return cases
}

// commonDir returns the directory that all files are below, with a "/" at its
// end; "" if there is none. The files are sorted.
func commonDir(files []string) string {
	if len(files) == 0 {
		return ""
	}
	first, last := files[0], files[len(files)-1]
	same := 0
	for same < min(len(first), len(last)) && first[same] == last[same] {
		same++
	}
	return first[:strings.LastIndex(first[:same], "/")+1]
}

// nameOf is the name of a case about a file.
func nameOf(file string) string {
	name := strings.TrimSuffix(file, path.Ext(file))
	for strings.HasPrefix(name, "../") {
		name = name[len("../"):]
	}
	return name
}

// names reports cases that cannot be told apart.
func (r *reader) names() {
	taken := map[string]Case{} // by directory of kept schedules
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
