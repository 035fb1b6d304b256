package virtual_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/internal/calls"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// A goroutine that never comes to rest is named with its process and its stack: one that
// runs on, and without the overlay one that waits for a mutex.
func TestHang(t *testing.T) {
	if bubble.Exact() {
		t.Skip("it would take 10s for a goroutine to be interrupted")
	}
	var release atomic.Bool
	var mutex sync.Mutex
	for name, does := range map[string]func(){
		"spin": func() { spin(&release) },
		"lock": func() { lock(&mutex) },
	} {
		t.Run(name, func(t *testing.T) {
			mutex.Lock()
			release.Store(false)
			target, err := search.NewTarget(fragiles(func(_ *virtual.Machine, f *fragile) error {
				f.request = func() { go does() }
				return nil
			}), nil)
			require.NoError(t, err)
			place, err := target.Hangs(t.Context(), &calls.Place{}, 0, 300*time.Millisecond)
			require.NoError(t, err)
			require.NotNil(t, place)
			require.Equal(t, "a", place.Process)
			require.Equal(t, 2, place.Round)
			require.Contains(t, strings.Join(place.Stack, "\n"), "virtual_test."+name+" at virtual/hang_test.go:")
			mutex.Unlock()
			release.Store(true)
			run(t, clocks(), "") // it waits until the other execution has ended
		})
	}
}

func spin(release *atomic.Bool) {
	for !release.Load() {
	}
}

func lock(mutex *sync.Mutex) {
	mutex.Lock()
	defer mutex.Unlock()
}
