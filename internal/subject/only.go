package subject

import (
	"cmp"
	"slices"
	"strings"
)

// Only is a flag, or a key of a suite, that applies to systems only, or to protocols only.
type Only struct {
	Name    string // of the flag
	System  bool   // goes with systems
	Key     string // of a suite; "": the same as of the flag
	Instead string // the advice for the other kind of subject, in flags
}

// only lists the flags and keys that apply to one kind of subject.
var only = []Only{
	{"name", true, "system-name", "a program is named by its files"},
	{"property", true, "properties", "a program says itself what it promises"},
	{"strategy", true, "", "a program needs none: all its schedules are decided at once (ldfi run --strategy lineage goes through them one by one)"},
	{"executions", true, "", "a program is not searched by executions: --timeout limits it"},
	{"call-timeout", true, "", "a program has no processes that could hang: use --timeout"},
	{"seed", true, "", "nothing about a program is drawn at random"},
	{"goroutine-orders", true, "", "a program has no goroutines"},
	{"pauses", true, "", "use --isolations or --omissions with a program"},
	{"fast-clocks", true, "", "a program has no clocks"},
	{"slow-clocks", true, "", "a program has no clocks"},
	{"jumps", true, "", "a program has no clocks"},
	{"max-jump", true, "", "a program has no clocks"},
	{"failed-syncs", true, "", "a program has no disks"},
	{"terminations", true, "", "a process of a program gets no signals: use --crashes, with --crash stop and --restarts"},
	{"orders", true, "", "what is sent to a process of a program in a round is a set, without an order"},
	{"known", true, "", "a program has one promise, so a known violation leaves nothing to search"},
	{"processes", false, "", "a system says itself which processes it has"},
	{"crash", false, "", "a crashed process of a system always stops"},
	{"own", false, "", "what a process of a system sends itself is never lost"},
	{"goals", false, "", "the properties of a system say what they are judged on"},
	{"max", false, "", "the search of a system ends with the first counterexample"},
	{"max-facts", false, "", "use --executions or --timeout with a system"},
	{"memory", false, "", "the host of a system decides how much memory it takes"},
	{"max-gates", false, "", "use --executions or --timeout with a system"},
	{"workers", false, "", "the host of a system decides how many cores it uses"},
	{"solver", false, "", "a system is executed; only --strategy learn uses a SAT solver"},
	{"proof", false, "", "a certificate of a system rests on executions: see the line assuming of its answer"},
	{"repairs", false, "", "repairs add rules, and a system has none"},
	{"any-rounds", false, "rounds", "a system is executed, and has no rules: raise --eot, or write its protocol as a program"},
	{"certificate", false, "", "a certificate of a system rests on executions: see the line assuming of its answer"},
	{"within", false, "", "a system is executed: --last says in how many rounds at the end nothing fails"},
	{"sizes", false, "", "a system says itself which processes it has"},
	{"margin", false, "", "run the system again with one more fault, such as --isolations 2"},
	{"group", false, "", "only the rules of a program say that one fault set follows from another"},
	{"closure", false, "", "--round-based makes single messages of a system late"},
	{"join", false, "", "a system says itself which processes join later (System.Joins)"},
	{"durable", false, "", "a process of a system says itself what it keeps"},
	{"strict", false, "", "a system is always tested in full: --executions says how often"},
}

// InSuite returns the advice in the words of a suite, which has no commands.
func (o Only) InSuite() string {
	instead, _, _ := strings.Cut(o.Instead, " (ldfi ")
	return strings.ReplaceAll(instead, "--", "")
}

// SuiteKey returns the key of a suite that corresponds to the flag.
func (o Only) SuiteKey() string { return cmp.Or(o.Key, o.Name) }

// OnlyOther returns the flags and keys that do not apply to systems, if system, or to
// protocols.
func OnlyOther(system bool) []Only {
	return slices.DeleteFunc(slices.Clone(only), func(o Only) bool { return o.System == system })
}
