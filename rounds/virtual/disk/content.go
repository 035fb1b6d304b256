package disk

import "syscall"

// sector is how much a disk writes as a whole.
const sector = 512

// largest is the length that a file can have.
const largest = 1 << 30

// content is what is in a file: what is seen, what is durable, and what was done since.
type content struct {
	seen, durable sparse
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
	c.seen.resize(max(c.seen.size, end))
	c.seen.write(p, int(at))
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
	c.seen.resize(int(length))
	c.note(int(length), int(length))
	return nil
}

// note takes note of what was done to the bytes from one place to another.
func (c *content) note(from, to int) {
	from -= from % sector
	to = min((to+sector-1)/sector*sector, c.seen.size)
	c.since = append(c.since, operation{c.seen.size, from, c.seen.part(from, max(from, to))})
}

// sync makes what was done durable. If it fails, that is never done by another sync.
func (c *content) sync(fails bool) error {
	if !fails {
		for _, o := range c.since {
			o.apply(&c.durable)
		}
	}
	c.since = nil
	if fails {
		return syscall.EIO
	}
	return nil
}

func (o operation) apply(image *sparse) {
	image.resize(o.length)
	image.write(o.sectors, o.at)
}
