package search

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// What was found when a search ends is confirmed: executions of programs have longer for it.
func TestLonger(t *testing.T) {
	for offers, want := range map[string]time.Duration{OffersDisks: time.Second, OffersSignals: AfterPrograms} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			target := &Target{Description: Description{Offers: []string{offers}}}
			late, end := target.Longer(ctx)
			defer end()
			began := time.Now()
			cancel()
			<-late.Done()
			require.Equal(t, want, time.Since(began))
		})
	}
}
