package oracle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/stretchr/testify/require"
)

// outcomeOf is a check that looks at little: it fails on programs with a word.
func outcomeOf(word string) Check {
	return func(_ context.Context, c Case) (string, error) {
		if word != "" && strings.Contains(c.Text, word) {
			return "", fmt.Errorf("there is %s", word)
		}
		return fmt.Sprintf("with %d processes", len(c.Bounds.Processes)), nil
	}
}

func TestCampaignIsDeterministic(t *testing.T) {
	var summaries, failures []string
	for _, workers := range []int{1, 3, 8} {
		s := campaignRun{random: generate.Random, first: 5, programs: 40, workers: workers, check: outcomeOf("")}
		summaries = append(summaries, s.run(t.Context()).summary())

		s.check = outcomeOf("count<")
		r := s.run(t.Context())
		require.Error(t, r.failure)
		failures = append(failures, r.failed.Name)
	}
	require.Regexp(t, `^\d+ with 2 processes, \d+ with 3 processes$`, summaries[0])
	require.Equal(t, []string{summaries[0], summaries[0], summaries[0]}, summaries)
	require.Equal(t, []string{failures[0], failures[0], failures[0]}, failures)
}

func TestCampaignShrinks(t *testing.T) {
	s := campaignRun{random: generate.Random, first: 1, programs: 200, workers: 2, check: outcomeOf("count<")}
	r := s.run(t.Context())
	small, err := s.shrink(t.Context(), r.failed, r.failure)
	require.EqualError(t, err, "there is count<")
	require.Contains(t, small, "count<")
	require.Less(t, len(small), len(r.failed.Text))
}

func TestCampaignCatchesPanics(t *testing.T) {
	s := campaignRun{random: generate.Random, first: 1, programs: 1, workers: 1, check: func(context.Context, Case) (string, error) { panic("oh") }}
	require.ErrorContains(t, s.run(t.Context()).failure, "panic: oh")
}

func TestCampaignTimeLimit(t *testing.T) {
	slow := func(ctx context.Context, c Case) (string, error) {
		if _, limited := ctx.Deadline(); c.Seed == 2 || !limited {
			return "", fmt.Errorf("slow: %w", context.DeadlineExceeded)
		}
		return "agreed", nil
	}
	s := campaignRun{random: generate.Random, first: 1, programs: 3, workers: 1, timeLimit: time.Hour, check: slow}
	r := s.run(t.Context())
	require.NoError(t, r.failure)
	require.Equal(t, "2 agreed, 1 took too long", r.summary())
	require.Equal(t, []uint64{2}, r.slow)

	s.timeLimit = 0
	require.ErrorIs(t, s.run(t.Context()).failure, context.DeadlineExceeded, "without a limit it is a failure")
}

// Random is the campaign of all tests of this package.
var Random = NewCampaign()

func TestCampaign(t *testing.T) {
	Random.Run(t, 200, func(_ context.Context, c Case) (string, error) {
		for _, s := range c.Schedules(20) {
			if err := schedules.Within(s, c.Bounds); err != nil {
				return "", err
			}
		}
		return "agreed", nil
	})
}

func TestSchedules(t *testing.T) {
	for _, c := range Protocols(t)[:3] {
		for _, most := range []int{1, 50, 1000} {
			schedules := c.Schedules(most)
			require.LessOrEqual(t, len(schedules), most)
			require.Empty(t, schedules[0])
			require.Equal(t, schedules, c.Schedules(most))
		}
	}
}

func TestProtocolsBelow(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	_, err := protocolsBelow(dir)
	require.ErrorContains(t, err, "there are no protocols in")
	_, err = protocolsBelow(filepath.Join(dir, "missing"))
	require.ErrorIs(t, err, os.ErrNotExist)

	write("lib.ded", `p("a")@1;`)
	write("main.ded", "// ldfi: processes=a eot=2\ninclude \"lib.ded\";\nq(X) :- p(X);\n")
	cases, err := protocolsBelow(dir)
	require.NoError(t, err)
	require.Len(t, cases, 1)
	require.Equal(t, "main.ded", cases[0].Name)

	write("alone.ded", `p("a")@1;`)
	_, err = protocolsBelow(dir)
	require.ErrorContains(t, err, "no other file includes them: "+filepath.Join(dir, "alone.ded"))

	write("alone.ded", "// ldfi: eot=2\n")
	_, err = protocolsBelow(dir)
	require.ErrorContains(t, err, "no processes")

	write("alone.ded", `p(`)
	_, err = protocolsBelow(dir)
	require.Error(t, err)
	require.False(t, errors.Is(err, os.ErrNotExist))
}
