package wire_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/stretchr/testify/require"
)

// early is a log that writes to standard output, as a package variable of a library.
var early = log.New(os.Stdout, "early ", 0)

// TestPrintingHost is the host of TestStandardOutput.
func TestPrintingHost(t *testing.T) {
	if os.Getenv("LDFI_PRINTING_HOST") == "" {
		t.Skip("it is a host")
	}
	s := tiny()
	early.Print("before")
	err := wire.Serve(s)
	early.Print("after")
	fmt.Println("printed after")
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// Standard output has the protocol and nothing else, whatever a server prints there, and
// the arguments of the host stay its own.
func TestStandardOutput(t *testing.T) {
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPrintingHost$", "its", "own")
	c.Env = append(os.Environ(), "LDFI_PRINTING_HOST=1")
	c.Stdin = strings.NewReader(`{"id":1,"do":"hello","version":1}` + "\n")
	var out, errors bytes.Buffer
	c.Stdout, c.Stderr = &out, &errors
	require.NoError(t, c.Run(), errors.String())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Equal(t, "early before", lines[0], "what is printed before Serve is not its business")
	require.Len(t, lines, 2)
	require.True(t, strings.HasPrefix(lines[1], `{"id":1,`), lines[1])
	require.Contains(t, errors.String(), "early after\nprinted after")
}
