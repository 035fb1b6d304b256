package carrier

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
)

// file keeps what is in a file.
func (c *Carrier) file(ctx context.Context, f *work.File) {
	err := c.store.PutFile(ctx, f.Digest, f.Content)
	for begun := time.Now(); err != nil && store.Unreachable(err) && time.Since(begun) < time.Minute && ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
		err = c.store.PutFile(ctx, f.Digest, f.Content)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err != nil {
		c.refused[f.Digest] = refusal("a file of it", len(f.Content), err)
	} else {
		delete(c.refused, f.Digest)
		c.files[f.Digest] = true
	}
}

// refresh lets files stay in the store that units may need.
func (c *Carrier) refresh(ctx context.Context) {
	c.mutex.Lock()
	digests := slices.Collect(maps.Keys(c.files))
	c.mutex.Unlock()
	for _, digest := range digests {
		if content, err := c.store.File(ctx, digest); err == nil {
			_ = c.store.PutFile(ctx, digest, content) // else the next time
		}
	}
}

// missing is why a file of the unit is not there, or "".
func (c *Carrier) missing(u *work.Unit) string {
	if len(c.refused) == 0 {
		return ""
	}
	for _, digest := range u.Files {
		if reason := c.refused[digest]; reason != "" {
			return reason
		}
	}
	return ""
}
