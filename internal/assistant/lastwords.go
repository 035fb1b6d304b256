package assistant

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// afterInput is how long calls that were made before the input ended may still take.
// They are interrupted then, and the whole talk ends within two seconds.
const afterInput = 500 * time.Millisecond

// lastWords is a transport on which the end of the input is seen only when what was
// asked before is answered, or has taken long enough since.
type lastWords struct{ mcp.Transport }

// Connect opens the connection.
func (t lastWords) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{Connection: c, asked: map[any]bool{}, changed: make(chan struct{}, 1), closed: make(chan struct{})}, nil
}

// connection knows what was asked and is not answered.
type connection struct {
	mcp.Connection
	mutex   sync.Mutex
	asked   map[any]bool // by the id of the request
	changed chan struct{}
	closed  chan struct{}
	close   sync.Once
}

// Read reads the next message.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if request, ok := m.(*jsonrpc.Request); ok && request.IsCall() {
		c.note(request.ID, true)
	}
	if errors.Is(err, io.EOF) {
		c.wait(ctx)
	}
	return m, err
}

// Write writes a message.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if response, ok := m.(*jsonrpc.Response); ok {
		c.note(response.ID, false)
	}
	return err
}

// Close ends the connection.
func (c *connection) Close() error {
	c.close.Do(func() { close(c.closed) })
	return c.Connection.Close()
}

// note notes that a request was asked, or is answered.
func (c *connection) note(id jsonrpc.ID, asked bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if asked {
		c.asked[id.Raw()] = true
		return
	}
	delete(c.asked, id.Raw())
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// answered tells whether nothing is left to answer.
func (c *connection) answered() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.asked) == 0
}

// wait waits until all is answered, or for long enough.
func (c *connection) wait(ctx context.Context) {
	over := time.After(afterInput)
	for !c.answered() {
		select {
		case <-c.changed:
		case <-over:
			return
		case <-ctx.Done():
			return
		case <-c.closed:
			return
		}
	}
}
