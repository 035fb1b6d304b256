package main

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/docs/schema"
	"github.com/stretchr/testify/require"
)

// answered are command lines that together write every member that a schema names. They
// run in the root of the repository; PROTOCOLS is testdata/protocols, and FILES are files
// of their own.
const answered = `
run PROTOCOLS/delivery/retry.ded --max 3 --repairs
run PROTOCOLS/delivery/simple.ded --from 2
run PROTOCOLS/delivery/simple.ded --repairs
run PROTOCOLS/partitions/half.ded --repairs
run PROTOCOLS/commit/2pc.ded --repairs
run internal/advise/testdata/chain.ded --repairs
run PROTOCOLS/delivery/simple.ded --margin
run PROTOCOLS/replication/kafka_min_isr.ded --any-rounds
run PROTOCOLS/replication/kafka_isr.ded --any-rounds
run FILES/sizes.ded --any-rounds --sizes 1..2
run FILES/sizes.ded --any-rounds --sizes 2..3
run PROTOCOLS/traps/vacuous_violation.ded --any-rounds
run PROTOCOLS/commit/2pc_timeout.ded --any-rounds
run PROTOCOLS/commit/2pc_ctp.ded --within least
run PROTOCOLS/delivery/retry.ded --within least
run PROTOCOLS/delivery/retry.ded --within least --crashes 0 --deliver majority
run PROTOCOLS/commit/2pc.ded --within least
run PROTOCOLS/delivery/retry.ded --within 0
run PROTOCOLS/delivery/ack.ded --within least
run PROTOCOLS/commit/2pc_ctp.ded --within 3 --crashes 0
run PROTOCOLS/paxos/synod.ded --any-rounds --timeout 500ms
run PROTOCOLS/delivery/redundant.ded --statistics
run PROTOCOLS/delivery/retry.ded --max-facts 10
run PROTOCOLS/replog/buggy.ded --isolations 1 --margin
run PROTOCOLS/replog/buggy.ded --phase A,B,C,D
run PROTOCOLS/paxos/synod_nocheck.ded --repairs
run PROTOCOLS/choices/primary_own.ded
run PROTOCOLS/join/raft_published.ded
run PROTOCOLS/rounds/ben_or.ded
run PROTOCOLS/rounds/ben_or.ded --own lost --isolations 1
run PROTOCOLS/network/append.ded
run PROTOCOLS/elastic/v1-concurrent.ded --trace
run PROTOCOLS/delivery/retry.ded --solver 'sh FILES/once.sh FILES/asked-1'
run FILES/grows.ded --max-facts 1000
run --system 'lucky-host' --name lucky
run --system 'failing-host panics' --isolations 2 --period 1
run --system machine-host --crashes 1 --max-jump 2 --jumps 1 --restarts 1 --fast-clocks 1 --slow-clocks 1 --failed-syncs 1 --terminations 1 --executions 100
run --system linear-host --name stale
run --system linear-host --name fresh
run --system linear-host --name fresh --strategy sample --executions 10 --statistics --isolations 1
run --system election-host --name election --pauses 1 --orders 1 --strategy sample --executions 20
run --system election-host --name election-buggy --isolations 1 --period 2
run --system mirror-host --name mirror
run --system tickets-host --name tickets --strategy learn
run --system late-host --name late --isolations 1 --period 4
run --system late-host --name late --isolations 1 --period 4 --strategy exhaustive
run --system late-host --name brittle --isolations 1 --period 4
run PROTOCOLS/delivery/retry.ded --guide FILES/steers.mg
run PROTOCOLS/paxos/synod.ded --guide FILES/unreached.mg
run PROTOCOLS/commit/2pc_timeout.ded --guide FILES/committed.mg --hold
run PROTOCOLS/delivery/retry.ded --guide FILES/everywhere.mg --hold
run PROTOCOLS/delivery/retry.ded --kinds all
inject PROTOCOLS/delivery/retry.ded --guide FILES/steers.mg
inject PROTOCOLS/delivery/retry.ded --faults 'crash a@2; omit a>b@1'
inject PROTOCOLS/delivery/retry.ded --crash stop --restarts 1 --durable log --never-crash c --reliable 'a>c' --deliver majority --kernel yes --isolations 1 --own lost --faults 'crash b@3; restart b@5'
inject PROTOCOLS/delivery/retry.ded --omissions 0 --eff 0 --isolations 1 --phase A,B --at phase
inject PROTOCOLS/delivery/retry.ded --delays 1 --max-delay 2 --faults 'delay a>b@1+2'
inject --system lucky-host --name lucky --faults 'isolate b@2; isolate b@3'
inject --system tickets-host --name tickets --faults 'crash desk@8/between'
inject --system late-host --name late --faults 'seed 4; isolate a@1..4'
inject --system late-host --name brittle --faults 'isolate a@1..4'
hypotheses PROTOCOLS/delivery/retry.ded --group symmetry --cost crash=3,omit=1 --max 20
hypotheses PROTOCOLS/delivery/retry.ded --require 'crash a@1'
hypotheses PROTOCOLS/restart/2pc_forgets.ded --any-rounds --max 1
hypotheses PROTOCOLS/delivery/retry.ded --require 'omit b>c@2' --forbid 'crash a@3'
hypotheses PROTOCOLS/delivery/retry.ded --max 1 --max-gates 100
hypotheses PROTOCOLS/network/append.ded
hypotheses --system election-host --name election-buggy
hypotheses --system mirror-host --name mirror
hypotheses --recording FILES/checkout.json --max 1
whatif PROTOCOLS/delivery/retry.ded 'log(c, "hello")@4' --absent
whatif PROTOCOLS/delivery/retry.ded 'log(c, "hello")@4' --absent --require 'crash a@1' --forbid 'crash *'
whatif PROTOCOLS/delivery/retry.ded 'log(c, "hello")@4' --absent --max-facts 10
whatif --system election-host --name election 'leader(b, 2)'
waypoints PROTOCOLS/commit/2pc_ctp.ded 'outcome(r2, "commit")@8'
waypoints PROTOCOLS/commit/2pc_ctp.ded 'outcome(r2, "commit")@8' --max-facts 10
waypoints PROTOCOLS/commit/2pc_timeout.ded 'violation(_, _)'
why PROTOCOLS/delivery/retry.ded 'post(c, "hello")@6' --faults 'crash a@2; omit a>c@1'
why PROTOCOLS/delivery/retry.ded 'log(_, _)@4'
why PROTOCOLS/traps/minimum.ded 'violation(_, _)'
why PROTOCOLS/rounds/uniform_voting.ded 'violation(_, _, _, _)'
why PROTOCOLS/commit/2pc_timeout.ded 'violation(tm, r1)@5' --faults 'crash tm@3'
why PROTOCOLS/elastic/chosen.ded 'post(n2, w1)@12' --faults 'crash n1@3; omit n1>n2@2; choose input("c", "single")@1'
why PROTOCOLS/elastic/v1-concurrent.ded 'post(n2, w2)@12' --faults 'crash n1@5; omit n1>n2@4'
why PROTOCOLS/network/append.ded 'violation(l, x)@3' --faults 'duplicate c>l@1+1'
why PROTOCOLS/partitions/heartbeats.ded 'violation(b, p)@7' --faults 'cut p>b@1..9'
why PROTOCOLS/restart/2pc_forgets.ded 'violation(b, a)@6' --faults 'crash c@4; restart c@4; omit c>a@3'
why FILES/phases.ded 'post(b, _)@3'
why --system election-host --name election 'leader(a, 3)' --faults 'isolate c@1..2'
why --recording FILES/checkout.json 'failed(frontend, _, _, _)'
diff PROTOCOLS/delivery/retry.ded
diff PROTOCOLS/network/append.ded
diff PROTOCOLS/network/register.ded
diff PROTOCOLS/join/raft_published.ded
diff PROTOCOLS/delivery/simple.ded --with PROTOCOLS/delivery/redundant.ded
diff --system election-host --name election-buggy
weakest PROTOCOLS/replication/kafka_min_isr.ded --any-rounds
weakest PROTOCOLS/delivery/retry.ded
weakest PROTOCOLS/delivery/retry.ded --max-facts 10 --questions 2
weakest PROTOCOLS/rounds/uniform_voting.ded --own lost --loss isolations --questions 10
vet PROTOCOLS/delivery/retry.ded
vet PROTOCOLS/delivery/retry.ded --round-based
vet --system election-host --name election --round-based
vet PROTOCOLS/commit/2pc_timeout.ded --closure
vet PROTOCOLS/commit/3pc.ded --closure
vet --system examples-host --name cassandra-6023
vet --system tickets-host --name tickets
vet --system lucky-host --name noisy --executions 100
check FILES/suite
check FILES/suite
check ldfi.yaml
bisect PROTOCOLS/elastic/v1-concurrent.ded PROTOCOLS/elastic/v2-single.ded PROTOCOLS/elastic/v3-resync.ded
bisect FILES/old FILES/new --system 'sh host.sh' --name lucky --executions 60
import otlp internal/causality/testdata/checkout.otlp.json
query FILES/checkout.json 'c(P) :- process(P)'
doctor --quick
`

// answeredFiles are what these read.
var answeredFiles = map[string]string{
	"grows.ded": `// ldfi: processes=a,b eot=8 eff=3
n("a", 1, 1)@1;
n(X, I + 1, J)@next :- n(X, I, J);
n(X, I, J + 1)@next :- n(X, I, J);
n(X, I, J)@next :- n(X, I, J);
t(X, I, J, K) :- n(X, I, _), n(X, J, _), n(X, K, _);
violation(X) :- t(X, I, J, K), I + J + K < 0;
`,
	"steers.mg": `drop(M) :- message(M, "a", "c", _, _, R), R < 3.
deliver(M) :- message(M, "a", _, _, _, R), R < 2.
goto("start", "told") :- log("b", _, R).
waypoint(1, R) :- log("b", _, R).
waypoint(2, R) :- log("c", _, R), R > 5.
waypoint(3, R) :- log("d", _, R).
`,
	"committed.mg":  "waypoint(1, R) :- decides(\"r2\", \"commit\", R).\nwaypoint(2, R) :- decides(\"r1\", \"abort\", R).\n",
	"everywhere.mg": "waypoint(1, R) :- log(\"b\", _, R), log(\"c\", _, R).\n",
	"unreached.mg":  "waypoint(1, R) :- accepts(_, 9, _, R).\n",
	"phases.ded": `// ldfi: processes=a,b eot=3 isolations=1 phase=Ask,Tell,Go reliable=a>b
n("a", 1)@1; n("a", 2)@1; n("a", 3)@1; n("a", 4)@1; n("a", 5)@1; n("a", 6)@1; n("a", 7)@1;
peer("a", "b")@1;
n(X, N)@next :- n(X, N);
peer(X, Y)@next :- peer(X, Y);
m(Y, N)@async :- n(X, N), peer(X, Y);
post(X, N) :- m(X, N);
pre(X, N) :- post(X, N);
`,
	"sizes.ded": "// ldfi: processes=a,b eot=3\nchoose one n(each)@1;\nn(P)@next :- n(P);\nall(count<P>) :- n(P);\nviolation(P) :- n(P), all(N), N > 2;\n",
	"suite/ldfi.yaml": `cases:
  - {name: lucky, system: lucky-host, system-name: lucky}
  - {name: never, system: lucky-host, system-name: never, executions: 30}
  - {name: wrong, files: wrong.ded}
  - {name: ever, files: ever.ded, rounds: any}
`,
	"once.sh":         "[ -e $1 ] && echo s UNKNOWN && exit 0; touch $1; echo s UNSATISFIABLE; exit 20\n", // a solver that answers once
	"suite/ever.ded":  "// ldfi: processes=a,b eot=3\nn(\"a\")@1;\nn(P)@next :- n(P);\nviolation(P) :- n(P), n(\"b\");\n",
	"suite/wrong.ded": "post(X) :- pre(Y).\n",
	"old/host.sh":     "LDFI_TEST_LUCK=0 exec lucky-host\n",
	"new/host.sh":     "exec lucky-host\n",
}

// confirms is where members of confirm occur, which needs rights.
const confirms = "TestConfirm"

// seldom are the members that the command lines above do not bring about, and why.
var seldom = map[string]string{
	"Answer.at_least": "as run.at_least",
	"Answer.guidance": "as run.guidance",
	"whatif.at_least": "as run.at_least",
	"Answer.horizons": "as run.horizons",
	"confirm.seen":    confirms, "confirm.executions": confirms, "confirm.schedule": confirms, "confirm.property": confirms, "confirm.round": confirms,
	"confirm.outcomes": confirms, "confirm.notes": confirms, "confirm.stopped": confirms,
	"Variant.executions": confirms, "Variant.later": confirms, "Variant.violations": confirms, "Variant.seen": confirms,
	"Difference.held": "as diff.held", "Difference.only": "as diff.only",
	"progress.best":       "a search that goes on while a fault set is at hand: TestStoppedSearchHasABound",
	"KeptResult.known":    "a finding that is known, in a suite that goes past it",
	"Beyond.reason":       "a question beyond the bounds that is not decided",
	"import.unreached":    "a trace has no crashes at points; other recordings have",
	"Execution.warnings":  "a server that listens where nobody reaches it: testdata/script/server.txtar",
	"import.warnings":     "as Execution.warnings",
	"Late.broken":         "an execution that is late and violates something else by then: TestWhatIsLateMayBreakSomething",
	"Arrival.later":       "a fact of a system that comes later without a message",
	"Cause.settings":      "two versions that differ in their settings alone",
	"Check.advice":        "a Go that ldfi has no edits for: testdata/script/overlay.txtar",
	"Continued.limit":     "an execution that is too long to be continued",
	"Continued.unasked":   "something that is awaited by those whom clients ask once: TestNothingIsAskedAgain",
	"Outcome.more":        "an outcome with more supports than are listed",
	"Test.never":          "a point at which a process could crash and to which none comes",
	"Sizes.reason":        "proofs of which there is no time to compare them",
	"Size.reason":         "a number of processes for which the time is up",
	"weakest.interrupted": "a table that the time has ended",
	"Certificate.untried": "a search that was ended while it tried later starts: TestSmallerAsByGoingOnWithEach",
	"Search.untried":      "as Certificate.untried",
	"Search.known":        "what a search goes past: testdata/script/long/known.txtar",
	"Search.past":         "what a search goes past: testdata/script/long/known.txtar",
	"Test.unnamed":        "a system only some processes of which have fingerprints",
}

// Every member that a schema names is there in what some command writes.
func TestMembersOccur(t *testing.T) {
	if !*everything {
		t.Skip("-long asks for it")
	}
	files := t.TempDir()
	t.Chdir("../..")
	ownCache(t, t.TempDir())
	t.Setenv("GITHUB_ACTIONS", "")
	for name, text := range answeredFiles {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(files, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(files, name), []byte(text), 0o644))
	}
	recording, _, code := called(t, "import", "otlp", "internal/causality/testdata/checkout.otlp.json", "--output", "json")
	require.Zero(t, code)
	require.NoError(t, os.WriteFile(filepath.Join(files, "checkout.json"), []byte(recording), 0o644))

	asked := answered
	if _, err := exec.LookPath("cadical"); err == nil {
		asked += "run PROTOCOLS/delivery/redundant.ded --solver 'cadical -q' --proof FILES/proof.drat\n"
	}
	asked += "run PROTOCOLS/restart/2pc_recovers.ded --any-rounds --certificate FILES/out.aig\n"
	seen := map[string]bool{}
	for line := range strings.Lines(strings.TrimPrefix(asked, "\n")) {
		args := append(words(t, strings.NewReplacer("PROTOCOLS", "testdata/protocols", "FILES", files).Replace(strings.TrimSpace(line))), "--output", "json")
		out, stderr, _ := called(t, args...)
		require.NotEmpty(t, out, "%s%s", line, stderr)
		note(t, seen, formOf(args), out)
	}
	// A worker does what is asked last, while there is no connection to its server.
	require.NoError(t, os.Mkdir(filepath.Join(files, "bin"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(files, "bin", "ldfi-cluster"), []byte("#!/bin/sh\nexec fake-cluster \"$@\"\n"), 0o755))
	t.Setenv("PATH", filepath.Join(files, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("LDFI_TEST_CLUSTER", "lost")
	for _, asked := range []string{
		"--system=mirror-host --name=mirror", "testdata/protocols/delivery/retry.ded --solver='sh " + files + "/once.sh " + files + "/asked-3'",
		"testdata/protocols/delivery/simple.ded --strategy=lineage --workers=nats://host",
	} {
		_, stderr, _ := called(t, words(t, "run --progress=json "+asked)...)
		for line := range strings.Lines(stderr) {
			if strings.HasPrefix(line, "{") {
				require.NoError(t, checkForm("progress", []byte(line)))
				note(t, seen, "progress", line)
			}
		}
	}

	var missing []string
	for _, form := range schema.Names() {
		if form == "workers" { // which ldfi-cluster writes
			continue
		}
		s, err := schemaOf(form)
		require.NoError(t, err)
		for member := range s.members() {
			if !seen[member] && !slices.Contains(missing, member) {
				missing = append(missing, member)
			}
		}
	}
	if asked == answered {
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == "run.proof" || strings.HasPrefix(m, "Proof.") })
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(seldom)), missing)
}

// note takes note of the members of what was written.
func note(t *testing.T, seen map[string]bool, form, text string) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber() // counts of schedules may have any size
	var all []any
	for {
		var one any
		if err := d.Decode(&one); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		all = append(all, one)
	}
	for i, one := range all {
		if form == "run-trace" && i == len(all)-1 {
			form = "run"
		}
		s, err := schemaOf(form)
		require.NoError(t, err)
		s.see(seen, s.name(), s.document, one)
	}
}

// members are the members of objects that a schema names, each as Answer.verdict.
func (s *strict) members() map[string]bool {
	all := map[string]bool{}
	add := func(name string, node any) {
		for member, inner := range node.(map[string]any)["properties"].(map[string]any) {
			all[name+"."+member] = true
			for _, one := range list(inner.(map[string]any)["anyOf"]) {
				if one.(map[string]any)["type"] == "null" {
					all[name+"."+member+" is null"] = true
				}
			}
		}
	}
	add(s.name(), s.document)
	defs, _ := s.document["$defs"].(map[string]any)
	for name, node := range defs {
		if _, ok := node.(map[string]any)["properties"]; ok {
			add(name, node)
		}
	}
	return all
}

// name is that of the whole document.
func (s *strict) name() string {
	return strings.TrimSuffix(filepath.Base(s.document["$id"].(string)), ".json")
}

// see takes note of the members that some JSON has.
func (s *strict) see(seen map[string]bool, name string, node, instance any) {
	n := node.(map[string]any)
	if ref, ok := n["$ref"].(string); ok {
		name = strings.TrimPrefix(ref, "#/$defs/")
		s.see(seen, name, s.document["$defs"].(map[string]any)[name], instance)
		return
	}
	for _, one := range list(n["anyOf"]) {
		if kind := one.(map[string]any)["type"]; kind != "null" && instance != nil {
			s.see(seen, name, one, instance)
		}
	}
	switch instance := instance.(type) {
	case []any:
		for _, item := range instance {
			if n["items"] != nil {
				s.see(seen, name, n["items"], item)
			}
		}
	case map[string]any:
		properties, _ := n["properties"].(map[string]any)
		for member, value := range instance {
			if inner, ok := properties[member]; ok {
				seen[name+"."+member] = true
				if value == nil {
					seen[name+"."+member+" is null"] = true
				}
				s.see(seen, "", inner, value)
			} else if inner, ok := n["additionalProperties"].(map[string]any); ok {
				s.see(seen, "", inner, value)
			}
		}
	}
}

func list(node any) []any {
	all, _ := node.([]any)
	return all
}
