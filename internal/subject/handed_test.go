package subject_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// slow are workers of which one answers when the time of a unit is up, and a little later.
type slow struct {
	answer *result.Answer
	later  time.Duration
	doubts int
}

func (s *slow) Do(ctx context.Context, u *work.Unit, limit time.Duration, _ func(string) ([]byte, error)) (*work.Result, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(limit + s.later):
	}
	text, err := json.Marshal(s.answer)
	return &work.Result{Address: u.Address(), Answer: text}, err
}
func (s *slow) Doubt(*work.Unit, *work.Result, func(string) ([]byte, error), error) { s.doubts++ }
func (*slow) Here(string)                                                           {}
func (*slow) Slots() int                                                            { return 1 }
func (*slow) Build() string                                                         { return "v1" }

// When the time is up a worker says what is known, which is not lost on its way; for one
// that says nothing nobody waits, and for none after an interruption.
func TestTimeIsUpForWorkers(t *testing.T) {
	retry := &subject.Protocol{Common: subject.Common{Dir: protocols}, Files: []string{"delivery/retry.ded"}}
	known, err := open(t, retry).Search(t.Context())
	require.NoError(t, err)
	known.Limit = &result.Limit{Kind: result.LimitTimeout, Reason: "the time is up"}
	synctest.Test(t, func(t *testing.T) {
		hands := &slow{answer: known, later: 100 * time.Millisecond}
		retry.Hands = hands
		o, err := retry.Open(context.Background())
		require.NoError(t, err)
		defer o.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		a, err := o.Search(ctx)
		require.NoError(t, err)
		require.Equal(t, known.First().Schedule, a.First().Schedule)

		hands.later = time.Hour
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		a, err = o.Search(ctx)
		require.NoError(t, err)
		require.Equal(t, result.LimitTimeout, a.Limit.Kind)
		require.Less(t, time.Since(start), 61*time.Second)

		ctx, cancel = context.WithCancel(t.Context())
		retry.Limit = time.Hour
		time.AfterFunc(time.Second, cancel)
		start = time.Now()
		a, err = o.Search(ctx)
		require.NoError(t, err)
		require.Equal(t, result.LimitInterrupted, a.Limit.Kind)
		require.Equal(t, time.Second, time.Since(start))
		require.Zero(t, hands.doubts)
	})
}
