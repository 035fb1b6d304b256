package virtual_test

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// A goroutine that never comes to rest is named with its process and its stack: one that
// runs on, and without the overlay one that waits for a mutex. With the overlay others have a
// turn while it does.
func TestHang(t *testing.T) {
	var release atomic.Bool
	var mutex sync.Mutex
	hangs := map[string]func(){
		"yield": func() { yield(&release) },
		"spin":  func() { spin(&release) }, // with the overlay it takes 10s until it is interrupted
	}
	if !bubble.Exact() { // with the overlay it is at rest
		hangs["lock"] = func() { lock(&mutex) }
	}
	for name, does := range hangs {
		t.Run(name, func(t *testing.T) {
			mutex.Lock()
			release.Store(false)
			target, err := search.NewTarget(fragiles(func(_ *virtual.Machine, f *fragile) error {
				f.request = func() { go does() }
				return nil
			}), nil)
			require.NoError(t, err)
			place, err := target.Hangs(t.Context(), &execution.CallPlace{}, 0, 300*time.Millisecond)
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

func yield(release *atomic.Bool) {
	for !release.Load() {
		runtime.Gosched()
	}
}

func lock(mutex *sync.Mutex) {
	mutex.Lock()
	defer mutex.Unlock()
}
