package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// subjects are what each command can be asked about, by name, with the arguments
// that ask it. Every flag of the command is tried with each.
var subjects = []struct{ command, name, args string }{
	{"run", "file", "p.ded"},
	{"run", "files", "rules.ded facts.ded"},
	{"run", "system", "--system election-host --name election-buggy"},
	{"inject", "file", "p.ded"},
	{"inject", "system", "--system election-host --name election-buggy"},
	{"confirm", "cluster", "none.yaml --faults 'crash n@2'"},
	{"explore", "file", "p.ded --keys=l --screen=200x40"},
	{"explore", "system", "--system election-host --name election-buggy --keys=l --screen=200x40"},
	{"hypotheses", "file", "p.ded"},
	{"hypotheses", "recording", "--recording traced.json"},
	{"whatif", "file", "p.ded log(c,_)@4 --absent"},
	{"waypoints", "file", "p.ded log(c,_)@4"},
	{"weakest", "file", "p.ded --questions=12"},
	{"hypotheses", "system", "--system election-host --name election-buggy"},
	{"diff", "system", "--system election-host --name election-buggy"},
	{"why", "system", "--system election-host --name election-buggy leader(b,_)"},
	{"whatif", "system", "--system election-host --name election-buggy leader(b,2)"},
	{"learn", "system", "--system election-host --name election-buggy -o m.ded"},
	{"export", "file", "p.ded --formula f.cnf"},
	{"export", "recording", "--recording recording.json --shiviz out.log"},
	{"import", "otlp", "otlp trace.json"},
	{"why", "file", "p.ded post(c,_)"},
	{"why", "recording", "--recording traced.json ended(frontend,_,_)"},
	{"diff", "file", "p.ded"},
	{"vet", "file", "p.ded"},
	{"vet", "system", "--system election-host --name election-buggy"},
	{"test", "nothing", ""},
	{"check", "suite", "suite.yaml"},
	{"check", "reports", "--merge 1.json 2.json"},
	{"bisect", "files", "p.ded q.ded"},
	{"bisect", "directories", "one two"},
	{"bisect", "hosts", "one two --system election-host"},
	{"bisect", "git", "--git v1..v2 p.ded"},
	{"bisect", "git-hosts", "--git v1..v2 --system election-host"},
	{"bisect", "releases", "--module example.com/m --versions v1.0.0,v1.1.0 --system 'go run ./host'"},
	{"report", "finding", "found.json"},
	{"query", "recording", "recording.json late(P,V,R):-log(P,V,R),R>2"},
	{"query", "stdin", "- late(P,V,R):-log(P,V,R),R>2"},
	{"fmt", "file", "ugly.ded"},
	{"fmt", "stdin", ""},
	{"init", "nothing", ""},
	{"version", "nothing", ""},
	{"man", "directory", "pages"},
	{"overlay", "nothing", ""},
	{"doctor", "nothing", ""},
	{"mcp", "stdin", ""},
	{"lsp", "stdin", ""},
	{"serve", "nothing", ""},
	{"worker", "nothing", ""},
	{"workers", "nothing", ""},
	{"unit", "stdin", ""},
	{"completion bash", "nothing", ""},
	{"completion fish", "nothing", ""},
	{"completion powershell", "nothing", ""},
	{"completion zsh", "nothing", ""},
}

// trial says what a flag does: with this value it makes a difference to what the
// command prints, to its exit code or to the files that it writes, beside these
// further arguments (* is every flag); or it is refused in these words, and the command says where
// there is help.
type trial struct {
	where   string // patterns of path.Match for "command/subject", any of them
	flag    string
	value   string
	beside  string
	asked   string // what is asked about, if it is not what the subject says
	refused string
	as      string // the flag acts as it does for another subject, and is only not refused here
}

// What the commands can be asked about, as patterns.
const (
	programs  = "run/file* inject/file hypotheses/file whatif/file export/file why/file diff/file vet/file bisect/files bisect/directories bisect/git"
	searched  = "run/file* hypotheses/file whatif/file export/file diff/file bisect/files bisect/directories bisect/git"
	listed    = "hypotheses/system whatif/system"
	asSystem  = "run/system learn/system hypotheses/system whatif/system diff/system bisect/hosts bisect/git-hosts"
	ofSystem  = "run/* inject/* explore/* hypotheses/* whatif/* diff/* why/* learn/* vet/*"
	bisecting = "bisect/*"
	cut       = "--faults='omit a>c@1'"
	isolated  = "--faults='isolate c@1'"
	crashed   = "--faults='crash a@2; omit a>c@1'"
)

// calls are what a client of ldfi mcp writes: it asks why a fact holds.
const calls = `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
{"jsonrpc": "2.0", "method": "notifications/initialized"}
{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "why", "arguments": {"files": ["p.ded"], "fact": "post(c, _)"}}}
`

// trials has a row for every flag of every command with every subject; of those
// that fit, the first counts.
var trials = []trial{
	// What a guide decides.
	{where: "run/file* run/system inject/* bisect/files bisect/directories bisect/git bisect/hosts bisect/git-hosts", flag: "guide", value: "steers.mg"},
	{where: "run/file*", flag: "hold", value: "true", beside: "--guide=held.mg"},
	{where: "run/system", flag: "hold", value: "true", beside: "--guide=led.mg --isolations=2"},
	{where: "*/*", flag: "hold", value: "true", refused: "--hold leaves unharmed what leads to the waypoints of a guide: name one with --guide"},

	// The facts before another one.
	{where: "waypoints/file", flag: "goals", value: "witnessed", refused: "says how a promise is judged, and waypoints asks for a fact in its place"},
	{where: "waypoints/file", flag: "system", value: "election-host", refused: "does not go with waypoints: the rules of a system are not known"},
	{where: "waypoints/file", flag: "within", value: "1", refused: "asks about any number of rounds, which "},
	{where: "waypoints/file", flag: "processes", value: "a,b,c,d"},
	{where: "waypoints/file", flag: "eot", value: "7"},
	{where: "waypoints/file", flag: "bounds", value: "eot=6"},
	{where: "waypoints/file", flag: "choices", value: "0", asked: "chosen.ded log(_,_)"},
	{where: "waypoints/file", flag: "crash", value: "stop"},
	{where: "waypoints/file", flag: "own", value: "lost", asked: "own.ded lost(a) --isolations=1"},
	{where: "waypoints/file", flag: "period", value: "2", beside: "--isolations=1"},
	{where: "waypoints/file", flag: "phase", value: "Ask,Vote", beside: "--isolations=1"},
	{where: "waypoints/file", flag: "crashes", value: "0"},
	{where: "waypoints/file", flag: "from", value: "2"},
	{where: "waypoints/file", flag: "at", value: "phase", beside: "--isolations=1 --period=2"},
	{where: "waypoints/file", flag: "max-delay", value: "2", beside: "--delays=1"},
	{where: "waypoints/file", flag: "restarts", value: "1", beside: "--crash=stop"},
	{where: "waypoints/file", flag: "durable", value: "log,node", beside: "--crash=stop --restarts=1"},
	{where: "waypoints/file", flag: "join", value: "c@3"},
	{where: "waypoints/file", flag: "deliver", value: "2"},
	{where: "waypoints/file", flag: "kernel", value: "yes"},
	{where: "waypoints/file", flag: "never-crash", value: "a"},
	{where: "waypoints/file", flag: "reliable", value: "a>c"},
	{where: "waypoints/file", flag: "kinds", value: "all"},
	{where: "waypoints/file", flag: "max-facts max-gates eff from crashes omissions isolations partitions cuts delays duplicates", value: "1"},
	// Bounds as they stand in programs: each acts, or is refused, as its own flag.
	{where: "confirm/cluster", flag: "bounds", value: "eot=3 crashes=1", as: "confirm/cluster"},
	{where: "hypotheses/recording why/recording export/recording", flag: "bounds", value: "eot=3", refused: "does not go with --recording, which is of one execution"},
	{where: "vet/system", flag: "bounds", value: "crashes=1", refused: "does not go with --system; its self-tests draw schedules within bounds of their own"},
	{where: "vet/file", flag: "bounds", value: "crashes=0", beside: "odd.ded"},
	{where: "why/file weakest/file", flag: "bounds", value: "eot=4"},
	{where: "why/system", flag: "bounds", value: "eot=1"},
	{where: "inject/*", flag: "bounds", value: "crashes=2 isolations=1", beside: "--output=json"},
	{where: "bisect/releases", flag: "bounds", as: "bisect/hosts"},
	{where: "*/file* bisect/directories bisect/git", flag: "bounds", value: "eot=4 crashes=0"},
	{where: "*/system bisect/*", flag: "bounds", value: "crashes=2"},

	// Of servers as they are, which are tried in testdata/scripts/server.txtar.
	{where: ofSystem + " bisect/*", flag: "tick", value: "5ms", refused: "goes with --server"},
	{where: ofSystem, flag: "files", value: "1", refused: "goes with --server"},
	{where: ofSystem + " bisect/*", flag: "nodes client env requests apart epoch calls checker last poll release", value: "1", refused: "goes with --server"},
	{where: "bisect/hosts bisect/git-hosts bisect/releases", flag: "steps", value: "./node", refused: "--steps and --system: there can be one of these"},
	{where: "bisect/files", flag: "steps", value: "./node", refused: "--steps is run in directories"},
	{where: "bisect/directories", flag: "steps", value: "sh node.sh", beside: "--eot 2 --executions 2"},
	{where: "bisect/git", flag: "steps", value: "./node", refused: "--steps and p.ded: with git the versions of a system are its revisions"},
	{where: "bisect/hosts bisect/git-hosts bisect/releases", flag: "server", value: "./kvd", refused: "--server and --system: there can be one of these"},
	{where: "bisect/files", flag: "server", value: "./kvd", refused: "--server is built in directories"},
	{where: "bisect/directories", flag: "server", value: "./kvd"},
	{where: "bisect/git", flag: "server", value: "./kvd", refused: "--server and p.ded: with git the versions of a system are its revisions"},
	{where: ofSystem, flag: "workload consistency services", value: "echo", refused: "goes with --maelstrom"},
	{where: "*/system", flag: "maelstrom", value: "./node", beside: "--workload echo", refused: "--maelstrom and --system: there can be one of these"},
	{where: "run/files inject/file explore/file hypotheses/file whatif/file why/file diff/file vet/file run/file", flag: "maelstrom", value: "./node", beside: "--workload echo", refused: "--maelstrom and the file "},
	{where: "hypotheses/recording why/recording", flag: "maelstrom", value: "./node", beside: "--workload echo", refused: "does not go with --recording, which is of one execution"},
	{where: "*/system", flag: "steps", value: "./node", refused: "--steps and --system: there can be one of these"},
	{where: "run/files inject/file explore/file hypotheses/file whatif/file why/file diff/file vet/file run/file", flag: "steps", value: "./node", refused: "--steps and the file "},
	{where: "hypotheses/recording why/recording", flag: "steps", value: "./node", refused: "does not go with --recording, which is of one execution"},
	{where: "*/system", flag: "server", value: "./kvd", refused: "--server and --system: there can be one of these"},
	{where: "run/files inject/file explore/file hypotheses/file whatif/file why/file diff/file vet/file run/file", flag: "server", value: "./kvd", refused: "--server and the file "},
	{where: "hypotheses/recording why/recording", flag: "server", value: "./kvd", refused: "does not go with --recording, which is of one execution"},

	// Of confirm, which is executed in TestConfirm, where there are the rights; that none.yaml is
	// missing is no wrong flag.
	{where: "confirm/cluster", flag: "within", value: "1", refused: "asks about any number of rounds, which confirm does not"},
	{where: "confirm/cluster", flag: "faults", value: "crash"},
	{where: "confirm/cluster", flag: "eot", value: "0", refused: "a number of rounds is needed"},
	{where: "confirm/cluster", flag: "nodes client files requests env apart epoch checker poll", value: "1", refused: "does not go with a file: none.yaml says it"},
	{where: "confirm/cluster", flag: "tick", value: "5ms", refused: "does not go with a file: none.yaml says it"},
	{where: "confirm/cluster", flag: "server", value: "./kvd", refused: "--server and none.yaml: there can be one of these"},
	{where: "confirm/cluster", flag: "steps", value: "./node", refused: "does not go with confirm"},
	{where: "confirm/cluster", flag: "rounds-as", value: "20ms", as: "confirm/cluster"},
	{where: "confirm/cluster", flag: "output", value: "json", as: "confirm/cluster"},
	{where: "confirm/cluster", flag: "*", value: "1", as: "confirm/cluster"}, // of bounds, which lines of inject have, and those that need an execution

	// Of recordings.
	{where: "export/recording", flag: "shiviz otlp graph mermaid diagram", value: "out.txt"},
	{where: "export/recording", flag: "recording", value: "traced.json"},
	{where: "report/finding", flag: "out", value: "found.html"},
	{where: "hypotheses/recording", flag: "recording", value: "recording.json"}, // which is of no trace
	{where: "hypotheses/recording", flag: "outcome", value: "ended(payment,_,_)"},
	{where: "hypotheses/recording", flag: "max", value: "1"},
	{where: "hypotheses/recording", flag: "output", value: "json"},
	{where: "hypotheses/recording", flag: "margin", value: "true", refused: "does not go with hypotheses, which lists what breaks the promise"},
	{where: "hypotheses/recording", flag: "progress", value: "json", refused: "does not go with --recording, which is of one execution"},
	{where: "why/recording hypotheses/recording export/recording", flag: "timeout call-timeout", value: "1s", refused: "does not go with --recording, which is of one execution"},
	{where: "why/recording hypotheses/recording export/recording", flag: "memory", value: "1GB", refused: "does not go with --recording, which is of one execution"},
	{where: "hypotheses/recording export/recording", flag: "*", value: "1", refused: "does not go with --recording, which is of one execution"},
	{where: "why/recording", flag: "recording", value: "recording.json"}, // which is of a program
	{where: "why/recording", flag: "output", value: "json"},
	{where: "why/recording", flag: "margin", value: "true", as: "why/file"},
	{where: "why/recording", flag: "*", value: "1", refused: "does not go with --recording, which is of one execution"},
	{where: "why/file", flag: "recording", value: "recording.json", refused: "why --recording needs a fact, and no other file"},
	{where: "why/system", flag: "recording", value: "recording.json", refused: "does not go with --recording, which is of one execution"},
	{where: "hypotheses/file export/file", flag: "recording", value: "recording.json", refused: "--recording and the file p.ded: there can be one of these"},
	{where: "hypotheses/file", flag: "outcome", value: "ended(cart,_,_)", refused: "is about the recording of a trace: name one by --recording"},
	{where: "export/file", flag: "shiviz otlp mermaid diagram", value: "out.txt", refused: "is about a recording: name one by --recording"},
	{where: "mcp/stdin", flag: "timeout", value: "1ns"},
	{where: "mcp/stdin", flag: "max-facts max-gates", value: "1"},
	{where: "mcp/stdin", flag: "memory", value: "1kB"},
	{where: "mcp/stdin", flag: "allow-hosts", value: "true"}, // there is no suite
	{where: "import/otlp", flag: "trace", value: "1"},        // which the file does not have
	{where: "import/otlp", flag: "hide", value: "Charge"},
	{where: "import/otlp", flag: "show", value: "failed"},

	// Of releases that are not there.
	{where: "bisect/releases", flag: "module versions", value: "v1.2.0"},
	{where: "bisect/releases", flag: "dir", value: "one"},
	{where: "bisect/releases", flag: "git", value: "v1..v2", refused: "there can be one of these"},
	{where: "bisect/releases", flag: "revisions", value: "v1,v2", refused: "there can be one of these"},
	{where: "bisect/releases", flag: "eot eff from crashes omissions isolations period phase at choices restarts pauses partitions cuts fast-clocks slow-clocks jumps max-jump failed-syncs terminations delays duplicates max-delay kinds orders never-crash reliable deliver kernel timeout strategy executions seed goroutine-orders guide hold name system property cache first-bad output", as: "bisect/hosts"},
	{where: "bisect/releases", flag: "inputs", as: "bisect/hosts"},

	{where: "bisect/releases", flag: "call-timeout", value: "1s", as: "bisect/hosts"},

	// A flag that goes with another kind of subject.
	{where: "vet/system", flag: "processes crash goals max-facts max-gates strict durable join", value: "1", refused: "does not go with --system; "},
	{where: "vet/system", flag: "eot eff from crashes omissions isolations partitions cuts delays duplicates max-delay kinds period phase at choices property never-crash reliable deliver kernel restarts", value: "1", refused: "does not go with --system; its self-tests draw schedules within bounds of their own"},
	{where: "run/system inject/system bisect/hosts bisect/git-hosts bisect/releases", flag: "processes crash goals max max-facts max-gates strict durable join", value: "1", refused: "does not go with --system; "},
	{where: "bisect/hosts bisect/git-hosts", flag: "files", value: "p.ded", refused: "--files goes with directories of a protocol"},
	{where: programs, flag: "name property strategy executions seed pauses fast-clocks slow-clocks jumps max-jump failed-syncs terminations orders", value: "1", refused: "goes with --system; "},
	{where: programs, flag: "goroutine-orders", value: "true", refused: "goes with --system; a program has no goroutines"},
	{where: "bisect/git", flag: "system", value: "election-host", refused: "with git the versions of a system are its revisions"},
	{where: "bisect/directories", flag: "system", value: "election-host"},
	{where: "bisect/files", flag: "system", value: "election-host", refused: "--system is run in directories; p.ded is a file"},
	{where: "bisect/releases", flag: "files", value: "p.ded", refused: "--files goes with directories of a protocol"},
	{where: "inject/file vet/file run/file* hypotheses/file whatif/file why/file diff/file", flag: "system", value: "election-host", refused: "--system and the file "},

	{where: programs, flag: "call-timeout", value: "1s", refused: "goes with --system; "},

	// Bounds are in the first line of the screen, and so is what is explored.
	{where: "explore/file", flag: "name property pauses orders fast-clocks slow-clocks jumps max-jump failed-syncs terminations", value: "1", refused: "goes with --system; "},
	{where: "explore/file", flag: "call-timeout", value: "1s", refused: "goes with --system; "},
	{where: "explore/file", flag: "system", value: "election-host", refused: "--system and the file "},
	{where: "explore/system", flag: "processes crash goals max-facts max-gates durable join", value: "1", refused: "does not go with --system; "},
	{where: "explore/system", flag: "own", value: "lost", refused: "does not go with --system; "},
	{where: "explore/file", flag: "max-facts max-gates", value: "1"},
	{where: "explore/*", flag: "keys", value: "right"},
	{where: "explore/*", flag: "screen", value: "40x20"},
	{where: "explore/file", flag: "executions", value: "1", refused: "goes with --system; "},
	{where: "explore/system", flag: "executions", value: "2", asked: "--system election-host --name election-buggy --keys=n"},
	{where: "explore/system", flag: "pauses orders fast-clocks slow-clocks jumps failed-syncs terminations", value: "1"},
	{where: "explore/system", flag: "max-jump", value: "2", beside: "--jumps=1"},
	{where: "explore/system", flag: "max", value: "3", asked: "--system election-host --name election-buggy --isolations=1 --keys=n"},
	{where: "explore/system", flag: "size", value: "1", asked: "--system election-host --name election --isolations=2 --crashes=1 --keys='n 2'"},
	{where: "explore/system", flag: "cost", value: "isolate=3", asked: "--system election-host --name election-buggy --keys='n 2'"},
	{where: "explore/file", flag: "max", value: "1", asked: "p.ded --keys=n"},
	{where: "explore/file", flag: "size", value: "1", asked: "p.ded --keys=n"},
	{where: "explore/file", flag: "cost", value: "crash=3", asked: "p.ded --keys='n 2'"},
	{where: "explore/*", flag: "faults", value: "crash a@1"},
	{where: "explore/*", flag: "crashes", value: "2"},
	{where: "explore/*", flag: "isolations partitions cuts delays duplicates", value: "1"},
	{where: "explore/system", flag: "omissions eff", value: "1"},
	{where: "explore/file", flag: "eff omissions eot", value: "1"},
	{where: "explore/system", flag: "eot", value: "3"},
	{where: "explore/*", flag: "never-crash", value: "c", beside: "--crashes=1"},
	{where: "explore/*", flag: "period", value: "3", beside: "--isolations=1"},
	{where: "explore/*", flag: "phase", value: "Ask,Vote", beside: "--isolations=1"},
	{where: "explore/*", flag: "at", value: "phase", beside: "--isolations=1 --period=3"},
	{where: "explore/*", flag: "kinds", value: "all", beside: "--omissions=1"},
	{where: "explore/*", flag: "max-delay", value: "2", beside: "--delays=1"},
	{where: "explore/*", flag: "reliable", value: "a>c", beside: "--isolations=1"},
	{where: "explore/*", flag: "deliver", value: "majority", beside: "--crashes=1"},
	{where: "explore/*", flag: "kernel", value: "yes", beside: "--crashes=1"},
	{where: "explore/file", flag: "own", value: "lost", beside: "--isolations=1"},
	{where: "explore/file", flag: "processes", value: "a,b,c,d"},
	{where: "explore/file", flag: "crash", value: "stop"},
	{where: "explore/file", flag: "goals", value: "witnessed", beside: "--eot=1"},
	{where: "explore/file", flag: "restarts", value: "1", beside: "--crash=stop"},
	{where: "explore/file", flag: "durable", value: "log", beside: "--crash=stop --restarts=1"},
	{where: "explore/file", flag: "join", value: "c@3"},
	{where: "explore/file", flag: "choices", value: "1", asked: "chosen.ded --keys=l --screen=200x40"},
	{where: "explore/system", flag: "choices", value: "0", asked: "--system mirror-host --name mirror --keys=l --screen=200x40"},
	{where: "explore/system", flag: "restarts", value: "1", beside: "--crashes=1"},
	{where: "explore/system", flag: "system", value: "election-host"},
	{where: "explore/system", flag: "name", value: "election"},
	{where: "explore/system", flag: "property", value: "never.mg"},
	{where: "explore/system", flag: "call-timeout", value: "20ms", beside: "--system='failing-host slow' --name=failing --faults='isolate b@3'"},
	// Two executions of a system.
	{where: "diff/system", flag: "processes crash goals max-facts max-gates durable join", value: "1", refused: "does not go with --system; "},
	{where: "diff/system", flag: "own", value: "lost", refused: "does not go with --system; "},
	{where: "diff/system", flag: "name", value: "election"},
	{where: "diff/system", flag: "system", value: "election-host"},
	{where: "diff/system", flag: "property", value: "never.mg"},
	{where: "diff/system", flag: "executions", as: "hypotheses/system"},
	{where: "diff/system", flag: "seed", value: "7", asked: "--system mirror-host --name mirror --pauses=1"},
	{where: "diff/system", flag: "faults", value: "isolate c@3..4"},
	{where: "diff/system", flag: "against", value: "isolate c@1..2"},
	{where: "diff/system", flag: "with", value: "p.ded", refused: "--with goes with files"},
	{where: "diff/system", flag: "with-name", value: "election"},
	{where: "diff/system", flag: "with-system", value: "election-host"},
	{where: "diff/system", flag: "call-timeout", value: "20ms", as: "run/system"},
	{where: "diff/system", flag: "choices", value: "0", as: "run/system"},
	{where: "diff/system", flag: "fast-clocks slow-clocks jumps failed-syncs terminations max-jump restarts max-delay kinds", as: "run/system"},

	// A fact of a system.
	{where: "why/system", flag: "eff from crashes omissions isolations partitions cuts delays duplicates max-delay kinds period at goals restarts choices", value: "1", refused: "changes nothing about one execution; "},
	{where: "why/system", flag: "processes crash max-facts max-gates durable join", value: "1", refused: "does not go with --system; "},
	{where: "why/system", flag: "own", value: "lost", refused: "does not go with --system; "},
	{where: "why/system", flag: "depth", value: "1", refused: "does not go with --system; "},
	{where: "why/system", flag: "property", value: "never.mg", refused: "is about a promise, and why about a fact"},
	{where: "why/system", flag: "phase deliver kernel", value: "n-f", as: "why/file"},
	{where: "why/system", flag: "name", value: "election"},
	{where: "why/system", flag: "system", value: "election-host"},
	{where: "why/system", flag: "call-timeout", value: "20ms", asked: "--system='failing-host slow' --name=failing --faults='isolate b@3' done(a)"},
	{where: "why/system", flag: "eot", value: "1"},
	{where: "why/system", flag: "faults", value: "isolate a@3..4"},
	{where: "why/system", flag: "never-crash", value: "a", beside: "--faults='crash a@2'"},
	{where: "why/system", flag: "reliable", value: "a>c", beside: "--faults='isolate a@3'"},
	{where: "why/system", flag: "hide show", value: "vote", as: "why/file"},

	// Fault sets of a system.
	{where: "whatif/system", flag: "goals", value: "every", refused: "says how a promise is judged"},
	{where: listed, flag: "processes crash goals max-facts max-gates durable join workers solver", value: "1", refused: "does not go with --system; "},
	{where: listed, flag: "own", value: "lost", refused: "does not go with --system; "},
	{where: "hypotheses/system", flag: "margin", value: "true", refused: "does not go with hypotheses, which lists what breaks the promise"},
	{where: listed, flag: "name", value: "election"},
	{where: listed, flag: "system", value: "election-host"},
	{where: "hypotheses/system", flag: "property", value: "never.mg"},
	{where: "whatif/system", flag: "property", as: "hypotheses/system"},
	{where: listed, flag: "executions", value: "2"},
	{where: listed, flag: "seed", value: "7"},
	{where: "hypotheses/system", flag: "call-timeout", value: "20ms", asked: "--system='failing-host slow' --name=failing"},
	{where: "whatif/system", flag: "call-timeout", value: "20ms", asked: "--system='failing-host slow' --name=failing done(a)"},
	{where: listed, flag: "fast-clocks slow-clocks jumps failed-syncs terminations max-jump restarts", as: "run/system"},
	{where: listed, flag: "max", value: "3", beside: "--isolations=1"},
	{where: "whatif/system", flag: "absent", value: "true"},
	{where: listed, flag: "require forbid", value: "isolate a@3"},
	{where: "hypotheses/system", flag: "size", value: "1", beside: "--isolations=2 --crashes=1"},
	{where: "hypotheses/system", flag: "diagram", value: "true"},
	{where: "hypotheses/system", flag: "hide", value: "vote", beside: "--diagram"},
	{where: "hypotheses/system", flag: "show", value: "leader", beside: "--diagram"},
	{where: "hypotheses/system", flag: "recording", value: "recording.json", refused: "does not go with --recording, which is of one execution"},
	{where: "hypotheses/system", flag: "outcome", value: "leader(a,_)", refused: "is about the recording of a trace: name one by --recording"},
	{where: "hypotheses/system", flag: "cost", value: "isolate=3"},
	{where: "hypotheses/system", flag: "group", value: "cause", refused: "does not go with --system; only the rules of a program say"},
	{where: "hypotheses/system", flag: "unfold", value: "true", refused: "is about groups: ask for these with --group"},
	{where: listed, flag: "choices", value: "0", as: "run/system"},
	{where: listed, flag: "progress report statistics", as: "hypotheses/file"},
	{where: "whatif/system", flag: "hide", value: "vote"},
	{where: "whatif/system", flag: "show", value: "leader"},

	// What is learned of a system.
	{where: "learn/system", flag: "processes crash goals durable join own", value: "1", refused: "does not go with --system; "},
	{where: "learn/system", flag: "out", value: "other.ded"},
	{where: "learn/system", flag: "executions", value: "3"},
	{where: "learn/system", flag: "seed", value: "7"},
	{where: "learn/system", flag: "name", value: "election"},
	{where: "learn/system", flag: "property", value: "late.mg"},
	{where: "learn/system", flag: "call-timeout", value: "20ms", as: "run/system"},
	{where: "learn/system", flag: "restarts choices delays duplicates max-delay", value: "1"},

	// A SAT solver, here one that answers nothing.
	{where: "run/system bisect/hosts bisect/git-hosts bisect/releases", flag: "solver proof", value: "false", refused: "does not go with --system; "},
	{where: "run/file* hypotheses/file whatif/file weakest/file bisect/files bisect/directories bisect/git check/suite", flag: "solver", value: "false"},
	{where: "check/reports", flag: "solver", value: "false", refused: "does not go with --merge, "},
	{where: "run/file*", flag: "proof", value: "out.drat", refused: "--proof needs --solver, which writes it"},

	// What is known.
	{where: "run/file*", flag: "known", value: "known.txt", refused: "goes with --system; "},
	{where: "run/system", flag: "known", value: "known.txt"},

	// What comes after a verdict that is holds; of another it says that nothing was asked.
	{where: "run/file*", flag: "margin", value: "true"},
	{where: "run/file*", flag: "sizes", value: "2..3", refused: "goes with --any-rounds: "},
	{where: "run/system", flag: "sizes", value: "2..3", refused: "does not go with --system; "},
	{where: "hypotheses/file", flag: "any-rounds", value: "true"},
	{where: "hypotheses/recording", flag: "any-rounds", value: "true", refused: "does not go with --recording"},
	{where: "run/file* weakest/file bisect/files bisect/directories bisect/git", flag: "any-rounds", value: "true"},
	{where: "run/system hypotheses/system bisect/hosts bisect/git-hosts bisect/releases", flag: "any-rounds", value: "true", refused: "does not go with --system; "},
	{where: "run/file*", flag: "certificate", value: "out.aig", refused: "--certificate needs --any-rounds or --within, whose proof it writes"},
	{where: "run/system", flag: "certificate", value: "out.aig", refused: "does not go with --system; "},
	{where: "run/file*", flag: "repairs", value: "true"},
	{where: "run/system", flag: "repairs", value: "true", refused: "does not go with --system; "},
	{where: "hypotheses/file", flag: "margin", value: "true", refused: "does not go with hypotheses, which lists what breaks the promise"},
	{where: "run/system", flag: "margin", value: "true", refused: "does not go with --system; "},

	// What is shown meanwhile.
	{where: "check/reports", flag: "progress", value: "json", refused: "does not go with --merge, "},
	{where: "run/* hypotheses/file whatif/file check/suite bisect/*", flag: "progress", value: "json"},

	{where: "unit/stdin", flag: "build", value: "true"},

	// A server with workers, which is not there; and what is asked again of what they say.
	{where: "check/reports", flag: "workers", value: "nats://127.0.0.1:1", refused: "does not go with --merge, "},
	{where: "check/reports", flag: "recheck", value: "5%", refused: "does not go with --merge, "},
	{where: "check/suite bisect/*", flag: "workers", value: "nats://127.0.0.1:1"},
	{where: "run/* check/suite bisect/*", flag: "recheck", value: "5%", refused: "goes with --workers URL: "},

	// Bounds that are compared, and what they are compared within.
	{where: "weakest/file", flag: "crashes eff omissions isolations partitions cuts delays duplicates max-delay kernel", value: "1", refused: "is one of the bounds that are compared: leave it out"},
	{where: "weakest/file", flag: "system", value: "election-host", refused: "does not go with weakest: each question needs a certificate"},
	{where: "weakest/file", flag: "phase", value: "Ask,Vote", beside: "--loss=isolations"},
	{where: "weakest/file", flag: "restarts", value: "1", beside: "--crash=stop"},
	{where: "weakest/file", flag: "durable", value: "log,node", beside: "--crash=stop --restarts=1"},
	{where: "weakest/file", flag: "join", value: "c@3"},
	{where: "weakest/file", flag: "eot", value: "3"},
	{where: "weakest/file", flag: "from", value: "2"},
	{where: "weakest/file", flag: "processes", value: "a,b,c,d"},
	{where: "weakest/file", flag: "crash", value: "stop", beside: "--eot=2"},
	{where: "weakest/file", flag: "goals", value: "witnessed", beside: "--eot=1"},
	{where: "weakest/file", flag: "period", value: "3", beside: "--loss=isolations"},
	{where: "weakest/file", flag: "never-crash", value: "a"},
	{where: "weakest/file", flag: "reliable", value: "a>c"},
	{where: "weakest/file", flag: "deliver", value: "3", beside: "--questions=200"},
	{where: "weakest/file", flag: "loss", value: "isolations"},
	{where: "weakest/file", flag: "questions", value: "3"},
	{where: "weakest/file", flag: "max-gates", value: "1"},

	// Bounds.
	{where: "vet/file", flag: "processes", value: "a,b,c,d", beside: "odd.ded"},
	{where: "vet/file", flag: "eot", value: "7", beside: "odd.ded"},
	{where: "why/file", flag: "processes", value: "b,c"},
	{where: programs, flag: "processes", value: "a,b,c,d"},
	{where: "why/file", flag: "eot", value: "4"},
	{where: programs, flag: "eot", value: "7"},
	{where: asSystem + " inject/system", flag: "eot", value: "3"},
	{where: "why/file", flag: "eff from crashes omissions isolations partitions cuts delays duplicates max-delay kinds period at goals restarts choices", value: "1", refused: "changes nothing about one execution; "},
	{where: "whatif/file", flag: "goals", value: "witnessed", refused: "says how a promise is judged, and whatif asks for a fact in its place"},
	{where: "whatif/file", flag: "choices", value: "0", asked: "chosen.ded log(_,_)"},
	{where: "whatif/file", flag: "absent", value: "true", asked: "p.ded log(c,_)@4"},
	{where: "vet/file", flag: "goals", value: "witnessed", asked: "under.ded"},
	{where: "vet/file", flag: "eff", value: "1", beside: "odd.ded --crashes=0"},
	{where: "vet/file", flag: "from", value: "6", asked: "rare.ded --crashes=0"},
	{where: "vet/file", flag: "crashes", value: "0", beside: "odd.ded"},
	{where: "vet/file", flag: "omissions isolations partitions cuts", value: "1", beside: "odd.ded --crashes=0 --omissions=0"},
	{where: "vet/file", flag: "phase", value: "a,b", asked: "rare.ded --crashes=0 --isolations=1"},
	{where: "why/file", flag: "phase", value: "Ask,Vote"},
	{where: "vet/file", flag: "at", value: "phase", asked: "second.ded --omissions=0 --isolations=1 --period=2"},
	{where: "weakest/file", flag: "kinds", value: "all"},
	{where: "weakest/file", flag: "at", value: "phase", refused: "weakest compares deliver and kernel, which speak about single rounds"},
	{where: "weakest/file", flag: "phase", value: "Ask,Vote,Lead", beside: "--loss=isolations"},
	{where: "inject/*", flag: "at", value: "phase", beside: isolated + " --isolations=1 --omissions=0 --output=json"},
	{where: searched + " " + asSystem, flag: "at", value: "phase", beside: "--isolations=1 --omissions=0 --period=2"},
	{where: "inject/*", flag: "phase", value: "Ask,Vote", beside: isolated + " --output=json"},
	{where: searched + " " + asSystem, flag: "phase", value: "Ask,Vote", beside: "--isolations=1"},
	{where: "vet/file", flag: "delays duplicates", value: "1", asked: "tardy.ded"},
	{where: "vet/file", flag: "kinds", value: "all", asked: "picky.ded"},
	{where: "vet/file", flag: "max-delay", value: "2", asked: "tardy.ded --delays=1"},
	{where: "vet/file", flag: "period", value: "2", asked: "rare.ded --crashes=0 --isolations=1"},
	{where: "vet/file", flag: "crash", value: "stop", asked: "rare.ded --omissions=0"},
	{where: "inject/file", flag: "eff", value: "1", beside: cut},
	{where: "inject/*", flag: "from", value: "2", beside: "--faults='crash a@1'" + " --crashes=1"},
	{where: searched + " explore/file", flag: "from", value: "2"},
	{where: asSystem + " explore/system", flag: "from", value: "2", beside: "--isolations=1"},
	{where: searched, flag: "eff", value: "2"},
	{where: asSystem, flag: "eff", value: "2", beside: "--isolations=1"},
	{where: "inject/system", flag: "eff", value: "1", beside: isolated + " --isolations=1 --output=json"},
	{where: "inject/*", flag: "crashes", value: "2", beside: "--faults='crash a@1; crash b@1' --output=json"},
	{where: "inject/*", flag: "omissions", value: "1", beside: cut + " --output=json"},
	{where: "inject/*", flag: "isolations", value: "1", beside: isolated + " --output=json"},
	{where: "inject/*", flag: "partitions cuts delays duplicates", value: "1", beside: cut + " --output=json"},
	{where: "inject/system", flag: "pauses orders", value: "1", beside: cut + " --output=json"},
	{where: "inject/system", flag: "fast-clocks slow-clocks jumps failed-syncs terminations", value: "1", asked: "--system machine-host --output=json"},
	{where: "inject/system", flag: "max-jump", value: "2", asked: "--system machine-host --jumps=1 --output=json"},
	{where: "inject/*", flag: "period", value: "3", beside: isolated + " --output=json"},
	{where: "inject/file", flag: "crash", value: "stop", beside: crashed},
	{where: "inject/file", flag: "goals", value: "witnessed", beside: "--eot=1"},
	{where: "why/file", flag: "crash", value: "stop", beside: crashed},
	{where: searched, flag: "crashes", value: "0"},
	{where: asSystem, flag: "crashes omissions isolations pauses partitions cuts", value: "1"},
	{where: asSystem, flag: "delays duplicates orders", value: "1"},
	{where: asSystem, flag: "kinds", value: "all", beside: "--omissions=1"},
	{where: asSystem, flag: "max-delay", value: "2", beside: "--delays=1"},
	{where: "run/system", flag: "fast-clocks slow-clocks jumps failed-syncs terminations", value: "1", asked: "--system machine-host"},
	{where: "run/system", flag: "max-jump", value: "2", asked: "--system machine-host --jumps=1"},
	{where: "bisect/hosts", flag: "fast-clocks slow-clocks jumps failed-syncs terminations", value: "1", asked: "one two --system machine-host"},
	{where: "bisect/hosts", flag: "max-jump", value: "2", asked: "one two --system machine-host --jumps=1"},
	{where: "bisect/git-hosts", flag: "fast-clocks slow-clocks jumps failed-syncs terminations", value: "1", asked: "--git v1..v2 --system machine-host"},
	{where: "bisect/git-hosts", flag: "max-jump", value: "2", asked: "--git v1..v2 --system machine-host --jumps=1"},
	{where: searched, flag: "omissions isolations partitions cuts delays duplicates", value: "1"},
	{where: "inject/*", flag: "kinds", value: "all", beside: cut + " --omissions=1 --output=json"},
	{where: "inject/*", flag: "max-delay", value: "2", beside: cut + " --delays=1 --output=json"},
	{where: searched, flag: "kinds", value: "all", beside: "--omissions=1"},
	{where: searched, flag: "max-delay", value: "2", beside: "--delays=1"},
	{where: searched + " " + asSystem, flag: "period", value: "2", beside: "--isolations=1"},
	{where: asSystem, flag: "restarts", value: "1", beside: "--crashes=1"},
	{where: searched, flag: "crash", value: "stop"},
	{where: searched, flag: "goals", value: "witnessed", beside: "--eot=1"},
	{where: "run/file* hypotheses/file weakest/file diff/file", flag: "choices", value: "0", asked: "chosen.ded"},
	{where: "export/file", flag: "choices", value: "0", asked: "chosen.ded --formula f.cnf"},
	{where: "inject/file", flag: "choices", value: "1", asked: "chosen.ded --output=json"},
	{where: "vet/file", flag: "choices", value: "0", asked: "chosen.ded"},
	{where: "bisect/files", flag: "choices", value: "0", asked: "p.ded chosen.ded"},
	{where: "run/system", flag: "choices", value: "0", asked: "--system mirror-host --name mirror"},
	{where: "inject/system", flag: "choices", value: "0", asked: "--system mirror-host --name mirror --faults='choose read(m)@2'"},
	{where: "bisect/hosts", flag: "choices", value: "0", asked: "one two --system mirror-host --name mirror"},
	{where: "bisect/git-hosts", flag: "choices", value: "0", asked: "--git v1..v2 --system mirror-host --name mirror"},
	{where: "bisect/directories", flag: "choices", value: "0", asked: "three four"},
	{where: "bisect/git", flag: "choices", value: "0", asked: "--git v1..v2 chosen.ded"},

	// Assumptions.
	{where: "vet/file", flag: "never-crash", value: "b", beside: "odd.ded"},
	{where: "vet/file", flag: "reliable", value: "a>c", beside: "odd.ded --crashes=0"},
	{where: "why/file", flag: "never-crash", value: "a", beside: crashed}, // which it contradicts
	{where: "why/file", flag: "reliable", value: "a>c", beside: isolated},
	{where: "inject/*", flag: "reliable", value: "a>c", beside: isolated + " --isolations=1 --output=json"},
	{where: "inject/*", flag: "never-crash", value: "c", beside: "--output=json --crashes=1"},
	{where: "vet/file", flag: "own", value: "lost", asked: "own.ded"},
	{where: "weakest/file", flag: "own", value: "lost", beside: "--loss=isolations --output=json"},
	{where: "why/file", flag: "own", value: "lost", asked: "own.ded lost(a) --faults='isolate a@1'"},
	{where: "inject/file", flag: "own", value: "lost", beside: isolated + " --isolations=1 --output=json"},
	{where: searched, flag: "own", value: "lost", beside: "--isolations=1"},
	{where: "vet/system run/system inject/system bisect/hosts bisect/git-hosts bisect/releases", flag: "own", value: "lost", refused: "does not go with --system; "},
	{where: "vet/file", flag: "deliver", value: "2", asked: "alone.ded"},
	{where: "vet/file", flag: "kernel", value: "yes", asked: "alone.ded"},
	{where: "why/file", flag: "deliver", value: "3", beside: cut}, // which it contradicts
	{where: "why/file", flag: "kernel", value: "yes", beside: "--faults='omit a>b@1; omit b>c@1; omit c>a@1'"},
	{where: "inject/*", flag: "deliver", value: "majority", beside: "--output=json --crashes=1"},
	{where: "inject/*", flag: "kernel", value: "yes", beside: "--output=json --crashes=1"},
	{where: searched, flag: "deliver", value: "n-f"},
	{where: searched, flag: "kernel", value: "yes"},
	{where: asSystem, flag: "deliver", value: "majority", beside: "--isolations=1"},
	{where: asSystem, flag: "kernel", value: "yes", beside: "--isolations=1"},
	{where: searched, flag: "never-crash", value: "a"},
	{where: searched, flag: "reliable", value: "a>c"},
	{where: asSystem, flag: "never-crash", value: "a", beside: "--crashes=1"},
	{where: asSystem, flag: "reliable", value: "*>c", beside: "--isolations=1"},

	// Any number of rounds.
	{where: "run/file* inject/file bisect/files bisect/directories bisect/git vet/file weakest/file", flag: "within", value: "1"},
	{where: "hypotheses/file whatif/file export/file why/file diff/file explore/file", flag: "within", value: "1", refused: "asks about any number of rounds, which "},
	{where: "*/system bisect/*", flag: "within", value: "1", refused: "a system is executed: --last says in how many rounds"},

	// Restarts.
	{where: "vet/file", flag: "restarts", value: "1", asked: "back.ded --crash=stop"},
	{where: "vet/file", flag: "durable", value: "node", asked: "back.ded --crash=stop --restarts=1"},
	{where: "why/file", flag: "durable", value: "log", beside: "--crash=stop --faults='crash b@3; restart b@4; crash c@3; restart c@4'"},
	{where: "inject/file", flag: "restarts", value: "1", beside: "--crash=stop --output=json"},
	{where: "inject/system", flag: "restarts", value: "1", beside: "--crashes=1 --output=json"},
	{where: "inject/file", flag: "durable", value: "log", beside: "--crash=stop --restarts=1 --output=json --faults='crash b@3; restart b@4'"},
	{where: searched, flag: "restarts", value: "1", beside: "--crash=stop"},
	{where: searched, flag: "durable", value: "log,node", beside: "--crash=stop --restarts=1"},

	// Who joins later.
	{where: "vet/file", flag: "join", value: "c@3", asked: "rare.ded"},
	{where: "why/file", flag: "join", value: "c@3"},
	{where: "inject/file", flag: "join", value: "c@3"},
	{where: searched, flag: "join", value: "c@3"},

	// Limits.
	{where: "check/reports", flag: "budget timeout", value: "1s", refused: "does not go with --merge, "},
	{where: "query/*", flag: "timeout", value: "1ns", as: "run/file"}, // what is done by then is said
	{where: "*/*", flag: "timeout", value: "1ns"},
	{where: "run/system", flag: "call-timeout", value: "20ms", beside: "--system='failing-host slow' --name=failing --isolations=1 --period=1 --executions=20 --strategy=spread"},
	{where: "inject/system", flag: "call-timeout", value: "20ms", beside: "--system='failing-host slow' --name=failing --faults='isolate b@3'"},
	{where: "bisect/hosts bisect/git-hosts", flag: "call-timeout", value: "1s", as: "run/system"},
	{where: "vet/system", flag: "call-timeout", value: "20ms", beside: "--system='failing-host slow' --name=failing --executions=3"},
	{where: "*/file*", flag: "max-facts", value: "1"},
	{where: "*/file* check/suite bisect/directories bisect/git query/*", flag: "memory", value: "1kB"},
	{where: "*/system bisect/hosts bisect/git-hosts bisect/releases", flag: "memory", value: "1GB", refused: "does not go with --system; the host of a system decides how much memory it takes"},
	{where: "check/reports", flag: "memory", value: "1GB", refused: "does not go with --merge, "},
	{where: "run/file* hypotheses/file whatif/file export/file diff/file", flag: "max-gates", value: "1"},
	{where: "inject/file why/file", flag: "max-gates", value: "1", beside: "--faults='crash a@1; crash b@2'"}, // beyond bounds that have few schedules, of which there is no circuit
	{where: "vet/file", flag: "max-gates", value: "1"},
	{where: "run/file* hypotheses/file whatif/file", flag: "max", value: "3"},
	{where: asSystem, flag: "executions", value: "1", beside: "--strategy=sample"},
	{where: "vet/system", flag: "executions", value: "1", as: "vet/system"}, // it finds nothing

	// What is asked.
	{where: "run/* inject/*", flag: "facts", value: "out.mg"},
	{where: "bisect/hosts bisect/git-hosts bisect/releases", flag: "report", value: "out.html", as: "bisect/files"},
	{where: "test/nothing", flag: "report", value: "out.html", as: "test/nothing"},
	{where: "test/nothing", flag: "output", value: "json", as: "test/nothing"},
	{where: "run/* hypotheses/file check/* bisect/*", flag: "report", value: "out.html"},
	{where: "run/*", flag: "trace", value: "true"},
	{where: "run/system inject/system", flag: "hide", value: "vote"},
	{where: "run/system inject/system", flag: "show", value: "leader"},
	{where: "run/file* inject/file whatif/file", flag: "hide show", value: "log"},
	{where: "export/file", flag: "formula graph facts", value: "out.txt"},
	{where: "export/file", flag: "assertions", value: "go", asked: "under.ded"},
	{where: "why/file", flag: "depth", value: "1"},
	{where: "inject/system", flag: "faults", value: "crash a@1"},
	{where: "inject/file why/file diff/file", flag: "faults", value: "crash a@1"},
	{where: "diff/file", flag: "against", value: "crash a@1"},
	{where: "diff/file", flag: "with", value: "q.ded"},
	{where: "diff/file", flag: "with-system with-name", value: "election-host", refused: "--with-system and --with-name go with --system"},
	{where: "hypotheses/file whatif/file", flag: "require forbid", value: "crash a@1"},
	{where: "hypotheses/file", flag: "size", value: "1"},
	{where: "hypotheses/file", flag: "group", value: "cause"},
	{where: "hypotheses/file", flag: "unfold", value: "true", beside: "--group=symmetry"},
	{where: "hypotheses/file", flag: "diagram", value: "true"},
	{where: "hypotheses/file", flag: "hide show", value: "log", beside: "--diagram"},
	{where: "hypotheses/file", flag: "cost", value: "crash=3"},
	{where: "vet/file", flag: "round-based closure", value: "true"},
	{where: "vet/system", flag: "round-based", value: "true"},
	{where: "vet/system", flag: "closure", value: "true", refused: "does not go with --system; --round-based makes single messages of a system late"},
	{where: "vet/file", flag: "strict", value: "true", beside: "odd.ded"},
	{where: asSystem + " inject/system vet/system", flag: "system", value: "election-host"},
	{where: asSystem + " inject/system vet/system", flag: "name", value: "election"},
	{where: asSystem + " inject/system", flag: "property", value: "never.mg"},
	{where: asSystem, flag: "strategy", value: "drop"},
	{where: "run/system", flag: "goroutine-orders", value: "true", beside: "--system=lucky-host --name=racing --isolations=1 --period=1"},
	{where: "bisect/hosts bisect/git-hosts", flag: "goroutine-orders", value: "true", as: "run/system"},
	{where: "run/system", flag: "statistics", value: "true", beside: "--strategy=uniform"},
	{where: "run/file* hypotheses/file whatif/file", flag: "statistics", value: "true"},
	{where: "run/file* hypotheses/file whatif/file", flag: "workers", value: "3", beside: "--statistics"},
	{where: "run/system", flag: "workers", value: "3", refused: "does not go with --system; "},
	{where: asSystem, flag: "seed", value: "7", beside: "--strategy=sample --output=json"},
	{where: "vet/system", flag: "seed", value: "7", beside: "--system=forgetful-host --name=forgetful"},

	// Versions.
	{where: "bisect/hosts bisect/git-hosts", flag: "cache", as: "bisect/directories"}, // only answers of programs that go run builds are kept
	{where: "bisect/*", flag: "cache", value: "kept"},
	{where: "bisect/*", flag: "first-bad", value: "true"},
	{where: "bisect/files bisect/directories bisect/git", flag: "inputs", value: "in.ded"},
	{where: "bisect/hosts bisect/git-hosts", flag: "inputs", value: "election"},
	{where: "bisect/directories", flag: "files", value: "p.ded"},
	{where: "bisect/files", flag: "files", value: "p.ded", refused: "--files goes with directories of a protocol; "},
	{where: "bisect/git", flag: "files", value: "p.ded", refused: "--files goes with directories of a protocol"},
	{where: "bisect/git bisect/git-hosts", flag: "git", value: "v1..v2"},
	{where: "bisect/git bisect/git-hosts", flag: "revisions", value: "v1,v2", refused: "there can be one of these"},
	{where: "bisect/files bisect/directories", flag: "git", value: "v1..v2"},
	{where: "bisect/files bisect/directories", flag: "revisions", value: "v1,v2"},
	{where: "bisect/hosts", flag: "git revisions", value: "v1..v2", refused: "with git the versions of a system are its revisions"},
	{where: "bisect/git bisect/git-hosts", flag: "module", value: "example.com/m", refused: "there can be one of these"},
	{where: "bisect/*", flag: "module", value: "example.com/m", refused: "--module needs --versions"},
	{where: "bisect/*", flag: "versions", value: "v1.0.0", refused: "--versions goes with --module or --server; "},
	{where: "bisect/*", flag: "dir", value: "one", refused: "--dir goes with releases: "},

	// Suites.
	{where: "check/suite", flag: "budget", value: "1ns"},
	{where: "check/suite", flag: "cache", value: "kept"},
	{where: "check/suite", flag: "no-cache", value: "true"},
	{where: "check/suite", flag: "shard", value: "1/2"},
	{where: "check/suite", flag: "update", value: "true"},
	{where: "check/suite", flag: "merge", value: "true"},
	{where: "check/reports", flag: "merge", value: "true"},
	{where: "check/reports", flag: "cache no-cache shard update", value: "true", refused: "does not go with --merge, "},

	// Tests of Go packages, which are run in testdata/script/test.txtar.
	{where: "test/nothing", flag: "budget", value: "1s", as: "test/nothing"},
	{where: "test/nothing", flag: "strict", value: "true", as: "test/nothing"},

	// Goroutines.
	{where: "overlay/nothing", flag: "env", value: "true"},
	{where: "doctor/nothing", flag: "quick", value: "true", as: "doctor/nothing"}, // without it the standard library is built: overlay.txtar
	{where: "doctor/nothing", flag: "server", value: "./none", as: "doctor/nothing"},
	{where: "doctor/nothing", flag: "output", value: "json", beside: "--quick"},

	// Output.
	{where: "*/*", flag: "output", value: "json"},
	{where: "fmt/file", flag: "write list", value: "true"},
	{where: "fmt/stdin", flag: "write list", value: "true", refused: "needs files; "},
	{where: "completion?*/nothing", flag: "no-descriptions", value: "true"},
}

// everything asks for what takes minutes: all trials of flags, the long scripts, and the
// whole guard.
var everything = flag.Bool("long", false, "try every flag with every subject, run the long scripts, ask everything that testdata/guard answers, and write every member of the schemas")

// rests tells which trials are only made with -long: those of a flag that acts, but for the
// first with a system and the first without. Whether a flag is refused is tried always.
func (ft *flagTest) rests(t *testing.T, command, subject string, f *pflag.Flag) bool {
	if strings.HasPrefix(f.Name, "help") {
		return false
	}
	try := trialOf(t, command+"/"+subject, f)
	if try.refused != "" {
		return false
	}
	key := f.Name
	if subject == "system" || strings.HasSuffix(subject, "hosts") {
		key += " of a system"
	}
	again := try.as != "" || ft.tried[key]
	ft.tried[key] = true
	return again
}

func TestEveryFlagActsOrIsRefused(t *testing.T) {
	ft := newFlagTest(t)
	commands := leaves((&session{}).root())
	cheap := slices.IndexFunc(commands, func(c *cobra.Command) bool { return c.Name() == "run" })
	commands = slices.Insert(slices.Delete(slices.Clone(commands), cheap, cheap+1), 0, commands[cheap])
	for _, c := range commands {
		name := strings.TrimPrefix(c.CommandPath(), "ldfi ")
		if name == subject.NodesCommand { // which ldfi starts itself, with the flags of --server
			continue
		}
		asked := false
		for _, s := range subjects {
			if s.command != name {
				continue
			}
			asked = true
			c.Flags().VisitAll(func(f *pflag.Flag) {
				t.Run(strings.Join([]string{name, s.name, f.Name}, "/"), func(t *testing.T) {
					if !*everything && ft.rests(t, name, s.name, f) {
						t.Skip("only with -long: the flag acts for another subject")
					}
					ft.tryFlag(t, name, s.name, words(t, s.args), f)
				})
			})
		}
		require.True(t, asked, "say in subjects what %s is asked about", c.CommandPath())
	}
}

// Whatever can be stopped says with which exit code it then ends.
func TestExitCodeOfTheTime(t *testing.T) {
	for _, c := range leaves((&session{}).root()) {
		if c.Flags().Lookup("timeout") != nil && c.Name() != "mcp" { // whose calls it ends
			require.Regexp(t, `Exit codes: .*, 3 `, c.Long, c.Name())
		}
	}
}

// leaves are the commands that do something, in a tree of commands.
func leaves(c *cobra.Command) []*cobra.Command {
	c.InitDefaultHelpFlag()
	var all []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.Name() != "help" {
			all = append(all, leaves(sub)...)
		}
	}
	if len(all) == 0 {
		all = []*cobra.Command{c}
	}
	return all
}

// tryFlag tries one flag of a command with one subject.
func (ft *flagTest) tryFlag(t *testing.T, command, subject string, args []string, f *pflag.Flag) {
	if strings.HasPrefix(f.Name, "help") {
		return
	}
	try := trialOf(t, command+"/"+subject, f)
	elsewhere := try.as != ""
	for elsewhere && try.value == "" {
		try = trialOf(t, try.as, f)
		require.Empty(t, try.refused)
	}
	flag := "--" + f.Name + "=" + try.value
	if try.asked != "" && !elsewhere {
		args = words(t, try.asked)
	}
	args = slices.Concat(strings.Fields(command), args, words(t, try.beside))
	asked := append(slices.Clone(args), flag)
	if try.refused != "" {
		refused := outcomeIn(t, ft.files, asked)
		require.Equal(t, exitUsage, refused.code, "%s", refused.text)
		require.Contains(t, refused.text, "--"+f.Name)
		require.Contains(t, refused.text, try.refused)
		require.Contains(t, refused.text, "\nsee ldfi "+command+" --help")
		return
	}
	with := ft.outcomeOf(t, asked)
	require.False(t, with.code == exitUsage && strings.Contains(with.text, "\nsee ldfi"), "%s", with.text)
	if !elsewhere {
		args = without(args, f)
		require.False(t, reflect.DeepEqual(ft.outcomeOf(t, args), with), "%s makes no difference to ldfi %s:\n%s", flag, strings.Join(args, " "), with.text)
	}
}

// trialOf returns the row of a flag.
func trialOf(t *testing.T, where string, f *pflag.Flag) trial {
	for _, try := range trials {
		if (try.flag == "*" || slices.Contains(strings.Fields(try.flag), f.Name)) && slices.ContainsFunc(strings.Fields(try.where), func(pattern string) bool {
			fits, err := path.Match(pattern, where)
			require.NoError(t, err)
			return fits
		}) {
			return try
		}
	}
	if f.Hidden {
		return trial{value: "1", refused: "is reserved: not yet executed"}
	}
	t.Fatalf("say in trials what --%s does for %s", f.Name, where)
	return trial{}
}

// without leaves a flag with its value out of the arguments.
func without(args []string, f *pflag.Flag) []string {
	i := slices.Index(args, "--"+f.Name)
	switch {
	case i < 0:
		return args
	case f.NoOptDefVal != "":
		return slices.Delete(slices.Clone(args), i, i+1)
	default:
		return slices.Delete(slices.Clone(args), i, i+2)
	}
}

// words takes a text apart as a shell does.
func words(t *testing.T, s string) []string {
	if s == "" {
		return nil
	}
	all, err := text.ShellSplit(s)
	require.NoError(t, err)
	return all
}

// outcome is all that can be seen of a command.
type outcome struct {
	code  int
	text  string
	files map[string]string
}

// times are how long something took, in JSON and in reports.
var times = regexp.MustCompile(`"(times|seconds|time)": ?(\{[^}]*\}|[0-9.]+)|\b[0-9.]+ ?(ms|s)\b|/tmp/[^ ":]*`)

// flagTest has the files that the subjects name, a git repository, and what came
// of commands before.
type flagTest struct {
	files, repository string
	known             map[string]outcome
	tried             map[string]bool // flags that acted, with and without a system
}

// outcomeOf runs a command in a copy of the files.
func (ft *flagTest) outcomeOf(t *testing.T, args []string) outcome {
	key := strings.Join(args, "\x00")
	if o, ok := ft.known[key]; ok {
		return o
	}
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(ft.files)))
	require.NoError(t, os.Symlink(ft.repository, filepath.Join(dir, ".git")))
	o := outcomeIn(t, dir, args)
	o.files = map[string]string{}
	require.NoError(t, filepath.WalkDir(".", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == ".git" {
			return err
		}
		text, err := os.ReadFile(name)
		o.files[name] = times.ReplaceAllString(string(text), "")
		return err
	}))
	ft.known[key] = o
	return o
}

// outcomeIn runs a command in a directory.
func outcomeIn(t *testing.T, dir string, args []string) outcome {
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	input := "input"
	if args[0] == "mcp" {
		input = "calls"
	}
	in, err := os.ReadFile(input)
	require.NoError(t, err)
	var out, stdout bytes.Buffer
	code := run(t.Context(), args, streams{in: bytes.NewReader(in), out: io.MultiWriter(&out, &stdout), err: &out})
	require.NoError(t, checkJSON(args, stdout.Bytes()), args)
	return outcome{code: code, text: times.ReplaceAllString(out.String(), "")}
}

// flagProgram holds without faults; with a crash, or without the rule that says
// things again also with a lost message, its promise is broken.
const flagProgram = `// ldfi: processes=a,b,c eot=5 eff=3 crashes=1
bcast("a", "hello")@1;
node("a", "a")@1; node("a", "b")@1; node("a", "c")@1;
node(X, Y)@next :- node(X, Y);
log(X, P) :- bcast(X, P);
log(X, P)@next :- log(X, P);
log(Y, P)@async :- bcast(X, P), node(X, Y);
pre(Y, P) :- log(X, P), node(X, Y);
post(X, P) :- log(X, P);
`

const again = "bcast(X, P)@next :- bcast(X, P);\n"

// oddRules are what vet warns of within some bounds only.
const oddRules = `late(X) :- bcast(X, P), notin log("c", P)@2;
later(X) :- bcast(X, P), notin log("c", P)@3;
dead(X) :- bcast(X, _), crash(X, "b", 1);
kept(X) :- log(X, _), crash("a", X, 1), notin bcast(X, _);
joined(X) :- bcast(X, P), log("c", P);
bcast(X, P)@next :- bcast(X, P), joined(X);
at("d")@1; at("d")@6;
there(X) :- at(X);
`

// rareRules are a promise that is asked for after a loss in round 1 alone, or by
// a process that receives after its crash.
const rareRules = `hi(Y)@async :- bcast(X, _), node(X, Y);
pre(X, P) :- bcast(X, P), notin hi("c")@2, hi("c")@3;
pre(X, P) :- log(X, P), crash("a", X, 1), notin bcast(X, _);
post(X, P) :- log(X, P);
`

// secondRules are a promise that is asked for where somebody crashes in round 2.
const secondRules = `pre(X, P) :- log(X, P), crash(X, "b", 2);
post(X, P) :- log(X, P);
`

// backRules are a promise that is asked for where somebody is back who knows others.
const backRules = `pre(X, Y) :- booted(X), node(X, Y);
post(X, Y) :- pre(X, Y);
`

// underRules are a promise that is asked for where somebody crashes.
const underRules = `had(X, P) :- log(X, P);
pre(X, P) :- log(X, P), crash(X, "a", _);
post(X, P) :- had(X, P), crash(X, "a", _);
`

// chosenRules are a promise that what the environment chooses breaks.
const chosenRules = `choose maybe lie("b")@3;
violation(X) :- lie(X);
`

// tardyProgram has rules that fire only if a message comes one or two rounds later.
const tardyProgram = `// ldfi: processes=a,b eot=5
ask("a", "b")@1;
told(Y)@async :- ask(X, Y);
one(X) :- ask(X, _), told("b")@3;
two(X) :- ask(X, _), told("b")@4;
pre(X) :- one(X);
post(X) :- two(X);
`

// pickyProgram has a rule that fires only if one of two messages of a link is lost.
const pickyProgram = `// ldfi: processes=a,b eot=3 omissions=1
ask("a", "b")@1;
one(Y)@async :- ask(X, Y);
two(Y)@async :- ask(X, Y);
pre(Y) :- one(Y), notin two(Y);
post(Y) :- pre(Y);
`

// newFlagTest writes the files that the subjects and trials name.
func newFlagTest(t *testing.T) *flagTest {
	dir := t.TempDir()
	settings, rules, _ := strings.Cut(flagProgram, "\n")
	for name, text := range map[string]string{
		"p.ded":         flagProgram + again,
		"q.ded":         flagProgram,
		"one/p.ded":     flagProgram + again,
		"two/p.ded":     flagProgram,
		"two/again.ded": again,
		"chosen.ded":    flagProgram + again + chosenRules,
		"three/c.ded":   flagProgram + again + chosenRules,
		"four/c.ded":    flagProgram + chosenRules,
		"odd.ded":       oddRules,
		"rare.ded":      flagProgram[:strings.Index(flagProgram, "pre(")] + again + rareRules,
		"second.ded":    flagProgram[:strings.Index(flagProgram, "pre(")] + again + secondRules,
		"back.ded":      flagProgram[:strings.Index(flagProgram, "pre(")] + backRules,
		"own.ded":       ownProgram,
		"steers.mg":     "isolate(\"a\", 1).\n",
		"led.mg":        "waypoint(1, R) :- leader(_, 1, R).\n",
		"held.mg":       "waypoint(1, R) :- log(\"b\", _, R).\n",
		"alone.ded":     aloneProgram,
		"under.ded":     flagProgram[:strings.Index(flagProgram, "pre(")] + underRules,
		"tardy.ded":     tardyProgram,
		"picky.ded":     pickyProgram,
		"facts.ded":     settings + "\n" + again,
		"rules.ded":     rules,
		"ugly.ded":      "a( X ):-b(X);",
		"never.mg":      "violation(P, V, R) :- leader(P, V, R).\n",
		"suite.yaml":    "cases:\n  - files: p.ded\n    expect: violated\n  - files: q.ded\n",
		"timed.yaml":    "cases:\n  - files: p.ded\n    timeout: 9s\n",
		"looped.yaml":   "cases:\n  - files: p.ded\n    strategy: lineage\n",
		"idle.yaml":     "cases:\n  - files: p.ded\n    bounds: {period: 2}\n",
		"in.ded":        "bcast(\"b\", \"bye\")@1;\n",
		"input":         "",
		"calls":         calls,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	trace, err := os.ReadFile("../../internal/causality/testdata/checkout.otlp.json")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "trace.json"), trace, 0o666))
	for name, args := range map[string]string{
		"1.json":         "check --shard 1/2 --output json suite.yaml",
		"2.json":         "check --shard 2/2 --output json suite.yaml",
		"recording.json": "inject p.ded --output json",
		"traced.json":    "import otlp trace.json --output json",
		"found.json":     "run --system election-host --name election-buggy --output json",
		"input":          "inject p.ded --output json",
	} {
		t.Chdir(dir)
		var out bytes.Buffer
		require.NotEqual(t, exitUsage, run(t.Context(), strings.Fields(args), streams{in: &out, out: &out, err: os.Stderr}))
		require.NoError(t, os.WriteFile(name, out.Bytes(), 0o666))
	}
	git(t, dir, "init --quiet --initial-branch=main", "add p.ded chosen.ded", "commit --quiet --message one", "tag v1")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.ded"), []byte(flagProgram), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "chosen.ded"), []byte(flagProgram+chosenRules), 0o666))
	git(t, dir, "commit --quiet --all --message two", "tag v2")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.ded"), []byte(flagProgram+again), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "chosen.ded"), []byte(flagProgram+again+chosenRules), 0o666))
	repository := filepath.Join(t.TempDir(), "git")
	require.NoError(t, os.Rename(filepath.Join(dir, ".git"), repository))
	return &flagTest{files: dir, repository: repository, known: map[string]outcome{}, tried: map[string]bool{}}
}

func git(t *testing.T, dir string, commands ...string) {
	for _, args := range commands {
		cmd := exec.Command("git", strings.Fields("-c user.name=n -c user.email=e "+args)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", args, out)
	}
}

// A flag that means something only beside another one is refused without it.
func TestFlagsThatGoWithAnother(t *testing.T) {
	ft := newFlagTest(t)
	host := "--system election-host --name election "
	for args, refused := range map[string]string{
		"run p.ded --durable log":                     "--durable: no process restarts",
		"run p.ded --restarts 1":                      "--restarts: restarts need crash=stop: a crashed process that is mute",
		"run p.ded --crashes 0 --restarts 1":          "--restarts: no process crashes",
		"run p.ded --period 2":                        "--period: no process is isolated",
		"hypotheses p.ded --period 2":                 "--period: no process is isolated",
		"vet p.ded --crashes 0 --crash stop":          "--crash: no process crashes",
		"run p.ded --omissions 0 --eff 2":             "--eff: no messages are lost",
		"run " + host + "--crashes 1 --eff 2":         "--eff: no messages are lost",
		"run " + host + "--restarts 1":                "--restarts: no process crashes",
		"run " + host + "--fast-clocks 1":             `--fast-clocks: not every process of system "election" has timers (system.Ticker), or a clock that can run fast or slow, or jump (system.Machined): leave it out`,
		"run " + host + "--slow-clocks unlimited":     "--slow-clocks: not every process",
		"run " + host + "--jumps 1":                   "--jumps: not every process",
		"run " + host + "--terminations 1":            "--terminations: no process of system \"election\" has a program of its own that could get a signal",
		"run " + host + "--failed-syncs 1":            "--failed-syncs: not every process of system \"election\" has a disk, whose syncs could fail",
		"run " + host + "--isolations 1 --max-jump 2": "--max-jump: no clock jumps",
		"run " + host + "--orders 1 --max-delay 2":    "--max-delay: nothing comes late or twice",
		"run " + host + "--delays 1 --max-delay 0":    "--max-delay: max-delay=0: what comes late or twice does so by 1 round or more",
		"run " + host + "--delays 0 --orders 0":       "--delays: no faults are left to search: ",
		"run p.ded --orders 1":                        "--orders goes with --system; ",
		"run " + host + "--isolations 1 --max-jump 0": "--max-jump: max-jump=0: a clock jumps by 1 round or more",
		"run p.ded --crashes 0 --never-crash a":       "--never-crash: no process crashes",
		"run " + host + "--never-crash a":             "--never-crash: no process crashes",
		"run p.ded --omissions 0 --reliable a>c":      "--reliable: no messages are lost but by crashes",
		"run " + host + "--crashes 1 --reliable a>c":  "--reliable: no messages are lost but by crashes",
		"run p.ded --eff 1 --reliable a>c":            "--reliable: no messages are lost but by crashes",
		"run p.ded --eff 1 --isolations 1 --period 2": "--period: no process is isolated",
		"check looped.yaml --no-cache":                "strategy does not go with files: a program needs none: all its schedules are decided at once\n",
		"run " + host + "--crashes 0 --isolations 0":  "--crashes: no faults are left to search: ",
		"bisect p.ded q.ded --period 2":               "--period: no process is isolated",
		"check --merge 1.json --budget 1s":            "--budget does not go with --merge, ",
		"check suite.yaml --cache x --no-cache":       "--cache and --no-cache: there can be one of these",
		"check suite.yaml --shard 1/2 --update":       "--update and --shard: there can be one of these",
		"check timed.yaml --timeout 1s":               "every case of this suite has its own",
		"check idle.yaml --no-cache":                  "bounds: period: no process is isolated",
		"bisect one/p.ded two/p.ded --files p.ded":    "--files goes with directories of a protocol; ",
		"bisect --module m --versions v1.0.0 --git A": "--git and --module: there can be one of these",
		"bisect one two --server ./x --dir one":       "--dir goes with --system 'go run PACKAGE': ",
	} {
		o := outcomeIn(t, ft.files, words(t, args))
		require.Equal(t, exitUsage, o.code, args)
		require.Contains(t, o.text, refused, args)
	}
	for _, args := range []string{"run " + host + "--period 3", "run " + host + "--isolations 1 --crashes 0 --restarts 0", "inject p.ded --period 2 --crashes 0 --crash stop", "run p.ded --eff 2"} {
		require.NotEqual(t, exitUsage, outcomeIn(t, ft.files, words(t, args)).code, args)
	}
	require.Contains(t, outcomeIn(t, ft.files, words(t, "run "+host+"--period 3")).text, "in phases of 3 rounds")
}

// ownProgram is a program in which a process can only lose what it sends itself.
const ownProgram = `// ldfi: processes=a,b eot=2 isolations=1
n("a")@1;
got(P)@async :- n(P);
here(P)@next :- n(P);
lost(P) :- here(P), notin got(P);
violation(P) :- lost(P);
`

// aloneProgram is a program in which one message is all that can be lost.
const aloneProgram = `// ldfi: processes=a,b eot=2 omissions=1
n("a", "b")@1;
seat("b")@1;
got(Q)@async :- n(P, Q);
here(Q)@next :- seat(Q);
lost(Q) :- here(Q), notin got(Q);
violation(Q) :- lost(Q);
`

// What stands for the value of a flag in the help says what the value is, and is none itself.
func TestPlaceholders(t *testing.T) {
	one := regexp.MustCompile(`^([a-z]+( [a-z]+)*|URL|A\.\.B|i/n|n\.\.m|kind=n)$`)
	root := (&session{}).root()
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			name, usage := pflag.UnquoteUsage(f)
			if f.Value.Type() == "bool" || f.Hidden {
				return
			}
			require.Regexp(t, one, name, "ldfi %s --%s: a word in backquotes", cmd.Name(), f.Name)
			require.NotEqual(t, "string", name, "ldfi %s --%s: a word in backquotes", cmd.Name(), f.Name)
			if _, values, ok := strings.Cut(usage, ": "); ok {
				require.NotRegexp(t, `(^|, | or )`+name+`( \(|,| or|$)`, values, "ldfi %s --%s %s: that is a value", cmd.Name(), f.Name, name)
			}
			if f.DefValue != "" {
				require.NotEqual(t, f.DefValue, name)
			}
		})
	}
}
