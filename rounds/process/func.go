package process

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
)

// Func returns a node whose program is f: a client or the checker of a cluster, written where
// the cluster is. Its program is the running test. Func builds the package of the test as a
// node; in each execution that runs the test once more, up to this call, which there calls f
// and then ends the test. So f has the real net, net/http and time, and package ldfi/client,
// in a process of its own; it shares no variables with the test. Its t is that of the test in
// the node: what f fails, by t or by a panic, makes the program end with another status than
// 0.
//
//	client := process.Func(t, "client", func(t *testing.T) {
//		answer, err := http.Get("http://n1:8080/x")
//		require.NoError(t, err)
//		...
//	})
//	c := process.Cluster{Nodes: servers, Clients: []process.Node{client}}
//
// What stands before the call, TestMain included, is executed in the node, too: call Func
// early. There [Build] and [Cluster.Build] do nothing, and [Cluster.System] is an error. A
// test that ends in a node without having called its function is an error of the execution.
//
// The node is built in the working directory, with the tags of the test; it gets the flags of
// the test that are not those of package testing, and -short. Its files are on its disk only
// if Files says so.
func Func(t *testing.T, name string, f func(t *testing.T)) Node {
	t.Helper()
	call := funcs.call(t)
	if wanted, in := os.LookupEnv(funcVariable); in {
		if wanted == call {
			tellDriver(funcBegins)
			f(t)
			t.SkipNow() // unlike a return, without what follows; what failed has failed
		}
		return Node{Name: name, File: os.Args[0]}
	}
	file, err := funcs.build(t.Context())
	if err != nil {
		t.Fatal(text.SafeLines(fmt.Sprintf("process.Func: %v", err)))
	}
	return Node{Name: name, File: file, test: call}
}

// funcVariable says which call of Func the program of a node is for.
const funcVariable = "LDFI_FUNC"

// What a test tells the driver, as package ldfi/client does.
const (
	funcBegins = "func begins"
	funcWrong  = "func is wrong"
)

func tellDriver(args ...string) {
	line, err := text.MarshalJSON(args)
	if err == nil {
		_, err = os.Stdout.WriteString(toldBegins + string(line) + "\n")
	}
	if err != nil {
		panic(err) // there is nobody else to tell
	}
}

// funcs are the calls of Func in this process.
var funcs tests

type tests struct {
	mutex sync.Mutex
	calls map[*testing.T]int
	built map[string]func() (string, error) // the program of the package in a directory
}

// call names a call of Func: by its test, and how many there were before.
func (s *tests) call(t *testing.T) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.calls == nil {
		s.calls = map[*testing.T]int{}
	}
	n := s.calls[t]
	if n == 0 {
		t.Cleanup(func() {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			delete(s.calls, t)
		})
	}
	s.calls[t] = n + 1
	return strconv.Itoa(n) + " " + t.Name()
}

// build builds the package in the working directory, once.
func (s *tests) build(ctx context.Context) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	s.mutex.Lock()
	if s.built == nil {
		s.built = map[string]func() (string, error){}
	}
	if s.built[dir] == nil {
		ctx := context.WithoutCancel(ctx) // others wait for it
		s.built[dir] = sync.OnceValues(func() (string, error) { return buildTest(ctx, dir) })
	}
	build := s.built[dir]
	s.mutex.Unlock()
	return build()
}

func buildTest(ctx context.Context, dir string) (string, error) {
	var tags []string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" && s.Value != "" {
				tags = []string{"-tags=" + s.Value}
			}
		}
	}
	file, err := placeOf("", dir, "test", strings.Join(tags, ""))
	if err != nil {
		return "", err
	}
	return file, gobuild.TestNode(ctx, dir, file, tags...)
}

// inFunc tells whether this program is the node of a function.
func inFunc() bool { return os.Getenv(funcVariable) != "" }

// notInNode is the error of a cluster in a node.
func notInNode() error {
	if os.Getenv("LDFI_NODE") == "" {
		return nil
	}
	if !inFunc() {
		return errors.New("a node of a cluster runs no cluster of its own")
	}
	_, test, _ := strings.Cut(os.Getenv(funcVariable), " ")
	err := fmt.Errorf("%s runs in a node, and makes a cluster there: call process.Func before Cluster.System, in each test (t.Run makes one) for one cluster; a function has no cluster of its own", test)
	tellDriver(funcWrong, err.Error())
	return err
}

// ofTest returns the arguments and the environment with which a test runs as a node, up to a
// call of Func; none for other programs.
func (n *Node) ofTest() (args, env []string) {
	if n.test == "" {
		return nil, nil
	}
	_, name, _ := strings.Cut(n.test, " ")
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	args = []string{"-test.run=" + strings.Join(parts, "/")}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	flag.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	return args, []string{funcVariable + "=" + n.test}
}

// unreached tells whether the program is a test that has not come to its call of Func.
func (p *process) unreached() bool { return p.test != "" && !p.begun }

// notReached is the error of a test that has ended so.
func (p *process) notReached(how string) error {
	_, name, _ := strings.Cut(p.test, " ")
	return fmt.Errorf("node %s: %s does not come to its process.Func: %s. A node executes what stands before that, too, on a disk and in an environment of its own", p.Name, name, how)
}
