package ldfi_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/stretchr/testify/require"
)

// TestLongerRuns compares promises for any number of rounds with those of one, two and three times as many
// rounds as a program has: a promise that holds holds in these, and one that breaks in a round does not break
// before. With -long it asks all of testdata, each for at most a minute.
func TestLongerRuns(t *testing.T) {
	long := flag.Lookup("long").Value.String() != "0"
	outcomes := map[string]int{}
	for _, c := range oracle.Protocols(t) {
		if !long && !slices.Contains(quickForAnyRounds, c.Name) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			ctx := t.Context()
			if long {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, time.Minute)
				defer cancel()
			}
			outcome, err := longer(ctx, c)
			require.NoError(t, err)
			outcomes[outcome]++
			t.Log(outcome)
		})
	}
	t.Log(outcomes)
	require.GreaterOrEqual(t, outcomes[string(result.Holds)], 6)
	require.GreaterOrEqual(t, outcomes[string(result.Violated)], 9)
}

// quickForAnyRounds are protocols that are decided in some hundredths of a second.
var quickForAnyRounds = []string{
	"catalogue/cassandra_3395.ded",
	"catalogue/mapreduce_5505.ded",
	"catalogue/mapreduce_5505_fixed.ded",
	"catalogue/zookeeper_1653.ded",
	"catalogue/zookeeper_1653_fixed.ded",
	"catalogue/zookeeper_769.ded",
	"catalogue/zookeeper_769_fixed.ded",
	"choices/primary_common.ded",
	"choices/primary_own.ded",
	"delivery/retry.ded",
	"partitions/acknowledged.ded",
	"partitions/half.ded",
	"partitions/heartbeats.ded",
	"partitions/majority.ded",
	"replication/kafka_isr.ded",
	"replication/kafka_min_isr.ded",
	"restart/2pc_forgets.ded",
	"traps/reachability.ded",
}

func longer(ctx context.Context, c oracle.Case) (outcome string, err error) {
	m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals})
	if err != nil {
		return "", err
	}
	a, err := m.AnyRounds(ctx)
	switch {
	case errors.As(err, new(*provenance.UntimedError)):
		return "refused", nil
	case err != nil:
		return "", err
	case a.Verdict == result.Inconclusive:
		return "inconclusive", nil
	}
	expected := map[int]result.Verdict{}
	if a.Verdict == result.Holds {
		for i := range 3 {
			expected[(i+1)*c.Bounds.EOT] = result.Holds
		}
	} else {
		expected[a.Rounds.Round] = result.Violated
		named := 1 // a run of fewer rounds does not have those that the program reads
		for _, r := range c.Program.Rules {
			for _, term := range r.Body {
				named = max(named, term.At)
			}
		}
		if a.Rounds.Round > named {
			expected[a.Rounds.Round-1] = result.Holds
		}
	}
	for eot, verdict := range expected {
		m, err := ldfi.New(c.Program, c.Bounds.Lasting(eot), ldfi.Options{Goals: c.Goals})
		if err != nil {
			return "", err
		}
		in, err := m.Check(ctx)
		switch {
		case err != nil:
			return "", err
		case in.Verdict == result.Inconclusive:
			outcome = ", as far as the time goes"
		case in.Verdict != verdict:
			return "", fmt.Errorf("it is %s in round %d of any number of rounds, and %s in %d rounds", a.Verdict, a.Rounds.Round, in.Verdict, eot)
		}
	}
	return string(a.Verdict) + outcome, nil
}
