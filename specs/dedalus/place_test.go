package dedalus_test

import (
	"testing"
	"testing/fstest"

	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// A program of a file system is read from that alone, with what it includes.
func TestParseFS(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	fsys := fstest.MapFS{
		"main.ded":     file("include \"lib/a.ded\"; include \"b.ded\"; start(\"a\")@1;\n"),
		"lib/a.ded":    file("include \"b.ded\"; got(X) :- start(X);\n"),
		"b.ded":        file("good(X) :- got(X);\n"),
		"absolute.ded": file("include \"/etc/passwd\";\n"),
		"up.ded":       file("include \"../b.ded\";\n"),
		"self.ded":     file("include \"self.ded\";\n"),
	}
	p, err := dedalus.ParseFS(fsys, "./main.ded")
	require.NoError(t, err)
	require.Equal(t, []string{"./main.ded", "lib/a.ded", "b.ded"}, p.Files)
	for name, want := range map[string]string{
		"absolute.ded": `cannot include "/etc/passwd": file does not exist`, "up.ded": `cannot include "../b.ded": file does not exist`, // no name leads out
		"self.ded": "this include is a cycle", "../main.ded": "file does not exist", "none.ded": "file does not exist", "lib": "this is a directory",
	} {
		_, err := dedalus.ParseFS(fsys, name)
		require.ErrorContains(t, err, want, name)
	}
}
