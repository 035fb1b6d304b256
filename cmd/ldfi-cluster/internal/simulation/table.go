package simulation

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Table writes how each question goes with each number of workers.
func Table(w io.Writer, questions []*Question, workers []int, with func(workers int) Parameters) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "units\tworkers\ttime\tefficiency\tcoordinator\tserver\tmost is lost to\t question\t")
	for _, q := range questions {
		for _, n := range workers {
			o, err := Run(with(n), q)
			if err != nil {
				return err
			}
			fmt.Fprintf(t, "%d\t%d\t%v\t%.1f %%\t%.1f %%\t%.1f %%\t%s\t %s\t\n", q.Units(), n, short(o.Makespan), 100*o.Efficiency, 100*o.Coordinator, 100*o.Server, o.Limit(), q.Name)
		}
	}
	return t.Flush()
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
