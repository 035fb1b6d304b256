package process

import (
	"bytes"
	"fmt"
	"log"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Whatever a server logs with, rules see the same.
func TestLogEntries(t *testing.T) {
	for line, want := range map[string]string{
		// JSON
		`{"time":"2000-01-01T00:00:00.02Z","level":"INFO","msg":"stored","key":"a b","n":5,"at":{"x":1,"y":{"z":true}}}`: `info|stored|key=a b n=5 at.x=1 at.y.z=true`,
		`{"time":"2000-01-01T00:00:00.02Z","level":"DEBUG-4","msg":"deep"}`:                                              `debug|deep|`,
		`{"level":"warn","ts":946684800.02,"caller":"etcdserver/server.go:12","msg":"slow","took":"1.5s","ids":[1,2]}`:   `warn|slow|caller=etcdserver/server.go:12 took=1.5s ids=[1,2]`,
		`{"level":"info","ts":"2000-01-01T00:00:00.020Z","msg":"became leader","term":2}`:                                `info|became leader|term=2`,
		`{"level":"error","error":"no \"quorum\"","time":"2000-01-01T00:00:00Z","message":"stopped"}`:                    `error|stopped|error=no "quorum"`,
		`{"level":"warning","msg":"late","time":"2000-01-01T00:00:00Z","pid":1000}`:                                      `warn|late|`,
		`{"@level":"info","@message":"elected","@module":"raft","@timestamp":"2000-01-01T00:00:00.000000Z","term":3}`:    `info|elected|@module=raft term=3`,
		`{"level":"info","msg":"clock","ts":5}`:                                                                          `info|clock|ts=5`,
		`{"level":30,"msg":"numbered"}`:                                                                                  `|numbered|level=30`,
		`{"level":"dpanic","msg":"a","msg":"b"}`:                                                                         `panic|a|msg=b`,
		`{"src":"n1","dest":"c1","body":{"type":"init_ok"}}`:                                                             `|{"src":"n1","dest":"c1","body":{"type":"init_ok"}}|`,
		`{"level":"info","msg":"broken"`:                                                                                 `|{"level":"info","msg":"broken"|`,
		`{"level":"info","msg":"one"} {"level":"info"}`:                                                                  `|{"level":"info","msg":"one"} {"level":"info"}|`,
		// pairs
		`time=2000-01-01T00:00:00.020Z level=INFO msg="stored here" key="a b" n=5 empty=""`: `info|stored here|key=a b n=5 empty=`,
		`time="2000-01-01T00:00:00Z" level=warning msg="it is late" took=1.5s none=`:        `warn|it is late|took=1.5s none=`,
		`ts=2000-01-01T00:00:00.020Z caller=main.go:12 level=error err="no quorum"`:         `error||caller=main.go:12 err=no quorum`,
		`a=b c=d`:                      `|a=b c=d|`,
		`level=info msg="unfinished`:   `|level=info msg="unfinished|`,
		`msg="x"y`:                     `|msg="x"y|`,
		`level=info msg=hello "a b"=c`: `info|hello|a b=c`,
		// klog
		`I0101 00:00:00.020000    1000 kubelet.go:12] Starting up: n=5`:                              `info|Starting up: n=5|caller=kubelet.go:12`,
		`E0101 00:00:00.020000       1 sync.go:7] "Pod failed" pod="kube-system/dns" err="x: y" n=3`: `error|Pod failed|caller=sync.go:7 pod=kube-system/dns err=x: y n=3`,
		`W0101 00:00:00.020000       1 sync.go:7] "quoted" and more`:                                 `warn|"quoted" and more|caller=sync.go:7`,
		`I[2000-01-01|00:00:00.020] Committed state          module=state height=5`:                  `info|Committed state|module=state height=5`,
		// what stands in front of a text
		`2000/01/01 00:00:00 it does not go on`:                                             `|it does not go on|`,
		`2000/01/01 00:00:00.020000 main.go:12: it goes on`:                                 `|main.go:12: it goes on|`,
		`2000/01/01 00:00:00 INFO stored here key="a b" n=5`:                                `info|stored here|key=a b n=5`,
		`2000/01/01 00:00:00 INFORMATION is no level`:                                       `|INFORMATION is no level|`,
		`raft2000/01/01 00:00:00 INFO: 1 became leader at term 2`:                           `info|raft1 became leader at term 2|`,
		`[kv] 2000/01/01 00:00:00 ready`:                                                    `|[kv] ready|`,
		`2000/01/01 00:00:00 [ERR] memberlist: Failed ping: n1`:                             `error|memberlist: Failed ping: n1|`,
		`2000-01-01T00:00:00.000Z [WARN]  agent.raft: heartbeat timeout: last=n1 n=5`:       `warn|agent.raft: heartbeat timeout|last=n1 n=5`,
		`[1000] 2000/01/01 00:00:00.020000 [INF] Starting nats-server`:                      `info|Starting nats-server|`,
		`[1000] 2000/01/01 00:00:00.020000 [DBG] RAFT [x - _meta_] voted: true`:             `debug|RAFT [x - _meta_] voted: true|`,
		`[1000] [INF] without a time`:                                                       `|[1000] [INF] without a time|`,
		"2000-01-01T00:00:00.020Z\tINFO\tkv/main.go:12\tstored\t{\"key\": \"a\", \"n\": 5}": `info|stored|caller=kv/main.go:12 key=a n=5`,
		"2000-01-01T00:00:00.020Z\tWARN\tlate":                                              `warn|late|`,
		"\x1b[36mINFO\x1b[0m: in colours":                                                   `info|in colours|`,
		`WARNING: nobody answers`:                                                           `warn|nobody answers|`,
		`2000-01-01 00:00:00.02 +0000 UTC begins`:                                           `|begins|`,
		`INFO: a=b c=d, and no pairs at the end of it: e=f g=h`:                             `info|a=b c=d, and no pairs at the end of it|e=f g=h`,
		`INFO: it's "x y=z" in quotes`:                                                      `info|it's "x y=z" in quotes|`,
		// none of these
		`put 1 0: "ok" false`:         `|put 1 0: "ok" false|`,
		`ERROR`:                       `|ERROR|`,
		`INFO is a word`:              `|INFO is a word|`,
		`expires 2000/01/01 00:00:00`: `|expires 2000/01/01 00:00:00|`,
		`[GIN] not a level`:           `|[GIN] not a level|`,
		``:                            `||`,
	} {
		e := logEntry(line)
		var pairs []string
		for _, p := range e.pairs {
			pairs = append(pairs, p.key+"="+p.value)
		}
		require.Equal(t, want, e.level+"|"+e.message+"|"+strings.Join(pairs, " "), line)
	}
}

// The loggers of Go itself are read as they write.
func TestLoggersOfGo(t *testing.T) {
	var out bytes.Buffer
	options := &slog.HandlerOptions{Level: slog.LevelDebug}
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, options), slog.NewJSONHandler(&out, options)} {
		out.Reset()
		slog.New(h).WithGroup("raft").Warn(`it's "late"`, "term", 2, "peer name", "n 1")
		e := logEntry(strings.TrimSpace(out.String()))
		require.Equal(t, entry{"warn", `it's "late"`, []pair{{"raft.term", "2"}, {"raft.peer name", "n 1"}}}, e)
		require.Equal(t, [][]any{{"warn", `it's "late"`, "raft.term", int64(2)}, {"warn", `it's "late"`, "raft.peer name", "n 1"}}, e.facts())
	}
	out.Reset()
	log.New(&out, "kv: ", log.LstdFlags|log.Lmicroseconds|log.LUTC).Print("a = b")
	require.Equal(t, entry{message: "kv: a = b"}, logEntry(strings.TrimSpace(out.String())))
}

// Long texts are cut, each by itself; a line that is much too long is not taken apart.
func TestLongEntries(t *testing.T) {
	long := strings.Repeat("é", longestLine)
	facts := logEntry(fmt.Sprintf(`{"level":"info","msg":%q,"a":%q,"b":5}`, long, long)).facts()
	cut := strings.Repeat("é", longestLine/2) + "…"
	require.Equal(t, [][]any{{"info", cut, "a", cut}, {"info", cut, "b", int64(5)}}, facts)
	facts = logEntry(fmt.Sprintf(`{"level":"info","msg":"x","a":%q}`, strings.Repeat("a", longestEntry))).facts()
	require.Len(t, facts, 1)
	require.Equal(t, "", facts[0][0])
	line := "INFO: " + strings.Repeat(`a="b `, longestEntry/5-10) + "x"
	require.Equal(t, entry{"info", line[len("INFO: "):], nil}, logEntry(line))
}

// FuzzLogEntry reads any line: nothing panics, and what is reported is text of limited
// length.
func FuzzLogEntry(f *testing.F) {
	for _, line := range []string{
		`{"level":"info","msg":"x","a":{"b":[1,null]},"ts":1e9}`, `level=info msg="a b" "c d"=e`, `I0101 00:00:00.020000    1000 a.go:12] "x" n=5`,
		`[1000] 2000/01/01 00:00:00.020000 [INF] a: b=c`, "2000-01-01T00:00:00.020Z\tINFO\ta.go:12\tx\t{\"a\": \"\xff\"}", "\x1b[1mI[2000-01-01|00:00:00.020] a b=c", "\xff{",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		facts := logEntry(line).facts()
		require.NotEmpty(t, facts)
		for _, args := range facts {
			require.Len(t, args, 4)
			for _, arg := range args {
				if text, ok := arg.(string); ok {
					require.True(t, utf8.ValidString(text))
					require.LessOrEqual(t, len(text), longestLine+len("…"))
				}
			}
		}
	})
}

// FuzzTold reads any output: what only looks as if package ldfi/client had written it is
// no fact, and nothing panics.
func FuzzTold(f *testing.F) {
	for _, line := range []string{`["request",1,"x"]`, `["fact","a",1,"b"]`, `["fact","log"]`, `["always","m","true"]`, `["fact",1]`, `[1e99]`, `[null]`, `[]`, `{}`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		p := &process{program: &program{cluster: &Cluster{}}}
		is, err := p.takeTold([]byte(toldBegins + line))
		require.True(t, is || err == nil)
		require.Equal(t, is && err == nil, len(p.told) == 1)
		is, _ = p.takeTold([]byte("x" + line))
		require.False(t, is)
	})
}
