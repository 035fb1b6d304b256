package ldfi_test

import (
	"cmp"
	"context"
	"flag"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// question is one that is decided in all ways.
type question struct {
	name string
	ask  func(context.Context, ldfi.Options) error // a limit is an error
}

// questions are those of testdata, and of so many random programs.
func questions(b *testing.B, programs int) (all []question) {
	add := func(name string, c oracle.Case) {
		all = append(all, question{name, func(ctx context.Context, o ldfi.Options) error {
			o.Goals = c.Goals
			a, err := model(b, c.Program, c.Bounds, o).Check(ctx)
			if err == nil && a.Limit != nil {
				err = context.DeadlineExceeded
			}
			return err
		}})
	}
	rows, err := oracle.ReadExpected(filepath.Join("..", "testdata", "protocols", "expected.txt"))
	require.NoError(b, err)
	for _, e := range rows {
		p, bounds, goals, err := e.Load()
		require.NoError(b, err)
		add(e.Line, oracle.Case{Program: p, Bounds: bounds, Goals: goals})
	}
	for seed := range uint64(programs) {
		p := generate.Random(seed + 1).Program
		if bounds, goals, err := rounds.BoundsOf(p, nil); err == nil {
			add("random program "+strconv.FormatUint(seed+1, 10), oracle.Case{Program: p, Bounds: bounds, Goals: goals})
		}
	}
	return all
}

// effort is what a question costs.
type effort struct {
	name           string
	usual, fastest float64 // in seconds of processors: as it is asked, and by the fastest single way
	way            string
}

func (e effort) ratio() float64 { return e.usual / e.fastest }

// costs is the least processor time of some times that a question is asked; false if it
// is not answered.
func costs(ctx context.Context, q question, o ldfi.Options, times int) (least float64, ok bool) {
	for i := range times {
		speed := oracle.StartSpeed()
		if err := q.ask(ctx, o); err != nil {
			return 0, false
		}
		if spent := speed.Seconds(); i == 0 || spent < least {
			least = spent
		}
	}
	return least, true
}

// measure returns what a question costs, false if it costs less than is looked at.
func measure(ctx context.Context, q question, times int) (e effort, ok bool) {
	const least = 0.010
	e.name = q.name
	if e.usual, ok = costs(ctx, q, ldfi.Options{}, times); !ok || e.usual < least {
		return e, false
	}
	for _, way := range ldfi.Ways {
		// One that takes much longer is not the fastest.
		limited, cancel := context.WithTimeout(ctx, time.Second+time.Duration(10*e.usual*float64(time.Second)))
		spent, ok := costs(limited, q, ldfi.Options{Workers: 1}.Only(way), times)
		cancel()
		if ok && (e.way == "" || spent < e.fastest) {
			e.fastest, e.way = spent, way
		}
	}
	return e, e.way != ""
}

// BenchmarkWays decides the questions of testdata, and with -args -long N of N random
// programs, as they are asked and by each way alone. What takes more than 10 ms of
// processor time takes at most four times as much as by the fastest single way. It
// prints the worst ten.
func BenchmarkWays(b *testing.B) {
	programs, err := strconv.Atoi(flag.Lookup("long").Value.String())
	require.NoError(b, err)
	for b.Loop() {
		var all []effort
		for _, q := range questions(b, max(programs, 200)) {
			e, ok := measure(b.Context(), q, 1)
			if ok && e.ratio() > 2 { // once more, with more care
				e, ok = measure(b.Context(), q, 4)
			}
			if ok {
				all = append(all, e)
			}
		}
		slices.SortFunc(all, func(a, b effort) int { return cmp.Compare(b.ratio(), a.ratio()) })
		b.Logf("%d questions above 10 ms", len(all))
		for _, e := range all[:min(len(all), 10)] {
			b.Logf("%.1f times %s: %.0f ms, %.0f ms: %s", e.ratio(), e.way, e.usual*1000, e.fastest*1000, e.name)
		}
		b.ReportMetric(all[0].ratio(), "worst-ratio")
		if all[0].ratio() > 4 {
			b.Errorf("%s takes %.1f times as much as by %s", all[0].name, all[0].ratio(), all[0].way)
		}
	}
}
