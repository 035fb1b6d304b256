package worker_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/unit"
	"github.com/lineage-driven/ldfi/internal/worker"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

const build = "v1"

// brought is a task as a worker gets it: what is in the files lies in a directory.
func brought(t *testing.T, u *unit.Unit, content func(string) ([]byte, error)) *unit.Task {
	t.Helper()
	require.NoError(t, u.Check())
	dir := t.TempDir()
	for name, digest := range u.Files {
		text, err := content(digest)
		require.NoError(t, err)
		require.Equal(t, digest, unit.Digest(text))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return &unit.Task{Unit: u, Dir: dir}
}

// packed is the unit of a question, and its task.
func packed(t *testing.T, o *subject.Opened) (*unit.Unit, *unit.Task) {
	t.Helper()
	p, err := o.Pack()
	require.NoError(t, err)
	u, err := p.Unit(build)
	require.NoError(t, err)
	return u, brought(t, u, p.Content)
}

// done does a task as ldfi unit does it: everything goes through JSON.
func done(t *testing.T, tasks ...*unit.Task) []unit.Done {
	t.Helper()
	var in, out bytes.Buffer
	for _, task := range tasks {
		line, err := unit.WriteLine(task)
		require.NoError(t, err)
		in.Write(line)
	}
	w := worker.Worker{Build: build}
	require.NoError(t, w.Serve(t.Context(), &in, &out))
	var all []unit.Done
	for line := range strings.Lines(out.String()) {
		var d unit.Done
		require.NoError(t, json.Unmarshal([]byte(line), &d))
		all = append(all, d)
	}
	require.Len(t, all, len(tasks))
	return all
}

// plain is an answer as JSON, without what differs from machine to machine.
func plain(t *testing.T, a *result.Answer) string {
	t.Helper()
	timeless := *a
	timeless.Stats = result.Stats{Executions: a.Stats.Executions}
	text, err := json.MarshalIndent(&timeless, "", " ")
	require.NoError(t, err)
	return string(text)
}

// Every case of the suite of the repository has the same answer from a worker.
func TestSuite(t *testing.T) {
	t.Chdir("../..")
	cases, err := suite.Read("ldfi.yaml")
	require.NoError(t, err)
	asked := 0
	for _, c := range cases.Cases {
		if c.Subject.System != "" {
			continue
		}
		o, err := c.Subject.Open(t.Context())
		require.NoError(t, err, c.Name)
		_, task := packed(t, o)
		d := done(t, task)[0]
		require.Empty(t, d.Error, c.Name)
		require.True(t, d.Final, c.Name)
		var there result.Answer
		require.NoError(t, json.Unmarshal(d.Answer, &there))
		here, err := o.Search(t.Context())
		require.NoError(t, err)
		require.Equal(t, plain(t, here), plain(t, &there), c.Name)
		asked++
	}
	require.Greater(t, asked, 30)
}
