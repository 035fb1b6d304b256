package remote

import (
	"context"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A host only knows that its search was ended. Who has ended it knows why.
func TestWhyASearchWasEnded(t *testing.T) {
	late, end := context.WithTimeout(t.Context(), time.Nanosecond)
	defer end()
	<-late.Done()
	left, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx          context.Context
		kind, reason string
	}{
		{late, result.LimitTimeout, "the time is up: none of 7 executions"},
		{left, result.LimitInterrupted, "interrupted: none of 7 executions"},
	} {
		a := &result.Answer{Limit: &result.Limit{Kind: result.LimitInterrupted, Reason: "interrupted: none of 7 executions"}}
		sayWhy(c.ctx, a)
		require.Equal(t, c.kind, a.Limit.Kind)
		require.Equal(t, c.reason, a.Limit.Reason)
	}
}
