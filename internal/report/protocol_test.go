package report_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

const testdata = "../../testdata/protocols/"

// asked is a page about a protocol, with what it was made of.
type asked struct {
	page   *report.Page
	answer *result.Answer
	opened *subject.Opened
}

// ask asks for fault sets of a protocol and makes a page of the answer.
func ask(t *testing.T, file string, most int) asked {
	t.Helper()
	ctx := context.Background()
	about := &subject.Protocol{Common: subject.Common{Named: true, Max: most}, Files: []string{file}}
	o, err := about.Open(ctx)
	require.NoError(t, err)
	t.Cleanup(func() { o.Close() })
	a, err := o.Search(ctx)
	require.NoError(t, err)
	p := report.NewPage(filepath.Base(file), "ldfi run "+filepath.Base(file), o.Bounds())
	p.Headline, p.Text = "a headline", "what is printed\n"
	p.Fields = []report.Field{{Name: "scope", Lines: []string{a.Scope.Text}}}
	words := report.Words{About: func(c result.Counterexample) string { return c.Violations[0].String() }, Replay: about.InjectCommand}
	require.NoError(t, o.Report(ctx, p, a, words))
	return asked{p, a, o}
}

// protocols are the files of testdata that are programs of their own.
func protocols(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(testdata + "*/*.ded")
	require.NoError(t, err)
	var programs []string
	for _, file := range all {
		if !strings.Contains(file, "/lib/") {
			programs = append(programs, file)
		}
	}
	require.NotEmpty(t, programs)
	return programs
}
