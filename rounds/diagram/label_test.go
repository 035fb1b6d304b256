package diagram_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// At the arrow of what a server sends stands what it says, and not only the protocol.
func TestWhatServersSay(t *testing.T) {
	message := func(from, to, kind, text string) recording.Message {
		return recording.Message{From: from, To: to, Round: 1, Relation: kind, Args: []specs.Value{specs.String(to), specs.String(text)}}
	}
	e := &recording.Execution{System: "kv", Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 1}, Messages: []recording.Message{
		message("a", "b", "http", "GET /kv/x"), message("a", "c", "http", "GET /kv/x"), message("a", "c", "http", "PUT /kv/x: 7"),
		message("b", "a", "grpc", "/a.very.long.package.Service/Method OK"), message("b", "c", "vote", "yes"),
		message("c", "b", "nats", "PUB orders"), message("c", "b", "raft", "MsgVote term 3"), message("c", "b", "memberlist", "suspect a"), message("c", "a", "resp", "GET x"),
	}}
	var text strings.Builder
	require.NoError(t, diagram.Write(&text, e, diagram.Options{}))
	require.Equal(t, `round  a                      b                      c
  1    ├─ GET /kv/x ─────────▶┼─────────────────────▶│
       ├─ PUT /kv/x: 7 ───────┼─────────────────────▶│
       │◀─ Service/Method OK ─┤                      │
       │                      ├─ vote ──────────────▶│
       │                      │◀───────── suspect a ─┤
       │                      │◀──────── PUB orders ─┤
       │                      │◀──── MsgVote term 3 ─┤
       │◀─────────────────────┼────────────── GET x ─┤
`, text.String())
	text.Reset()
	require.NoError(t, diagram.WriteMermaid(&text, e, diagram.Options{}))
	require.Contains(t, text.String(), "PUT /kv/x#58; 7")
}
