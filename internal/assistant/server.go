package assistant

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Server offers tools to a client.
type Server struct {
	Name, Title, Version string
	Instructions         string // what a client is told of all tools
	Tools                []Tool
	AtOnce               int // how many calls are answered at the same time; others wait
}

// Serve talks to a client until it ends the input or the context ends. All calls have
// ended when it returns, as far as their tools obey their contexts.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	server := mcp.NewServer(&mcp.Implementation{Name: s.Name, Title: s.Title, Version: s.Version},
		&mcp.ServerOptions{Instructions: s.Instructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	slots := make(chan struct{}, s.AtOnce)
	for _, t := range s.Tools {
		server.AddTool(t.described(), func(call context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			both, end := context.WithCancel(ctx)
			defer end()
			defer context.AfterFunc(call, end)()
			return t.answer(both, slots, request.Params.Arguments).result(), nil
		})
	}
	said := subprocess.NewLockedWriter(out)
	messages := &lines{in: bufio.NewReader(in), out: said}
	err := server.Run(ctx, lastWords{&mcp.IOTransport{Reader: io.NopCloser(messages), Writer: open{said}, MaxLineLength: -1}})
	if ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE) {
		return nil // it was ended, or the client is gone
	}
	if err != nil {
		return fmt.Errorf("talking to the client: %w", err)
	}
	return nil
}

// answer answers a call when there is a slot for it.
func (t *Tool) answer(ctx context.Context, slots chan struct{}, raw []byte) Answer {
	given, err := t.arguments(raw)
	if err != nil {
		return Answer{Wrong: err.Error()}
	}
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return Answer{Wrong: "interrupted"}
	}
	defer func() { <-slots }()
	return t.Ask(ctx, given)
}

// open is a writer that stays open when the talk ends.
type open struct{ io.Writer }

// Close does nothing.
func (open) Close() error { return nil }
