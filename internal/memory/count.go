package memory

import "context"

// Shares is how many evaluations of one question there may be at a time, so that each may
// take one part in so many of the whole: of all schedules, of a list of them and of the one
// before, and an execution.
const Shares = 4

// share is what one evaluation may take.
type share struct {
	whole Size
	parts int64
}

type key struct{}

func of(ctx context.Context) share {
	if s, ok := ctx.Value(key{}).(share); ok {
		return s
	}
	return share{Default(), Shares}
}

// With returns a context within which evaluations may take so much together; 0: half of the
// memory that the machine has.
func With(ctx context.Context, whole Size) context.Context {
	if whole <= 0 {
		whole = Default()
	}
	return context.WithValue(ctx, key{}, share{whole, Shares})
}

// Divided returns a context within which n evaluations take place at a time where there
// would be one without it.
func Divided(ctx context.Context, n int) context.Context {
	s := of(ctx)
	s.parts *= int64(max(n, 1))
	return context.WithValue(ctx, key{}, s)
}

// Count is how many bytes an evaluation takes.
type Count struct {
	share share
	most  int64
	taken int64
}

// Of counts what an evaluation takes within a context.
func Of(ctx context.Context) Count {
	s := of(ctx)
	return Count{share: s, most: int64(s.whole) / s.parts}
}

// Take counts some bytes more, and tells whether there may be so many.
func (c *Count) Take(bytes int) bool {
	c.taken += int64(bytes)
	return c.taken <= c.most
}

// With tells whether there may be so many bytes besides those that are counted.
func (c *Count) With(more int64) bool { return more <= c.most-c.taken }

// Most is how much the evaluation may take, Whole what all may take together.
func (c *Count) Most() Size { return Size(c.most) }

// Whole is how much all evaluations may take together.
func (c *Count) Whole() Size { return c.share.whole }
