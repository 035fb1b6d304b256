package messages_test

import (
	"io"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/stretchr/testify/require"
)

// Lines that cannot be read, or not in reasonable memory, are errors.
func TestLines(t *testing.T) {
	for text, wrong := range map[string]string{
		"": "EOF", "\n \n\t\n": "EOF",
		"{": `"{" is no line of the protocol: unexpected end of JSON input`,
		`{"id":` + strings.Repeat(" ", 200) + "1}": "a line is longer than 100 bytes",
		strings.Repeat("[", 90):                    "is no line of the protocol",
	} {
		var a messages.Answer
		require.ErrorContains(t, messages.NewLines(strings.NewReader(text), 100).Next(&a), wrong)
	}
	var a messages.Answer
	many := `{"id":1,"findings":[` + strings.Repeat(`"",`, messages.MaxCommas) + `""]}`
	require.ErrorContains(t, messages.NewLines(strings.NewReader(many), messages.MaxAnswer).Next(&a), "a line has 4000001 commas, and may have 4000000")
	require.Empty(t, a)

	in := messages.NewLines(strings.NewReader("\n{\"id\":3}\n\n{\"id\":4,\"unknown\":{}}"), 100)
	require.NoError(t, in.Next(&a))
	require.Equal(t, 3, a.ID)
	require.NoError(t, in.Next(&a))
	require.Equal(t, 4, a.ID)
	require.Equal(t, io.EOF, in.Next(&a))
}
