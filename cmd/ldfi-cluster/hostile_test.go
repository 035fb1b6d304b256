//go:build linux

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
)

// connect is a connection to the server, with which anything can be said.
func (s *stage) connect() *nats.Conn {
	s.t.Helper()
	nc, err := connection.Open("peer", connection.Options{URL: s.url(), Nkey: s.path("home/.cache/ldfi/serve/ldfi.key")})
	require.NoError(s.t, err)
	s.t.Cleanup(nc.Close)
	return nc
}

// lies is a peer that answers each unit as soon as it is handed out, before any worker can.
func (s *stage) lies(lie func(u *work.Unit) []byte) {
	s.t.Helper()
	nc := s.connect()
	_, err := nc.Subscribe("ldfi.unit.>", func(m *nats.Msg) {
		u := new(work.Unit)
		if json.Unmarshal(m.Data, u) != nil {
			return
		}
		at := strings.Split(m.Subject, ".") // of build, platform, job and address
		_ = nc.Publish(fmt.Sprintf("$KV.ldfi-results.final.%s.%s.%s.%s", at[2], at[5], at[4], store.Token("liar")), lie(u))
	})
	require.NoError(s.t, err)
	require.NoError(s.t, nc.Flush())
}

// claims is a result that says something of a unit, which need not be JSON.
func claims(answer string) func(u *work.Unit) []byte {
	return func(u *work.Unit) []byte {
		return fmt.Appendf(nil, `{"address":%q,"answer":%s,"final":true,"worker":"liar","build":%q,"elapsed":1}`, u.Address(), answer, u.Build)
	}
}

// Who says what is not true of a unit, or nothing that makes sense, changes no answer: either
// that is the one of one process, or there is none, and it is said why.
func TestLies(t *testing.T) {
	const breaks = `{"verdict":"violated","counterexamples":[{"schedule":"%s","size":1,"confirmed":true,"violations":[{"property":"post","text":"post is missing","missing":true}],"because":[],"minimal":true}],"complete":true,"warnings":[],"scope":{}}`
	for name, lie := range map[string]func(*work.Unit) []byte{
		"no result":            func(*work.Unit) []byte { return []byte("nonsense") },
		"of another unit":      func(*work.Unit) []byte { return claims(`{"verdict":"holds"}`)(&work.Unit{Kind: work.Search}) },
		"no answer":            claims(`{}`),
		"text":                 claims(`"holds"`),
		"list":                 claims(`[]`),
		"nothing":              claims(`null`),
		"deep":                 claims(strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000)),
		"verdict":              claims(`{"verdict":"maybe"}`),
		"no counterexample":    claims(`{"verdict":"violated","counterexamples":[],"complete":true}`),
		"breaks nothing":       claims(fmt.Sprintf(breaks, "")),
		"breaks for nobody":    claims(fmt.Sprintf(breaks, "crash nobody@1")),
		"outside of the scope": claims(fmt.Sprintf(breaks, "crash a@1; crash b@1; crash c@1; crash n1@1; crash n2@1; crash n3@1")),
		"wrong question": func(u *work.Unit) []byte {
			text, _ := json.Marshal(work.Result{Address: u.Address(), Failure: "there is no relation \x1b[2J", Worker: "liar", Build: u.Build, Final: true})
			return text
		},
	} {
		t.Run(name, func(t *testing.T) {
			if often := []string{"no result", "deep", "verdict", "breaks nothing", "wrong question"}; !*long && !slices.Contains(often, name) {
				t.Skip("the rest with -long")
			}
			s := newStage(t, 1, nil)
			s.lies(lie)
			asked := s.check(s.suite("one", 2), "--workers", s.url(), "--recheck", "0")
			s.wait(asked, time.Minute)
			require.NotContains(t, asked.err.String(), "\x1b")
			switch asked.ProcessState.ExitCode() {
			case 0:
				s.requireSame(2, asked)
			case 2:
				require.Contains(t, asked.err.String(), "the worker liar gives a wrong result")
				require.Empty(t, asked.out.String())
			case 3:
				require.Contains(t, asked.err.String(), "set aside after 3 tries: what came back is no result")
			default:
				require.Fail(t, "a wrong answer", "%s%s", &asked.out, &asked.err)
			}
		})
	}
}

// Who hands out what no worker should do gets nothing done, and workers go on.
func TestHostileUnits(t *testing.T) {
	s := newStage(t, 1, nil)
	s.waitFor(s.workers[0], "does units")
	var known struct{ Build string }
	p := s.start("ldfi", "unit", "--build")
	s.wait(p, 10*time.Second)
	require.NoError(t, json.Unmarshal([]byte(p.out.String()), &known))
	nc := s.connect()
	js, err := nc.JetStream()
	require.NoError(t, err)
	hand := func(u *work.Unit, address string) {
		t.Helper()
		text, err := json.Marshal(u)
		require.NoError(t, err)
		_, err = js.Publish("ldfi.unit."+store.Token(known.Build)+".any.job."+address, text)
		require.NoError(t, err)
	}
	secret := s.path("secret")
	for i, u := range []*work.Unit{
		{},
		{Kind: "shell", Build: known.Build, Ask: json.RawMessage(`"touch ` + secret + `"`)},
		{Kind: work.Search, Build: known.Build, Ask: json.RawMessage(`{"files":["../../../../etc/passwd"]}`)},
		{Kind: work.Search, Build: known.Build, Ask: json.RawMessage(`{}`), Files: map[string]string{"../x": work.Digest(nil)}},
		{Kind: work.Search, Build: known.Build, Ask: json.RawMessage(`{}`), Files: map[string]string{"x": work.Digest([]byte("nobody has this"))}},
		{Kind: work.Search, Build: known.Build, Ask: json.RawMessage(`{}`), Platform: "linux/amd64"},
		{Kind: work.Draws, Build: known.Build, Ask: json.RawMessage(`{"from":-1}`)},
		{Kind: work.Draws, Build: known.Build, Ask: json.RawMessage(`{"system":"touch ` + secret + `"}`)},
	} {
		hand(u, u.Address())
		hand(u, fmt.Sprint("elsewhere", i))
	}
	_, err = js.Publish("ldfi.unit."+store.Token(known.Build)+".any.job.x", []byte("nonsense"))
	require.NoError(t, err)
	s.requireSame(len(kinds), s.check(s.suite("one", len(kinds)), "--workers", s.url()))
	require.NoFileExists(t, secret)
}

// A unit that takes more than workers allow is set aside after three tries, and who asked is
// told which limit it was. Nothing else suffers.
func TestLimits(t *testing.T) {
	s := newStage(t, 1, func(s *stage) { s.work = []string{"--slots", "1", "--memory", "60MiB"} })
	suite := s.path("ldfi.yaml")
	require.NoError(t, os.WriteFile(suite, []byte("cases:\n- {name: large, files: "+repository(t, "testdata/protocols/elastic/v6-checkpoint.ded")+", bounds: {eot: 24, eff: 14, crashes: 2}}\n"), 0o600))
	asked := s.start("ldfi", "check", suite, "--no-cache", "--workers", s.url(), "--timeout", "60s")
	s.wait(asked, 90*time.Second)
	require.Equal(t, 3, asked.ProcessState.ExitCode(), &asked.err)
	require.Contains(t, asked.out.String(), "set aside after 3 tries: ")
	require.Contains(t, asked.out.String(), "and the worker gives a unit 60.0 MiB: start the worker with a larger --memory")
	s.requireSame(len(kinds), s.check(s.suite("one", len(kinds)), "--workers", s.url()))
}
