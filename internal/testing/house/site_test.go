package house_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// The menu of the site leads to every page. .ci/run builds the whole site.
func TestMenuOfTheSite(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	const script = `import { layOut, sidebar } from './docs/.vitepress/pages.mjs'; sidebar('.', layOut('.', process.argv[1]))`
	cmd := exec.CommandContext(t.Context(), node, "--input-type=module", "--eval", script, t.TempDir())
	cmd.Dir = root
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
}
