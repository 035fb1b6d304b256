package main

import (
	"runtime/debug"
	"testing"

	"github.com/lineage-driven/ldfi/docs/schema"
	"github.com/stretchr/testify/require"
)

// The version that ldfi says of its schemas is the one that they have.
func TestVersionOfSchemas(t *testing.T) {
	for _, name := range schema.Names() {
		text, err := schema.Of(name)
		require.NoError(t, err)
		require.Contains(t, string(text), "/docs/schema/"+schemas+"/"+name+".json")
	}
}

// A build from a checkout has a commit, and one of a published module has none.
func TestCommit(t *testing.T) {
	info := &debug.BuildInfo{}
	require.Empty(t, commit(info))
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "093dcbdc"}, {Key: "vcs.time", Value: "2026-11-29T10:00:00Z"}}
	require.Equal(t, "  commit   093dcbdc of 2026-11-29T10:00:00Z\n", commit(info))
	info.Settings = append(info.Settings, debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	require.Equal(t, "  commit   093dcbdc of 2026-11-29T10:00:00Z, with changes\n", commit(info))
}
