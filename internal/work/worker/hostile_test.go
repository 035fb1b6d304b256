//go:build unix

package worker_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/testing/workers"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/internal/work/worker"
	"github.com/stretchr/testify/require"
)

// protocol is one that includes a file.
const protocol = "// ldfi: processes=a,b eot=3 eff=2\ninclude \"FILE\";\nlog(\"a\")@1;\nlog(P)@next :- log(P);\nlog(\"b\")@async :- log(\"a\");\npre(\"b\") :- log(\"a\");\npost(P) :- log(P);\n"

// secrets are what no unit may read: beside the directory of a unit lies a protocol, a pipe
// that nobody writes to, and a program that leaves a trace.
type secrets struct{ outer, dir, text, pipe, program, trace string }

func newSecrets(t testing.TB) *secrets {
	outer := t.TempDir()
	at := func(name string) string { return filepath.Join(outer, name) }
	s := &secrets{outer, at("unit"), at("secret.ded"), at("pipe"), at("program"), at("trace")}
	require.NoError(t, os.Mkdir(s.dir, 0o700))
	require.NoError(t, os.WriteFile(s.text, []byte("classified(\"a\")@1;\n"), 0o600))
	require.NoError(t, os.WriteFile(s.program, []byte("#!/bin/sh\necho x >"+s.trace+"\n"), 0o700))
	require.NoError(t, syscall.Mkfifo(s.pipe, 0o600))
	return s
}

// put writes the files of a unit.
func (s *secrets) put(t testing.TB, u *work.Unit, files map[string]string) {
	u.Files = map[string]string{}
	for name, text := range files {
		u.Files[name] = work.Digest([]byte(text))
		if name = filepath.Join(s.dir, name); strings.HasPrefix(text, "->") {
			require.NoError(t, os.Symlink(text[2:], name))
		} else {
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
			require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		}
	}
}

// kept makes sure that nothing was read or started.
func (s *secrets) kept(t testing.TB, d work.Done) {
	require.NotContains(t, d.Error+string(d.Answer), "classified")
	require.NoFileExists(t, s.trace)
}

// Whatever a unit asks, it leads to no file and to no program but its own.
func TestHostileUnits(t *testing.T) {
	for name, ask := range map[string]func(*secrets) (q subject.Sent, files map[string]string, wrong string){
		"nothing": func(*secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{}, nil, "what it is about"
		},
		"a file": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{s.text}}}, nil, "file does not exist"
		},
		"a file above": func(*secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{"../secret.ded"}}}, nil, "file does not exist"
		},
		"a directory": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Common: subject.Common{Dir: s.outer}, Files: []string{"secret.ded"}}}, nil, "file does not exist"
		},
		"a pipe": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{s.pipe, "/dev/stdin", "/dev/zero"}}}, nil, "file does not exist"
		},
		"an include": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{"a.ded"}}, Names: map[string]string{"0": "a.ded"}}, map[string]string{"0": strings.ReplaceAll(protocol, "FILE", s.text)}, "cannot include"
		},
		"an include above": func(*secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{"a.ded"}}, Names: map[string]string{"0": "a.ded"}}, map[string]string{"0": strings.ReplaceAll(protocol, "FILE", "../secret.ded")}, "cannot include"
		},
		"an input": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{"a.ded"}, Input: &subject.Input{File: s.text}}, Names: map[string]string{"0": "a.ded"}}, map[string]string{"0": "log(\"a\")@1;\n"}, "file does not exist"
		},
		"a name of no file": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{"a.ded"}}, Names: map[string]string{"../secret.ded": "a.ded"}}, nil, "has no file"
		},
		"a link": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{"a.ded"}}, Names: map[string]string{"0": "a.ded"}}, map[string]string{"0": "->" + s.text}, "leads out of the directory"
		},
		"a link to a pipe": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{"a.ded"}}, Names: map[string]string{"0": "a.ded"}}, map[string]string{"0": "->../pipe"}, "leads out of the directory"
		},
		"a solver": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{"a.ded"}, Solver: s.program}, Names: map[string]string{"0": "a.ded"}}, map[string]string{"0": "log(\"a\")@1;\n"}, "a program of the machine"
		},
		"a system": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{System: &subject.System{Command: s.program}}, nil, "a program of the machine"
		},
		"another key": func(*secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{"a.ded"}}, Names: map[string]string{"0": "a.ded"}, Key: "x"}, map[string]string{"0": strings.ReplaceAll(protocol, "include \"FILE\";", "")}, "in another way"
		},
		"a program of the machine": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{System: &subject.System{}, Host: &subject.SentHost{Words: []string{s.program}}}, nil, "names no program"
		},
		"no program": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{System: &subject.System{}, Host: &subject.SentHost{}}, nil, "names no program"
		},
		"a program above": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{System: &subject.System{}, Host: &subject.SentHost{Program: "../program"}}, nil, "has no file"
		},
		"a place above": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{System: &subject.System{}, Host: &subject.SentHost{Program: "0", In: "../.."}}, map[string]string{"0": "#!/bin/sh\n"}, "outside of its directory"
		},
		"a linked program": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{System: &subject.System{}, Host: &subject.SentHost{Program: "0"}}, map[string]string{"0": "->../program"}, "leads out of the directory"
		},
		"rules": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{System: &subject.System{Properties: []string{s.text}}, Host: &subject.SentHost{Program: "0"}}, map[string]string{"0": "#!/bin/sh\n"}, "file does not exist"
		},
		"a protocol as well": func(s *secrets) (subject.Sent, map[string]string, string) {
			return subject.Sent{Protocol: &subject.Protocol{Files: []string{s.text}}, System: &subject.System{}, Host: &subject.SentHost{Program: "0"}}, map[string]string{"0": "#!/bin/sh\n"}, "a protocol as well"
		},
	} {
		s := newSecrets(t)
		q, files, wrong := ask(s)
		text, err := json.Marshal(q)
		require.NoError(t, err)
		for _, kind := range []work.Kind{work.Search, work.Draws} {
			u := &work.Unit{Kind: kind, Build: workers.Build, Platform: runtime.GOOS + "/" + runtime.GOARCH, Ask: text}
			if kind == work.Search {
				s.put(t, u, files)
			} else {
				u.Files = map[string]string{}
				for name := range files {
					u.Files[name] = work.Digest(nil)
				}
			}
			d := workers.Done(t.Context(), t, &work.Task{Unit: u, Dir: s.dir, Hosts: true})
			require.Empty(t, d.Answer, name)
			require.Contains(t, d.Error, wrong, name)
			s.kept(t, d)
		}
	}
}

// Programs are started only by workers that may, and only those that are for this
// platform.
func TestHostsAreAllowed(t *testing.T) {
	s := newSecrets(t)
	u := &work.Unit{Kind: work.Search, Build: workers.Build, Platform: runtime.GOOS + "/" + runtime.GOARCH, Ask: []byte(`{"system":{},"host":{"program":"0"}}`)}
	s.put(t, u, map[string]string{"0": "#!/bin/sh\necho x >" + s.trace + "\n"})
	d := workers.Done(t.Context(), t, &work.Task{Unit: u, Dir: s.dir})
	require.Contains(t, d.Error, "--allow-hosts")
	s.kept(t, d)
	u.Platform = "plan9/mips"
	d = workers.Done(t.Context(), t, &work.Task{Unit: u, Dir: s.dir, Hosts: true})
	require.Contains(t, d.Error, `"plan9/mips"`)
	s.kept(t, d)
	u.Platform = runtime.GOOS + "/" + runtime.GOARCH
	d = workers.Done(t.Context(), t, &work.Task{Unit: u, Dir: s.dir, Hosts: true})
	require.NotEmpty(t, d.Error)
	require.FileExists(t, s.trace, "it is started where that is allowed")
}

// Another ldfi may answer something else: its units are refused by name.
func TestOtherBuilds(t *testing.T) {
	for wrong, u := range map[string]*work.Unit{
		`a unit of the ldfi "v2", and this is "v1"`: {Kind: work.Search, Build: "v2", Ask: []byte(`{}`)},
		`of the kind "shell"`:                       {Kind: "shell", Build: workers.Build, Ask: []byte(`{}`)},
		"without a unit":                            nil,
	} {
		d := workers.Done(t.Context(), t, &work.Task{Unit: u, Dir: t.TempDir()})
		require.Contains(t, d.Error, wrong)
	}
}

// What a limit of time ended is no final answer.
func TestLimit(t *testing.T) {
	o, err := (&subject.Protocol{Common: subject.Common{Dir: "../../../testdata/protocols"}, Files: []string{"delivery/ack12.ded"}}).Open(t.Context())
	require.NoError(t, err)
	p, err := o.Pack(t.Context())
	require.NoError(t, err)
	u, err := p.Unit(workers.Build)
	require.NoError(t, err)
	hands := &workers.Hands{T: t}
	r, err := hands.Do(t.Context(), u, time.Nanosecond, p.Content)
	require.NoError(t, err)
	require.False(t, r.Final)
	require.Contains(t, string(r.Answer), "the time is up")
	r, err = hands.Do(t.Context(), u, 0, p.Content)
	require.NoError(t, err)
	require.True(t, r.Final)
}

// FuzzDo gives a worker all kinds of questions: it answers, or says what is wrong.
func FuzzDo(f *testing.F) {
	text := strings.ReplaceAll(protocol, "include \"FILE\";", "")
	for _, ask := range []string{
		`{"subject":{"Files":["a.ded"]},"names":{"0":"a.ded"}}`,
		`{"subject":{"Files":["a.ded"],"Bounds":{"eot":"-1"},"Max":-1,"MaxFacts":-1,"MaxGates":-1,"Size":-1},"names":{"0":"a.ded"}}`,
		`{"subject":{"Files":["a.ded"],"Input":{"File":"a.ded","Instead":["log"]},"Strategy":"lineage"},"names":{"0":"a.ded"}}`,
		`{"subject":{"Files":["a.ded","a.ded"],"Cost":"crash=-1","Executions":-1,"CallTimeout":-1},"names":{"0":"a.ded","1":"a.ded"}}`,
		`{"subject":{"System":"sh"}}`, `{"subject":{"Stderr":{}}}`, `{"subject":null}`, `[]`, `null`, `{"host":{"program":"0"},"subject":{}}`,
		`{"part":{"from":-1,"to":-1},"subject":{"Files":["a.ded"]},"names":{"0":"a.ded"}}`,
	} {
		f.Add(string(work.Search), ask, text)
		f.Add(string(work.Draws), ask, text)
	}
	s := newSecrets(f)
	f.Fuzz(func(t *testing.T, kind, ask, text string) {
		if len(text) > 4<<10 {
			return
		}
		u := &work.Unit{Kind: work.Kind(kind), Build: workers.Build, Ask: []byte(ask), Files: map[string]string{"0": work.Digest([]byte(text)), "1": work.Digest([]byte(text))}}
		for name := range u.Files {
			require.NoError(t, os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		w := worker.Worker{Build: workers.Build}
		d := w.Do(ctx, &work.Task{Unit: u, Dir: s.dir})
		require.True(t, (d.Error == "") != (d.Answer == nil))
		s.kept(t, *d)
	})
}
