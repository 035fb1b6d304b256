package explore_test

import (
	"context"
	"flag"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/subject"
	_ "github.com/lineage-driven/ldfi/internal/testing/generate" // spends less on the collector
	"github.com/stretchr/testify/require"
)

// toggles are keys after each of which everything that is seen may change: faults of all
// kinds of programs, in different places, within the bounds and beyond them.
const toggles = "c right i right down c left o o down o right x u u U d d D l space l c right right i space"

// allowed is how long a key may take on a machine that does much else; BenchmarkKey says
// how long it takes.
const allowed = 500 * time.Millisecond

var long = flag.Bool("long", false, "measure how long keys take, press more of them, and look at all protocols and sizes of screens")

// What a key leads to is on the screen before anybody notices: for all protocols, also
// those of which there is no circuit. The quickest of some tries counts, because the
// machine may do other things meanwhile.
func TestKeysAreQuick(t *testing.T) {
	if !*long {
		t.Skip("only with -long: this measures times")
	}
	for _, file := range programs(t) {
		slowest, key := slowestKey(t, file)
		require.Less(t, slowest, allowed, "%s: %s", file, key)
	}
}

// Every protocol fits on a screen of 40 columns: one in four of each folder without -long.
func TestAllProtocolsFit(t *testing.T) {
	seen := map[string]int{}
	for _, file := range programs(t) {
		folder := filepath.Dir(file)
		if seen[folder]++; !*long && seen[folder]%4 != 1 {
			continue
		}
		about := &subject.Protocol{Files: []string{file}, MaxGates: 100_000}
		o, err := about.Open(t.Context())
		require.NoError(t, err)
		e, err := explore.New(t.Context(), o)
		require.NoError(t, err)
		p := explore.NewPlayer(t.Context(), e, options(file), 40, 20)
		for _, key := range strings.Fields("right i 3 down l down o 1 ? esc") {
			p.Press(key)
			fits(t, p, 40, 20, file, key)
		}
		require.NoError(t, o.Close())
	}
}

// BenchmarkKey presses keys on each protocol, and reports the slowest.
func BenchmarkKey(b *testing.B) {
	for _, file := range programs(b) {
		b.Run(strings.TrimPrefix(file, "../../testdata/"), func(b *testing.B) {
			slowest := time.Hour
			for b.Loop() {
				took, _ := slowestKey(b, file)
				slowest = min(slowest, took)
			}
			b.ReportMetric(float64(slowest.Microseconds())/1000, "ms/key")
		})
	}
}

// slowestKey returns how long the slowest key takes, of three tries of each the quickest:
// until the verdict of the circuit and the execution are both on the screen.
func slowestKey(t testing.TB, file string) (slowest time.Duration, key string) {
	about := &subject.Protocol{Files: []string{file}, MaxGates: 100_000}
	o, err := about.Open(t.Context())
	require.NoError(t, err)
	defer o.Close()
	e, err := explore.New(t.Context(), o)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	quickest := map[int]time.Duration{}
	keys := strings.Fields(toggles)
	for range 3 {
		require.NoError(t, e.Clear())
		p := explore.NewPlayer(ctx, e, options(file), 80, 24)
		for i, key := range keys {
			start := time.Now()
			p.Press(key)
			p.Screen()
			took := time.Since(start)
			if before, ok := quickest[i]; !ok || took < before {
				quickest[i] = took
			}
		}
	}
	for i, took := range quickest {
		if took > slowest {
			slowest, key = took, keys[i]
		}
	}
	return slowest, key
}

// programs are all protocols of testdata.
func programs(t testing.TB) []string {
	var all []string
	for _, dir := range []string{"../../testdata/protocols", "../../testdata/engine"} {
		require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if d.IsDir() && (d.Name() == "lib" || d.Name() == "inputs") {
				return filepath.SkipDir
			}
			if filepath.Ext(name) == ".ded" {
				all = append(all, name)
			}
			return err
		}))
	}
	require.Greater(t, len(all), 30)
	return all
}
