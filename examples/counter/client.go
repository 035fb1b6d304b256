package counter

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// Client asks one of several servers, and the next one when that does not answer.
type Client struct {
	Servers []string
	Client  *http.Client
	Timeout time.Duration // of one attempt

	turn    chan struct{} // of who asks
	current int
}

// NewClient returns a client that begins with the first server.
func NewClient(client *http.Client, timeout time.Duration, servers ...string) *Client {
	return &Client{Servers: servers, Client: client, Timeout: timeout, turn: make(chan struct{}, 1)}
}

// Add adds one, and Value returns the value. They go on until a server answers, or the
// context ends.
func (c *Client) Add(ctx context.Context) (int, error)   { return c.ask(ctx, http.MethodPost, "/add") }
func (c *Client) Value(ctx context.Context) (int, error) { return c.ask(ctx, http.MethodGet, "/value") }

func (c *Client) ask(ctx context.Context, method, path string) (int, error) {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	for {
		text, err := c.attempt(ctx, method, path)
		if err == nil {
			return strconv.Atoi(text)
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		c.current = (c.current + 1) % len(c.Servers)
		time.Sleep(c.Timeout / 10)
	}
}

func (c *Client) attempt(ctx context.Context, method, path string) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	err = call(ctx, c.Client, method, "http://"+c.Servers[c.current]+path, "", &text)
	return text, err
}
