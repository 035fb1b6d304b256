package main

import (
	"bytes"
	"context"
	"fmt"
)

// mostWritten limits the bytes of one file that are kept before it is written.
const mostWritten = 512 << 20

// bounded keeps the bytes written to it, up to a limit and until the time is up.
type bounded struct {
	text bytes.Buffer
	ctx  context.Context
	name string
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.text.Len()+len(p) > b.most {
		return 0, &sizeError{b.name, b.most}
	}
	return b.text.Write(p)
}

// sizeError says that a file would be too large.
type sizeError struct {
	name string
	most int
}

func (e *sizeError) Error() string {
	return fmt.Sprintf("%s is not written: it would be larger than %d MiB; fewer rounds, processes or crashes make it smaller", e.name, e.most>>20)
}
