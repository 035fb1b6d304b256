package suite

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// boundKeys returns the bounds that a protocol, or a system, can have.
func boundKeys(system bool) []string {
	keys, systems := rounds.SettingKeys()
	return slices.DeleteFunc(append(keys, systems...), func(key string) bool { return otherOnly(key, system) != nil })
}

// otherOnly returns the entry of a key that applies to the other kind of subject only; nil
// if there is none.
func otherOnly(key string, system bool) *subject.Only {
	others := subject.OnlyOther(system)
	if i := slices.IndexFunc(others, func(o subject.Only) bool { return o.SuiteKey() == key }); i >= 0 {
		return &others[i]
	}
	return nil
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
	kind, elsewhere := "a protocol", []text.Part{inCase}
	if system {
		kind, elsewhere = "a system", append(elsewhere, inCluster)
	}
	keys := boundKeys(system)
	bounds, others := map[string]string{}, map[string]field{}
	for key, value := range given {
		if o := otherOnly(key, system); o != nil {
			r.fail(value.key, "%s does not go with %s: %s", key, kind, o.InSuite())
			continue
		}
		others[key] = value
		written, ok := r.bound(key, value.value)
		if ok && slices.Contains(keys, key) {
			bounds[key] = written
		}
	}
	r.known(others, keys, "the bounds of "+kind, elsewhere...)
	r.checkBounds(bounds, given)
	return bounds
}

// bound reads the value of a bound: a number, a text, or a list of names.
func (r *reader) bound(key string, n ast.Node) (string, bool) {
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
			if key == "kinds" { // which may be any text
				text = rounds.KindText(text)
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
	settings := map[string]string{"processes": strings.Join(named(bounds), ","), "eot": "100000"}
	maps.Copy(settings, bounds)
	_, err := rounds.BoundsFrom(settings)
	for _, e := range overrideErrors(err) {
		if f, ok := given[e.Key]; ok {
			r.fail(f.value, "%s", e.Message)
		}
	}
	if goals, ok := bounds["goals"]; ok && goals != "every" && goals != "witnessed" {
		r.fail(given["goals"].value, `goals are "every" or "witnessed", not %q`, goals)
	}
}

// named returns the processes that assumptions name, and made-up ones if these are few: the
// real ones are not known before the program is read or the host started.
func named(bounds map[string]string) []string {
	var processes []string
	ends := func(c rune) bool { return c == ',' || c == '>' || c == '*' || unicode.IsSpace(c) }
	for _, key := range []string{"never-crash", "reliable"} {
		for _, name := range strings.FieldsFunc(bounds[key], ends) {
			if !slices.Contains(processes, name) {
				processes = append(processes, name)
			}
		}
	}
	for item := range strings.SplitSeq(bounds["join"], ",") {
		if name, _, joins := strings.Cut(strings.TrimSpace(item), "@"); joins && !slices.Contains(processes, name) {
			processes = append(processes, name)
		}
	}
	fewest := max(1, heardOf(bounds["deliver"]))
	switch {
	case bounds["partitions"] != "":
		fewest = max(fewest, 3) // two can only be parted by isolations
	case len(processes) > 0:
		fewest = max(fewest, 2)
	}
	for i := 0; len(processes) < fewest; i++ {
		if other := fmt.Sprintf("p%d", i); !slices.Contains(processes, other) {
			processes = append(processes, other)
		}
	}
	return processes
}

// heardOf returns the least number of processes if each receives from as many as an
// assumption says.
func heardOf(deliver string) int {
	less, minus := strings.CutPrefix(deliver, "n-")
	n, err := strconv.Atoi(less)
	switch {
	case err != nil || n > 100:
		return 1
	case minus:
		return n + 1
	default:
		return n
	}
}

// overrideErrors returns the errors of overrides in err.
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
