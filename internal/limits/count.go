package limits

import "context"

// MemoryShares is how many evaluations of one question there may be at a time, so that each may
// take one part in so many of the whole: of all schedules, of a list of them and of the one
// before, and an execution.
const MemoryShares = 4

// share is what one evaluation may take.
type share struct {
	whole MemorySize
	parts int64
}

type key struct{}

func of(ctx context.Context) share {
	if s, ok := ctx.Value(key{}).(share); ok {
		return s
	}
	return share{DefaultMemory(), MemoryShares}
}

// WithMemory returns a context within which evaluations may take so much together; 0: half of the
// memory that the machine has.
func WithMemory(ctx context.Context, whole MemorySize) context.Context {
	if whole <= 0 {
		whole = DefaultMemory()
	}
	return context.WithValue(ctx, key{}, share{whole, MemoryShares})
}

// DivideMemory returns a context within which n evaluations take place at a time where there
// would be one without it.
func DivideMemory(ctx context.Context, n int) context.Context {
	s := of(ctx)
	s.parts *= int64(max(n, 1))
	return context.WithValue(ctx, key{}, s)
}

// MemoryCount is how many bytes an evaluation takes.
type MemoryCount struct {
	share share
	most  int64
	taken int64
}

// MemoryOf counts what an evaluation takes within a context.
func MemoryOf(ctx context.Context) MemoryCount {
	s := of(ctx)
	return MemoryCount{share: s, most: int64(s.whole) / s.parts}
}

// Take counts some bytes more, and tells whether there may be so many.
func (c *MemoryCount) Take(bytes int) bool {
	c.taken += int64(bytes)
	return c.taken <= c.most
}

// With tells whether there may be so many bytes besides those that are counted.
func (c *MemoryCount) With(more int64) bool { return more <= c.most-c.taken }

// Most is how much the evaluation may take, Whole what all may take together.
func (c *MemoryCount) Most() MemorySize { return MemorySize(c.most) }

// Whole is how much all evaluations may take together.
func (c *MemoryCount) Whole() MemorySize { return c.share.whole }
