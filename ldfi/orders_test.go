package ldfi_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"

	"errors"
)

// Where vet says that no order matters, messages that come late or twice give nothing
// that is not there without them: they can only be too late.
func TestNoOrderMatters(t *testing.T) {
	campaign.Run(t, 400, func(ctx context.Context, c oracle.Case) (string, error) {
		var promise []string
		for _, r := range c.Program.Slice("pre", "post", "good", "violation").Relations() {
			promise = append(promise, r.Name)
		}
		model, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{})
		if err != nil {
			return "", err
		}
		if len(model.Orders()) > 0 || len(promise) == 0 {
			return "order matters", nil
		}
		b := rounds.Bounds{Processes: c.Bounds.Processes, EOT: c.Bounds.EOT, Delays: 2, Duplicates: 2, MaxDelay: 3}
		c.Bounds = b
		m, err := lockstep.Compile(c.Program, b, lockstep.Options{Only: promise, MaxFacts: 10_000})
		if err != nil {
			return "", err
		}
		without := map[string]bool{}
		for i, s := range c.Schedules(20) {
			e, err := m.Execute(ctx, s)
			if errors.As(err, new(*limits.LimitError)) || errors.As(err, new(*limits.UndefinedError)) || errors.As(err, new(*limits.RunawayError)) {
				return "not executed", nil
			}
			if err != nil {
				return "", err
			}
			for _, f := range e.Facts {
				anyRound := recording.Fact{Relation: f.Relation, Args: f.Args}.String()
				if i == 0 {
					without[anyRound] = true
				} else if !without[anyRound] {
					return "", fmt.Errorf("under %q there is %s", s, f)
				}
			}
		}
		return "no order matters", nil
	})
}
