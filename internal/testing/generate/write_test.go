package generate_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/stretchr/testify/require"
)

var write = flag.String("write", "", "write the models of the benchmark to this directory")

// Each row of the benchmark has a name of its own, and can be written to a file of
// that name.
func TestQuestionsHaveNames(t *testing.T) {
	names := map[string]bool{}
	for _, q := range generate.Questions() {
		require.False(t, names[q.Name], q.Name)
		names[q.Name] = true
		q.Parse(t)
		if *write != "" {
			require.NoError(t, os.WriteFile(filepath.Join(*write, q.Name+".ded"), []byte(q.Text), 0o600))
		}
	}
}
