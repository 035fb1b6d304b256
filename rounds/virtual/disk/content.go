package disk

import (
	"slices"
	"syscall"
)

// sector is how much a disk writes as a whole.
const sector = 512

// largest is the length that a file can have.
const largest = 1 << 30

// content is what is in a file: what is seen, what is durable, and what was done since.
type content struct {
	seen, durable []byte
	since         []operation
}

// operation is what a write, or a truncation, has to bring to the disk: the length of
// the file, and the sectors that have changed.
type operation struct {
	length  int
	at      int // where the sectors begin
	sectors []byte
}

// write puts bytes into the file.
func (c *content) write(p []byte, at int64) error {
	if at+int64(len(p)) > largest {
		return syscall.EFBIG
	}
	if len(p) == 0 {
		return nil
	}
	end := int(at) + len(p)
	c.seen = resized(c.seen, max(len(c.seen), end))
	copy(c.seen[at:], p)
	c.note(int(at), end)
	return nil
}

// truncate cuts the file, or makes it longer.
func (c *content) truncate(length int64) error {
	switch {
	case length < 0:
		return syscall.EINVAL
	case length > largest:
		return syscall.EFBIG
	}
	c.seen = resized(c.seen, int(length))
	c.note(int(length), int(length))
	return nil
}

// note takes note of what was done to the bytes from one place to another.
func (c *content) note(from, to int) {
	from -= from % sector
	to = min((to+sector-1)/sector*sector, len(c.seen))
	c.since = append(c.since, operation{len(c.seen), from, slices.Clone(c.seen[from:to])})
}

// sync makes what was done durable. If it fails, that is never done by another sync.
func (c *content) sync(fails bool) error {
	if !fails {
		for _, o := range c.since {
			c.durable = o.apply(c.durable)
		}
	}
	c.since = nil
	if fails {
		return syscall.EIO
	}
	return nil
}

func (o operation) apply(image []byte) []byte {
	image = resized(image, o.length)
	copy(image[o.at:], o.sectors)
	return image
}

// resized returns bytes in another number: the first, or with zeros behind.
func resized(b []byte, length int) []byte {
	if length <= len(b) {
		clear(b[length:]) // so that they are zero if the file gets longer again
		return b[:length]
	}
	if length <= cap(b) {
		return b[:length]
	}
	return append(b, make([]byte, length-len(b))...)
}
