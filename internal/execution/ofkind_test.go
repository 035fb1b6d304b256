package execution

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The kind of a message is the recorded one. Where that says nothing about the message, the
// words with which its text begins are one as well.
func TestOfKind(t *testing.T) {
	for _, c := range []struct {
		named, kind, text string
		of                bool
	}{
		{"vote", "vote", "", true},
		{"Vote", "vote", "", false},
		{"vote", "voted", "vote 1", false},
		{"message", "message", "hello", true},
		{"hello", "message", "hello you", false},
		{"json", "json", `read {"key":1}`, true},
		{"read", "json", `read {"key":1}`, true},
		{"read", "json", `read_ok {"value":1}`, false},
		{"value", "json", `read_ok, value`, false},
		{"PUT /kv", "http", "accept, PUT /kv/x: 1", true},
		{"PUT", "http", "GET /kv, PUT /kv/x: 1", true},
		{"PUT /k", "http", "PUT /kv", false},
		{"http", "tcp", "http, close", true},
	} {
		require.Equal(t, c.of, OfKind(c.named, c.kind, func() string { return c.text }), "%v", c)
	}
	require.Equal(t, "read", KindOf("json", `read {"key":1}`))
	require.Equal(t, "read", KindOf("json", "read"))
	require.Equal(t, "json", KindOf("json", `"odd" {}`))
	require.Equal(t, "http", KindOf("http", "PUT /kv"))
	require.Equal(t, "message", KindOf("message", "hello"))
}
