package ldfi_test

import (
	"bytes"
	"encoding/json"
	"go/format"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// checker reads states, each the facts that are there after a round, and prints for each what is wrong with it.
const checker = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"checked/invariant"
)

func main() {
	var states []map[string]bool
	if err := json.NewDecoder(os.Stdin).Decode(&states); err != nil {
		panic(err)
	}
	for _, state := range states {
		fmt.Println(invariant.Check(func(relation string, args ...string) bool {
			return state[relation+" "+strings.Join(args, " ")]
		}))
	}
}
`

// TestAssertions compiles the functions of a proof and calls them for the facts of many rounds, with any faults:
// none is broken. Of facts that no round has together one says which sentence they break.
func TestAssertions(t *testing.T) {
	p, err := dedalus.Parse("../testdata/protocols/replication/kafka_min_isr.ded")
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals})
	require.NoError(t, err)
	proof, _, err := m.Invariant(t.Context())
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, proof.WriteGo(&text))
	formatted, err := format.Source(text.Bytes())
	require.NoError(t, err)
	require.Equal(t, string(formatted), text.String())

	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module checked\n\ngo 1.22\n", "main.go": checker, "invariant/invariant.go": text.String()} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	states := ldfi.Walk(proof, rand.New(rand.NewPCG(31, 6)), 200, 10)
	lost := map[string]bool{"confirm a a w": true, "leads z b": true, "acknowledged k w": true, "insync a b": true, "stored a w": true, "stored c w": true}
	input, err := json.Marshal(append(states, lost))
	require.NoError(t, err)
	program := exec.Command("go", "run", ".")
	program.Dir, program.Stdin, program.Env = dir, bytes.NewReader(input), append(os.Environ(), "GOWORK=off")
	out, err := program.CombinedOutput()
	require.NoError(t, err, "%s", out)
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	require.Len(t, lines, len(states)+1)
	for i, line := range lines[:len(states)] {
		require.Equal(t, "<nil>", string(line), "%v", states[i])
	}
	require.Equal(t, `broken: acknowledged("k", "w"), insync(_, P) => stored(P, "w"); P is b`, string(lines[len(states)]))
}
