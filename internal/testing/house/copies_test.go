package house_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The library of adapters/etcdraft has had other import paths before. What an
// adapter does with it is the same, but no module can have two of them under one
// name: these are copies with another import path.
var copies = map[string]string{
	"etcd34": "go.etcd.io/etcd/raft",
	"etcd35": "go.etcd.io/etcd/raft/v3",
}

const (
	adapters = root + "/adapters"
	original = "etcdraft"
	library  = "go.etcd.io/raft/v3"
	mark     = "// Code generated from adapters/" + original + " by go test ./internal/testing/house -update; DO NOT EDIT.\n\n"
)

// The tests that are copied as well: those that every adapter has to pass.
var copiedTests = []string{"cluster_test.go", "durability_test.go", "everyway_test.go", "learner_test.go"}

// The copies say what the original says.
func TestCopies(t *testing.T) {
	for name, path := range copies {
		want := copied(t, name, path)
		for file, text := range want {
			to := filepath.Join(adapters, name, file)
			if *update {
				require.NoError(t, os.WriteFile(to, []byte(text), 0o666))
			}
			is, err := os.ReadFile(to)
			require.NoError(t, err, "go test ./internal/testing/house -update makes it")
			require.Equal(t, text, string(is), "%s is not a copy of that in adapters/%s: change that one, then go test ./internal/testing/house -update", to, original)
		}
		requireNoOther(t, name, want)
	}
}

// copied returns what has to be in a copy, by file.
func copied(t *testing.T, name, path string) map[string]string {
	files, err := filepath.Glob(filepath.Join(adapters, original, "*.go"))
	require.NoError(t, err)
	texts := map[string]string{}
	for _, file := range files {
		base := filepath.Base(file)
		if base == "doc.go" || strings.HasSuffix(base, "_test.go") && !slices.Contains(copiedTests, base) {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		texts[base] = mark + strings.NewReplacer(library, path, original, name).Replace(string(text))
	}
	return texts
}

// requireNoOther says of a copy that what it has besides is its own.
func requireNoOther(t *testing.T, name string, want map[string]string) {
	files, err := filepath.Glob(filepath.Join(adapters, name, "*.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.HasPrefix(string(text), mark) {
			require.Contains(t, want, filepath.Base(file), "%s has no original any more: remove it", file)
		}
	}
}
