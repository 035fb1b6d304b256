package oracle

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// smaller are the bounds of programs that take from ten seconds to minutes within their own
// to be compared with nested loops, with a search that knows no symmetry, or with one that
// tells all violations apart, or whose conditions of all schedules are very large. They hold
// for the fix of a program as well.
var smaller = map[string]map[string]string{
	"catalogue/cassandra_3626": {"eot": "8"},
	"catalogue/mapreduce_5489": {"eot": "12"},
	"catalogue/ratis_client":   {"eot": "18"},
	"catalogue/ratis_entries":  {"eot": "17"},
	"catalogue/round_skip":     {"eot": "12"},
	"catalogue/zookeeper_2832": {"eot": "17", "eff": "13"},
	"catalogue/zookeeper_335":  {"crashes": "1", "restarts": "1"},
	"catalogue/zookeeper_3875": {"eot": "21", "eff": "17"},
	"catalogue/zookeeper_790":  {"eot": "11"},
	"catalogue/zookeeper_975":  {"eot": "11"},
}

// Quick returns, of the cases of Protocols, the smallest of each signature: of the same kinds
// of faults, and the same parts of the language. Those that would take very long have smaller
// bounds. A published bug is left out if it is large: the guard and the tests of the catalogue
// decide those. With -all there are all cases, and with -long all with their own bounds.
func Quick(t testing.TB) []Case {
	t.Helper()
	if isSet("long") {
		return Protocols(t)
	}
	all := Small(t)
	if isSet("all") {
		return all
	}
	var some []Case
	for _, i := range smallest(len(all), func(i int) (string, int) {
		c := all[i]
		return signature(c.Program, c.Bounds, c.Goals), weight(c.Program, c.Bounds)
	}) {
		if !large(all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// large tells whether a case is a published bug that costs a sweep more than ten of the
// others.
func large(c Case) bool {
	return strings.HasPrefix(c.Name, "catalogue/") && weight(c.Program, c.Bounds) > 10_000
}

// QuickExpected returns, of a file of expected verdicts, the smallest row of each signature
// and verdict; with -all or -long all.
func QuickExpected(t testing.TB, path string) []Expected {
	t.Helper()
	all, err := ReadExpected(path)
	if err != nil {
		t.Fatal(err)
	}
	if isSet("all") || isSet("long") {
		return all
	}
	var some []Expected
	for _, i := range smallest(len(all), func(i int) (string, int) {
		p, b, goals, err := all[i].Load()
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(all[i].Violated, " ", signature(p, b, goals)), weight(p, b)
	}) {
		some = append(some, all[i])
	}
	return some
}

// isSet tells whether a flag of campaigns has another value than it has by default.
func isSet(name string) bool {
	f := flag.Lookup(name)
	return f != nil && f.Value.String() != f.DefValue
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
		if b.EOT >= c.Bounds.EOT && schedules.Count(b).Cmp(schedules.Count(c.Bounds)) >= 0 {
			return fmt.Errorf("smaller bounds for %s: %v are not smaller than those of the program", c.Name, overrides)
		}
		cases[i].Bounds = b
	}
	if len(unused) > 0 {
		return fmt.Errorf("smaller bounds are for programs that are not there: %s", strings.Join(slices.Sorted(maps.Keys(unused)), ", "))
	}
	return nil
}
