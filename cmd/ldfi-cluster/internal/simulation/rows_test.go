package simulation

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// Table writes how each question goes with each number of workers: of some runs that draw
// other rechecks the one in the middle.
func Table(w io.Writer, questions []*Question, workers []int, with func(workers int) Parameters) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "question\tunits\tworkers\ttime\tefficiency\tcoordinator\tserver\t most is lost to")
	for _, q := range questions {
		for _, n := range workers {
			o, err := Typical(with(n), q, 3)
			if err != nil {
				return err
			}
			fmt.Fprintf(t, "%s\t%d\t%d\t%v\t%.0f %%\t%.0f %%\t%.0f %%\t %s\n", q.Name, len(q.Pieces), n, short(o.Makespan), 100*o.Efficiency, 100*o.Coordinator, 100*o.Server, o.Limit())
		}
	}
	return t.Flush()
}

// Typical is the outcome in the middle of some, by their efficiency.
func Typical(p Parameters, q *Question, runs int) (*Outcome, error) {
	var all []*Outcome
	for range max(runs, 1) {
		o, err := Run(p, q)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
		p.Seed++
	}
	slices.SortFunc(all, func(a, b *Outcome) int { return cmp.Compare(a.Efficiency, b.Efficiency) })
	return all[len(all)/2], nil
}

// short is a time in three digits or so.
func short(d time.Duration) time.Duration {
	switch {
	case d > 100*time.Second:
		return d.Round(time.Second)
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}
