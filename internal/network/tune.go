package network

import (
	"net"
	"time"
)

// The methods below are those of *net.TCPConn that libraries use. If the network has no
// such setting, they have no effect.

// SetLinger determines what Close does with bytes that have not been sent: with 0 it resets
// the connection.
func (c *conn) SetLinger(sec int) error {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	if c.closed {
		return c.error("set", net.ErrClosed)
	}
	c.abrupt = sec == 0
	return nil
}

// SetNoDelay has no effect: bytes written in a round are sent in that round.
func (c *conn) SetNoDelay(bool) error { return c.tune() }

// SetKeepAlive has no effect: an idle connection sends nothing, and does not notice
// that the other end has crashed.
func (c *conn) SetKeepAlive(bool) error { return c.tune() }

// SetKeepAlivePeriod has no effect.
func (c *conn) SetKeepAlivePeriod(time.Duration) error { return c.tune() }

// SetKeepAliveConfig has no effect.
func (c *conn) SetKeepAliveConfig(net.KeepAliveConfig) error { return c.tune() }

// SetReadBuffer has no effect.
func (c *conn) SetReadBuffer(int) error { return c.tune() }

// SetWriteBuffer has no effect.
func (c *conn) SetWriteBuffer(int) error { return c.tune() }

// tune fails if the connection is closed.
func (c *conn) tune() error {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	if c.closed {
		return c.error("set", net.ErrClosed)
	}
	return nil
}

// SetReadBuffer has no effect.
func (p *packetConn) SetReadBuffer(int) error { return p.tune() }

// SetWriteBuffer has no effect.
func (p *packetConn) SetWriteBuffer(int) error { return p.tune() }

func (p *packetConn) tune() error {
	p.host.mu.Lock()
	defer p.host.mu.Unlock()
	if p.closed {
		return p.error("set", nil, net.ErrClosed)
	}
	return nil
}
