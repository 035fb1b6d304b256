package carrier

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/members"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
)

// hearAccused takes note that so many have found that a worker has said what is not true. One
// of them is heard, and not believed: whoever asks looks at what the worker says.
func (c *Carrier) hearAccused(name string, by int) {
	if by >= store.Enough {
		c.distrust(name)
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.accused[name] = true
}

// accuse says of a worker that it has said what is not true, and believes it no more.
func (c *Carrier) accuse(ctx context.Context, name string) {
	c.distrust(name)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := c.store.Accuse(ctx, name, c.job); err != nil {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.undone = errors.Join(c.undone, fmt.Errorf("what %s has said is still on the server, where others may believe it: %w", name, err))
	}
}

// distrust believes a worker no more, and lets others do what it does.
func (c *Carrier) distrust(name string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.liars[name] = true
	for _, h := range c.held {
		if h.worker != "" && h.name == name {
			_ = members.SayCancel(c.nc, members.Cancel{Job: c.job, Sequence: h.sequence})
			c.askAgain(h)
		}
	}
}
