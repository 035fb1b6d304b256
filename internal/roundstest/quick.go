package roundstest

import (
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
)

// smaller are the bounds of programs that take from ten seconds to minutes within their own
// to be compared with nested loops, with a search that knows no symmetry, or with one that
// tells all violations apart, or whose conditions of all schedules are very large. They hold
// for the fix of a program as well.
var smaller = map[string]map[string]string{
	"catalogue/ratis_client":   {"eot": "18"},
	"catalogue/ratis_entries":  {"eot": "17"},
	"catalogue/zookeeper_2832": {"eot": "17", "eff": "13"},
	"catalogue/zookeeper_335":  {"crashes": "1", "restarts": "1"},
	"catalogue/zookeeper_3875": {"eot": "21", "eff": "17"},
	"catalogue/zookeeper_790":  {"eot": "11"},
	"catalogue/zookeeper_975":  {"eot": "11"},
}

// Quick returns the cases of Protocols for a comparison with something much slower than
// ldfi: those that would take very long have smaller bounds, and of the published bugs, which
// are larger than all others, there is one in four, each with its fix. Which these are depends
// on the name of the test, so that different tests look at different ones. With -long there
// are all cases, with their own bounds.
func Quick(t testing.TB) []Case {
	t.Helper()
	if isLong() {
		return Protocols(t)
	}
	return some(Small(t), t.Name())
}

// isLong tells whether -long is set.
func isLong() bool {
	long := flag.Lookup("long")
	return long != nil && long.Value.String() != long.DefValue
}

// some leaves three in four published bugs out.
func some(cases []Case, test string) []Case {
	hash := fnv.New32a()
	hash.Write([]byte(test))
	bug, last := hash.Sum32()%4, ""
	return slices.DeleteFunc(cases, func(c Case) bool {
		name := strings.TrimSuffix(strings.TrimSuffix(c.Name, ".ded"), "_fixed")
		if !strings.HasPrefix(name, "catalogue/") {
			return false
		}
		if name != last {
			bug, last = bug+1, name
		}
		return bug%4 != 0
	})
}

// Small returns the cases of Protocols for what writes the conditions of all schedules of a
// program down at once: those that would be too large always have smaller bounds.
func Small(t testing.TB) []Case {
	t.Helper()
	cases := Protocols(t)
	if err := bind(cases, smaller); err != nil {
		t.Fatal(err)
	}
	return cases
}

// bind gives cases other bounds. Each of these has to be for some case, and to leave it
// fewer rounds or schedules.
func bind(cases []Case, bounds map[string]map[string]string) error {
	unused := maps.Clone(bounds)
	for i, c := range cases {
		name := strings.TrimSuffix(strings.TrimSuffix(c.Name, ".ded"), "_fixed")
		overrides, ok := bounds[name]
		if !ok {
			continue
		}
		delete(unused, name)
		b, _, err := rounds.BoundsOf(c.Program, overrides)
		if err != nil {
			return fmt.Errorf("smaller bounds for %s: %w", c.Name, err)
		}
		if b.EOT >= c.Bounds.EOT && b.Scenarios().Cmp(c.Bounds.Scenarios()) >= 0 {
			return fmt.Errorf("smaller bounds for %s: %v are not smaller than those of the program", c.Name, overrides)
		}
		cases[i].Bounds = b
	}
	if len(unused) > 0 {
		return fmt.Errorf("smaller bounds are for programs that are not there: %s", strings.Join(slices.Sorted(maps.Keys(unused)), ", "))
	}
	return nil
}
