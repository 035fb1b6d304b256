package overlay_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/overlay"
	"github.com/stretchr/testify/require"
)

func installed(t *testing.T) overlay.Go {
	g, err := overlay.Installed(context.Background(), "go", ".", nil)
	require.NoError(t, err)
	return g
}

// The installed Go has every text that is edited exactly once, and the overlay is
// written once.
func TestInstalledGo(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	g := installed(t)
	list, err := g.Write()
	require.NoError(t, err)
	text, err := os.ReadFile(list)
	require.NoError(t, err)
	var replaced struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(text, &replaced))
	for from, to := range replaced.Replace {
		require.True(t, strings.HasPrefix(from, g.Root), from)
		require.FileExists(t, to)
	}
	added := overlay.Added()
	require.Len(t, added, 3)
	for file := range added {
		require.Contains(t, replaced.Replace, filepath.Join(g.Root, "src", filepath.FromSlash(file)))
	}
	before, err := os.Stat(list)
	require.NoError(t, err)
	again, err := g.Write()
	require.NoError(t, err)
	require.Equal(t, list, again)
	after, err := os.Stat(list)
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime(), "it is kept")
}

// Every edit gives its reason, and is made where its text occurs once only.
func TestEditsMatchOnce(t *testing.T) {
	edits := overlay.Edits("go1.26")
	require.NotEmpty(t, edits)
	for _, e := range edits {
		require.NotEmpty(t, e.Why, e.File)
		out, err := overlay.Apply(e.File, "before\n"+e.Old+"\nafter", []overlay.Edit{e})
		require.NoError(t, err)
		require.Equal(t, "before\n"+e.New+"\nafter", out)
		for _, text := range []string{"", e.Old + e.Old} {
			_, err := overlay.Apply("sync/x.go", text, []overlay.Edit{e})
			require.ErrorContains(t, err, "sync/x.go: what ldfi wants to edit there ("+e.Why+") occurs ")
			require.ErrorContains(t, err, "ldfi doctor")
		}
	}
}

// A Go without a table, or without sources, is refused by name.
func TestRefused(t *testing.T) {
	_, err := overlay.Go{Version: "go1.25.5", Root: "/nowhere"}.Write()
	require.ErrorContains(t, err, "go1.25.5: ldfi can edit the standard library of go1.26 and go1.27 only")
	_, err = overlay.Go{Version: "go1.26.8", Root: t.TempDir()}.Write()
	require.ErrorContains(t, err, "go1.26.8 has no standard library that ldfi can edit")
}
