package assistant

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The largest answers that are given, in bytes: more would fill the memory of who asked.
const (
	mostJSON = 1 << 20
	mostText = 64 << 10
)

// result is an answer as the protocol has it. What is too large says so in its text.
func (a Answer) result() *mcp.CallToolResult {
	if a.Wrong != "" {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: shortened(a.Wrong)}}}
	}
	result, text := &mcp.CallToolResult{}, shortened(a.Text)
	switch {
	case len(a.JSON) > mostJSON:
		text += fmt.Sprintf("\n[The structured content is left out: it has %d bytes, and at most %d are sent. Fewer rounds, processes or fault sets make it smaller; "+
			"the command with --output json writes all of it.]\n", len(a.JSON), mostJSON)
	case len(a.JSON) > 0:
		result.StructuredContent = a.JSON
	}
	result.Content = []mcp.Content{&mcp.TextContent{Text: text}}
	return result
}

// shortened returns a text up to a limit, with a word about what is left out.
func shortened(text string) string {
	if len(text) <= mostText {
		return text
	}
	kept := text[:mostText]
	if end := strings.LastIndexByte(kept, '\n'); end >= 0 {
		kept = kept[:end+1]
	}
	kept = string(bytes.ToValidUTF8([]byte(kept), nil))
	return kept + fmt.Sprintf("\n[The text is cut here: these are %d of its %d bytes.]\n", len(kept), len(text))
}
