package ldfi_test

import (
	"context"
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestDiffWith: of versions of each protocol in testdata, one of which breaks under a
// schedule that another one survives, every sentence is true of the two executions and of
// the two programs. These are all pairs of a directory with the same processes and rounds; with -all the
// published bugs too, each with its fix.
func TestDiffWith(t *testing.T) {
	compared, want := map[string]string{}, maps.Clone(versionPairs)
	cases := oracle.Protocols(t)
	if flag.Lookup("all").Value.String() == "false" {
		cases = slices.DeleteFunc(cases, func(c oracle.Case) bool { return strings.HasPrefix(c.Name, published) })
	}
	for _, bad := range cases {
		if strings.HasPrefix(bad.Name, "traps/") {
			continue // which are no versions of one protocol
		}
		m := versionOf(t, bad, ldfi.Options{Max: 3})
		a, err := m.Check(t.Context())
		if err != nil || a.First() == nil {
			continue
		}
		for _, good := range cases {
			if !versions(good.Name, bad.Name) || !sameShape(good, bad) {
				continue
			}
			if strings.HasPrefix(bad.Name, published) && a.First().Size > 0 {
				want[short(bad)] = path.Base(short(good)) // which keeps the promise
			}
			for _, found := range a.Counterexamples {
				outcome, err := agreeOnVersions(t.Context(), versionOf(t, good, ldfi.Options{}), m, good, bad, found.Schedule)
				require.NoError(t, err, "%s with %s under %q", bad.Name, good.Name, found.Schedule)
				if name := short(bad); outcome == "compared" && !slices.Contains(strings.Fields(compared[name]), path.Base(short(good))) {
					compared[name] = strings.TrimSpace(compared[name] + " " + path.Base(short(good)))
				}
			}
		}
	}
	require.Equal(t, want, compared)
}

// published is where programs have published bugs.
const published = "catalogue/"

// versions tells whether two programs are versions of one protocol: they are in one
// directory; where the published bugs are, one is the fix of the other.
func versions(good, bad string) bool {
	if strings.HasPrefix(bad, published) {
		return good == strings.TrimSuffix(bad, ".ded")+"_fixed.ded"
	}
	return path.Dir(good) == path.Dir(bad) && good != bad
}

// versionPairs are the versions in testdata under whose fault sets another one fares otherwise:
// it keeps the promise, or breaks it in another way.
var versionPairs = map[string]string{
	"choices/write_once":    "write_always",
	"commit/2pc":            "2pc_ctp 2pc_timeout 3pc 3pc_forward",
	"commit/2pc_ctp":        "2pc_timeout 3pc 3pc_forward",
	"commit/2pc_timeout":    "2pc 2pc_ctp 3pc 3pc_forward",
	"commit/3pc":            "2pc 2pc_ctp 2pc_timeout 3pc_forward",
	"commit/3pc_forward":    "2pc 2pc_ctp 2pc_timeout 3pc",
	"delivery/classic":      "ack redundant retry",
	"delivery/retry":        "ack classic redundant",
	"delivery/simple":       "ack classic redundant retry",
	"elastic/chosen":        "v2-single v3-resync v4-seqno v5-per-primary v6-checkpoint",
	"elastic/v1-concurrent": "v2-single v3-resync v4-seqno v5-per-primary v6-checkpoint",
	"elastic/v2-single":     "chosen v1-concurrent v3-resync v4-seqno v5-per-primary v6-checkpoint",
	"elastic/v4-seqno":      "chosen v1-concurrent v2-single v3-resync v5-per-primary v6-checkpoint",
	"election/bully_max":    "bully_min",
	"election/bully_min":    "bully_max",
	"join/raft_published":   "raft_repaired",
	"network/append":        "append_numbers",
	"network/register":      "register_timestamps",
	"partitions/half":       "majority",
	"partitions/heartbeats": "acknowledged",
	"paxos/synod_nocheck":   "synod",
	"replication/kafka_isr": "kafka_min_isr",
	"replog/buggy":          "fixed",
	"replog/digits_buggy":   "digits_fixed digits_lossy",
	"restart/2pc_forgets":   "2pc_recovers",
}

// TestDiffWithOfRandomPrograms does the same for random programs and the same with a
// statement changed, under random schedules.
func TestDiffWithOfRandomPrograms(t *testing.T) {
	campaign.Run(t, 200, func(ctx context.Context, c oracle.Case) (string, error) {
		r := rand.New(rand.NewPCG(c.Seed, 14))
		changed, ok := changedIn(r, c)
		if !ok {
			return "unchanged", nil
		}
		one, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Version: c.Name, Goals: c.Goals, MaxFacts: 20_000})
		if err != nil {
			return "", err
		}
		other, err := ldfi.New(changed.Program, changed.Bounds, ldfi.Options{Version: changed.Name, Goals: changed.Goals, MaxFacts: 20_000})
		if err != nil {
			return "unfit", nil
		}
		best := ""
		for _, s := range c.Schedules(12) {
			outcome, err := agreeOnVersions(ctx, other, one, changed, c, s)
			if err != nil {
				return "", err
			}
			if best == "" || outcome == "compared" {
				best = outcome
			}
		}
		return best, nil
	})
}

func versionOf(t *testing.T, c oracle.Case, o ldfi.Options) *ldfi.Model {
	o.Goals, o.Version = c.Goals, c.Name
	return model(t, c.Program, c.Bounds, o)
}

func short(c oracle.Case) string { return strings.TrimSuffix(c.Name, ".ded") }

func sameShape(a, b oracle.Case) bool {
	return a.Bounds.EOT == b.Bounds.EOT && slices.Equal(a.Bounds.Processes, b.Bounds.Processes)
}

// changedIn returns a program without one of its rules, or without something that one of
// them asks for; false if several tries make no program.
func changedIn(r *rand.Rand, c oracle.Case) (oracle.Case, bool) {
	lines := strings.Split(c.Text, "\n")
	for range 8 * min(len(c.Program.Rules), 1) {
		rule := *c.Program.Rules[r.IntN(len(c.Program.Rules))]
		text := ""
		if n := len(rule.Body); n > 1 && r.IntN(3) > 0 {
			i := r.IntN(n)
			rule.Body = slices.Delete(slices.Clone(rule.Body), i, i+1)
			text = rule.String()
		}
		made := slices.Clone(lines)
		made[rule.Position.Line-1] = text
		p, err := dedalus.ParseText("changed.ded", strings.Join(made, "\n"))
		if err != nil {
			continue
		}
		b, goals, err := rounds.BoundsOf(p, nil)
		if err == nil && slices.Equal(b.Processes, c.Bounds.Processes) {
			return oracle.Case{Name: "changed", Program: p, Bounds: b, Goals: goals}, true
		}
	}
	return oracle.Case{}, false
}

// agreeOnVersions compares two versions under a schedule and checks all that is said
// about that.
func agreeOnVersions(ctx context.Context, good, bad *ldfi.Model, goodCase, badCase oracle.Case, s rounds.Schedule) (string, error) {
	if goodCase.Bounds.CheckRestarts(goodCase.Program) != nil || s.Check(goodCase.Bounds) != nil {
		return "unfit", nil
	}
	d, err := bad.DiffWith(ctx, good, s)
	if refused(err) {
		return "refused", nil
	}
	if errors.As(err, new(*ldfi.NoPromiseError)) {
		return "without a promise", nil
	}
	if err != nil {
		return "", err
	}
	one, err := executable(ctx, goodCase)
	if err != nil {
		return "", err
	}
	other, err := executable(ctx, badCase)
	if err != nil {
		return "", err
	}
	if err := oracle.CheckVersions(d, one, other); refused(err) {
		return "refused", nil // by what the promise does not depend on
	} else if err != nil {
		return "", errors.Join(err, errors.New(strings.Join(d.Text, "\n")))
	}
	if d.Outcome == 0 {
		return "alike", nil
	}
	return "compared", nil
}

// refused tells whether a program has no meaning, or is too large.
func refused(err error) bool {
	return errors.As(err, new(*limits.LimitError)) || errors.As(err, new(*limits.UndefinedError)) || errors.As(err, new(*limits.RunawayError))
}

// executable is a version whose executions have all relations.
func executable(ctx context.Context, c oracle.Case) (oracle.Version, error) {
	machine, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: 100_000})
	execute := func(s rounds.Schedule) (*recording.Execution, error) { return machine.Execute(ctx, s) }
	return oracle.Version{Name: c.Name, Program: c.Program, Bounds: c.Bounds, Execute: execute}, err
}
