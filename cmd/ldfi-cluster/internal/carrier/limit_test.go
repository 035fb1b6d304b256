package carrier_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A server that is started again may keep less, or more, than before; what it has stays.
func TestStoreLimitChanges(t *testing.T) {
	t.Parallel()
	p := newPlaceOf(t, 64<<20)
	a := p.ask()
	a.unit(1)
	wait(t, 5*time.Second, "the unit is there", func() bool { return p.waiting() == 1 })
	for _, limit := range []int64{8 << 20, 1 << 30} {
		p.stop()
		p.limit = limit
		p.start()
		require.Equal(t, 1, p.waiting())
	}
	p.hire("one", 1, echo)
	require.NotNil(t, a.next(10*time.Second).Result)
	a.end()
}
