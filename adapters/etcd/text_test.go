package etcd_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/stretchr/testify/require"
)

// What is zero is left out, but for the places of the log that have a term or an
// index.
func TestText(t *testing.T) {
	text := etcd.NewText(1, 26, "MsgApp").Number("Term", 3).Place("Log", 0, 7).Number("Commit", 0).
		Flag("Reject", true).Flag("Vote", false).Bytes("Context", []byte("42")).Bytes("Data", nil)
	require.Equal(t, "1->1a MsgApp Term:3 Log:0/7 Reject Context:42", string(text))
}
