package catalogue_test

import (
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

const rowsFile = "testdata/protocols/catalogue/rows.yaml"

// A catalogue is what the file says.
type catalogue struct {
	Pages   []*chapter
	Rows    []*row
	Outside []outside
}

// A chapter has the bugs of one system.
type chapter struct{ Name, Title, About string }

// A row is a published bug: what its source says of it, and what is claimed of it here.
type row struct {
	Name, Page, Title, Kind string
	Story                   string // what happened
	Source, Trigger, Cost   string
	Run                     string // the arguments of ldfi run, if it is a protocol
	Faults                  int
	Also                    []variant
	Fixed, Fix              string
	Why                     string // arguments of ldfi why that show what the fix does
	Uniform                 uniform
	System                  *process
}

// A variant is a claim about other bounds, or about a part of the bug.
type variant struct {
	Note, Run string
	Faults    int // -1: the promise holds
}

// uniform says whether isolations alone are enough: with d of them in phases of k rounds,
// and not with fewer in phases of any of the periods.
type uniform struct {
	D, K    int
	Periods []int
	With    string // flags that turn other faults off
	Needs   string // what it needs in their place, if they are not enough
}

// A process is the same bug in a system. One of an adapter, which is a module of its own,
// has a host, and is asked of by ldfi run --system.
type process struct {
	Folder, Name string
	Schedule     string // of an adapter: a smallest set of faults that shows the bug
	Bounds       string // of an adapter: what it is searched in
	Fixed        string // the system without the bug
	Strategy     string // that finds it soonest; empty: the default
	Seed         uint64 // with which a test searches, that it does not take long; 0: with 1
	Most         int    // executions of a search; 0: as many as of others

	Isolations, Period int // of a system that has no faults of its own
}

// hosted tells whether the system is one of an adapter.
func (p *process) hosted() bool { return p != nil && strings.HasPrefix(p.Folder, "adapters/") }

// outside is what the sources have and the model, or the source itself, does not give.
type outside struct{ What, Why string }

// rows reads the file.
func rows(t *testing.T) *catalogue {
	t.Helper()
	text, err := os.ReadFile(root + rowsFile)
	require.NoError(t, err)
	var c catalogue
	require.NoError(t, yaml.UnmarshalWithOptions(text, &c, yaml.DisallowUnknownField()))
	require.NotEmpty(t, c.Rows)
	return &c
}

// suffices tells whether uniform isolations are enough.
func (r *row) suffices() bool { return r.Uniform.Needs == "" }

// program returns the file of a claim, without the flags.
func program(run string) string {
	file, _, _ := strings.Cut(run, " ")
	return file
}
