package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestScripts runs the sessions in testdata/script.
func TestScripts(t *testing.T) {
	runScripts(t, "testdata/script")
}

// TestLongScripts runs those that ask servers for long: together as long as all others.
func TestLongScripts(t *testing.T) {
	if !*everything {
		t.Skip("only with -long")
	}
	runScripts(t, "testdata/script/long")
}

// runScripts runs the sessions of a directory. If they do not end in time, it says which took
// longest. In them "ldfi" is carried out in this process, "exited" is its exit code, and "exec
// ldfi" is a process.
func runScripts(t *testing.T, dir string) {
	var took sync.Map // the times of the scripts, by name
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		var slow []string
		took.Range(func(name, time any) bool {
			slow = append(slow, fmt.Sprintf("%8.1f s  %s", time, name))
			return true
		})
		slices.Sort(slow)
		t.Logf("the scripts that took longest:\n%s", strings.Join(slow[max(0, len(slow)-5):], "\n"))
	})
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir, err = filepath.Abs(dir)
	require.NoError(t, err)
	caches, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	require.NoError(t, err)
	built, modules, _ := strings.Cut(strings.TrimSpace(string(caches)), "\n")
	testscript.RunT(oneByOne{t}, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"ldfi": ldfiHere, "exited": exited},
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPOSITORY", root)
			env.Setenv("PROTOCOLS", root+"/testdata/protocols")
			env.Setenv("TRACES", root+"/internal/causality/testdata")
			env.Setenv("GOCACHE", built) // a script has a HOME of its own, in which nothing is built
			env.Setenv("GOMODCACHE", modules)
			env.Setenv(complaints, os.Getenv(complaints))
			name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
			begin := time.Now()
			env.Defer(func() { took.Store(name, time.Since(begin).Seconds()) })
			return keepPlace(env, filepath.Join(dir, name+".txtar"))
		},
	})
}

// oneByOne is a test whose parts run one after the other: commands in this process share
// its directory and its environment.
type oneByOne struct{ *testing.T }

func (o oneByOne) Parallel()     {}
func (o oneByOne) Verbose() bool { return testing.Verbose() }

func (o oneByOne) Run(name string, do func(testscript.T)) {
	o.T.Run(name, func(t *testing.T) { do(oneByOne{t}) })
}

// place is where commands of a script are carried out.
type place struct {
	t     *testing.T
	names []string // of the variables that the script has
	code  int      // with which the last command ended
}

// sets are the lines of a script that set variables.
var sets = regexp.MustCompile(`(?m)^(?:\[[^\]]*\] )?env ([A-Za-z_]+)=`)

// keepPlace gives a script the place of its commands.
func keepPlace(env *testscript.Env, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	p := &place{t: env.T().(oneByOne).T}
	for _, v := range env.Vars {
		name, _, _ := strings.Cut(v, "=")
		p.names = append(p.names, name)
	}
	for _, m := range sets.FindAllStringSubmatch(string(text), -1) {
		p.names = append(p.names, m[1])
	}
	env.Values[place{}.key()] = p
	return nil
}

// key is the one of the place among the values of a script.
func (place) key() string { return "place" }

// enter makes the directory and the environment of a script those of this process, until
// the test of the script ends.
func (p *place) enter(ts *testscript.TestScript) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !slices.Contains(p.names, name) {
			p.t.Setenv(name, "")
			require.NoError(p.t, os.Unsetenv(name))
		}
	}
	for _, name := range p.names {
		p.t.Setenv(name, ts.Getenv(name))
	}
	p.t.Chdir(ts.MkAbs("."))
}

// ldfiHere carries out a line of a script, which may have to fail.
func ldfiHere(ts *testscript.TestScript, fails bool, args []string) {
	p := ts.Value(place{}.key()).(*place)
	p.enter(ts)
	var out bytes.Buffer
	p.code = run(p.t.Context(), args, streams{in: strings.NewReader(""), out: io.MultiWriter(&out, ts.Stdout()), err: ts.Stderr()})
	if err := checkJSON(args, out.Bytes()); err != nil {
		ts.Fatalf("%v", err)
	}
	if fails != (p.code != 0) {
		ts.Fatalf("exit status %d", p.code)
	}
}

// exited checks the exit code of the last "ldfi".
func exited(ts *testscript.TestScript, _ bool, args []string) {
	if code := fmt.Sprint(ts.Value(place{}.key()).(*place).code); len(args) != 1 || args[0] != code {
		ts.Fatalf("exit status %s", code)
	}
}
