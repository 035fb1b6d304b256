package quorum

import (
	"context"
	"time"

	"google.golang.org/grpc"
)

// Client asks one of several servers, and the next one when that does not answer.
type Client struct {
	servers []*grpc.ClientConn
	timeout time.Duration // of one attempt
	turn    chan struct{} // of who asks
	current int
}

// NewClient returns a client that begins with the first server.
func NewClient(timeout time.Duration, servers ...*grpc.ClientConn) *Client {
	return &Client{servers: servers, timeout: timeout, turn: make(chan struct{}, 1)}
}

// Ask calls a method until a server answers, or the context ends.
func (c *Client) Ask(ctx context.Context, method string) (int64, error) {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	for {
		value, err := c.attempt(ctx, method)
		if err == nil || ctx.Err() != nil {
			return value, err
		}
		c.current = (c.current + 1) % len(c.servers)
		time.Sleep(c.timeout / 10)
	}
}

func (c *Client) attempt(ctx context.Context, method string) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return ask(ctx, c.servers[c.current], method, 0)
}

// Close closes the connections.
func (c *Client) Close() {
	for _, s := range c.servers {
		s.Close()
	}
}
