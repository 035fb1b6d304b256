package etcd_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/stretchr/testify/require"
)

// What is zero is left out, but for the places of the log that have a term or an
// index.
func TestText(t *testing.T) {
	m := etcd.Text{
		From: 1, To: 26, Kind: "MsgApp", Term: 3, Index: 7, Reject: true, Context: []byte("42"),
		Snapshot: etcd.Entry{Term: 2, Index: 9}, Entries: []etcd.Entry{{Index: 10, Term: 3, Data: []byte("x")}, {Index: 11}},
	}
	require.Equal(t, "1->1a MsgApp Term:3 Log:0/7 Reject Context:42 Snapshot:2/9 Entry:3/10 Data:x Entry:0/11", m.String())
}
