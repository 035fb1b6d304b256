package search_test

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
)

// A replicated log with a mistake, and without: which isolations, each to the
// end of a phase of four rounds, make its processes output different logs?
func Example() {
	bounds := rounds.Bounds{Isolations: 4, Period: 4}
	r, err := search.Run(context.Background(), replog.Buggy(), search.Options{Bounds: bounds})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Search.Why)
	fmt.Println(r.Verdict, "with", r.First().Schedule.Size(), "faults")

	r, err = search.Run(context.Background(), replog.Fixed(), search.Options{Strategy: "learn", Bounds: bounds})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Verdict, "for", r.Search.Certificate.Schedules, "schedules")
	// Output:
	// exhaustive, because the processes can be put back into states that have names: every global state is looked at once
	// violated with 2 faults
	// holds for 141905 schedules
}
