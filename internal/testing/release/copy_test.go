package release

import (
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The commands of the documentation make a copy of an adapter, for a library with
// another import path, which passes the tests of all adapters.
func TestPublishedCopy(t *testing.T) {
	if !*publish {
		t.Skip("downloads modules: run with -args -publish")
	}
	block := regexp.MustCompile("(?s)<!-- run by internal/testing/release -->\n```sh\n(.*?)```\n")
	commands := block.FindStringSubmatch(read(t, root, "docs/guide/adapter.md"))
	require.NotNil(t, commands)
	_, err := exec.LookPath("bash")
	require.NoError(t, err)
	env := []string{"GOWORK=off", "GOFLAGS=-mod=mod", "LDFI=" + absolute(t, root)}
	require.Contains(t, output(t, t.TempDir(), env, "bash", "-euc", commands[1]), "ok  \texample.com/myraft")
}
