package oracle

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Campaign runs a check on random programs. The same seeds give the same programs,
// outcomes and failure, whatever the number of workers.
type Campaign struct {
	long    *int
	seed    *uint64
	workers *int
}

// NewCampaign registers the flags of a campaign for the tests of a package:
//
//	-long N      look at N programs, instead of the few of a default run
//	-all         look at all programs of testdata, instead of one of each signature, and
//	             at four times as many random ones
//	-seed S      the seed of the first; the next has S+1, and so on
//	-workers W   look at W of them at a time
//
// It belongs in the value of a package variable.
func NewCampaign() *Campaign {
	flag.Bool("all", false, "look at all programs of testdata, instead of the smallest of each signature")
	return &Campaign{
		long:    flag.Int("long", 0, "look at so many random programs, each for at most a minute; 0: a few"),
		seed:    flag.Uint64("seed", 1, "the seed of the first random program"),
		workers: flag.Int("workers", runtime.GOMAXPROCS(0), "look at so many random programs at a time"),
	}
}

// Check looks at one program. It returns in a word or two how that went, for
// the summary, or what is wrong. Its random choices come from the case's seed.
// It may be called from several goroutines.
type Check func(ctx context.Context, c Case) (outcome string, err error)

// timeLimit is how long one program may take in a long campaign. A default run has
// no such limit, so that no result depends on the speed of the machine.
const timeLimit = time.Minute

// outcomes that a campaign finds itself.
const (
	tookTooLong = "took too long"
	noProgram   = "no program"
)

// Run runs the check on so many random programs with -all, on a quarter of them by default,
// or on as many as -long says.
// It logs a summary of the outcomes. The failure with the smallest seed fails
// the test with a program made as small as possible.
func (c *Campaign) Run(t *testing.T, programs int, check Check) {
	t.Helper()
	c.RunOn(t, generate.Random, programs, check)
}

// RunOn is Run on other random programs, one for each seed.
func (c *Campaign) RunOn(t *testing.T, random func(seed uint64) generate.Case, programs int, check Check) {
	t.Helper()
	s := campaignRun{first: *c.seed, programs: c.Programs(programs), workers: *c.workers, random: random, check: check}
	if *c.long > 0 {
		s.timeLimit = timeLimit
	}
	r := s.run(t.Context())
	t.Logf("seeds %d to %d: %s", s.first, s.first+uint64(s.programs)-1, r.summary())
	for _, seed := range r.slow {
		t.Logf("seed %d took longer than %v", seed, s.timeLimit)
	}
	if r.failure != nil {
		small, err := s.shrink(t.Context(), r.failed, r.failure)
		t.Fatalf("%s: %v\n\nmade small: %v\n\n%s", r.failed.Name, r.failure, err, small)
	}
}

// Programs returns how many random programs a test looks at: as many as -long says, all of
// the programs that it has with -all, and a quarter of these by default.
func (c *Campaign) Programs(all int) int {
	switch {
	case *c.long > 0:
		return *c.long
	case isSet("all"):
		return all
	default:
		return (all + 3) / 4
	}
}

// campaignRun is one run of a campaign.
type campaignRun struct {
	first     uint64
	programs  int
	workers   int
	random    func(seed uint64) generate.Case
	timeLimit time.Duration // for one program; 0: no limit
	check     Check
}

// campaignResult is what a run came to.
type campaignResult struct {
	sync.Mutex
	next     int // the next program to look at
	end      int // where to stop: behind the last one, or at the first that fails
	outcomes map[string]int
	slow     []uint64 // seeds of programs that took too long
	failed   Case
	failure  error
}

// run looks at all programs, or at those up to the first that fails.
func (s *campaignRun) run(ctx context.Context) *campaignResult {
	r := &campaignResult{end: s.programs, outcomes: map[string]int{}}
	var group sync.WaitGroup
	for range max(s.workers, 1) {
		group.Go(func() {
			for i := r.take(); i >= 0; i = r.take() {
				c, outcome, err := s.look(ctx, i)
				r.put(i, c, outcome, err)
			}
		})
	}
	group.Wait()
	slices.Sort(r.slow)
	return r
}

// take returns the number of a program that nobody has looked at, -1 at the end.
func (r *campaignResult) take() int {
	r.Lock()
	defer r.Unlock()
	if r.next >= r.end {
		return -1
	}
	r.next++
	return r.next - 1
}

func (r *campaignResult) put(i int, c Case, outcome string, err error) {
	r.Lock()
	defer r.Unlock()
	if err != nil && i < r.end {
		r.end, r.failed, r.failure = i, c, err
	}
	if err == nil {
		r.outcomes[outcome]++
	}
	if outcome == tookTooLong {
		r.slow = append(r.slow, c.Seed)
	}
}

// summary returns the outcomes with their counts.
func (r *campaignResult) summary() string {
	var parts []string
	for _, outcome := range slices.Sorted(maps.Keys(r.outcomes)) {
		parts = append(parts, fmt.Sprintf("%d %s", r.outcomes[outcome], outcome))
	}
	return strings.Join(parts, ", ")
}

// look runs the check on one program.
func (s *campaignRun) look(ctx context.Context, i int) (c Case, outcome string, err error) {
	seed := s.first + uint64(i)
	random := s.random(seed)
	if len(random.Program.Rules) == 0 {
		return Case{Seed: seed}, noProgram, nil
	}
	c, err = newCase(fmt.Sprintf("seed %d", seed), random.Text, seed, random.Program)
	if err == nil {
		c, err = c.assuming()
	}
	if err == nil {
		c, err = c.parting()
	}
	if err == nil {
		c, err = c.reviving()
	}
	if err == nil {
		c, err = c.joining()
	}
	if err == nil {
		c, err = c.beginning()
	}
	if err == nil {
		c, err = c.picking()
	}
	if err == nil {
		outcome, err = s.try(ctx, c)
	}
	return c, outcome, err
}

// try runs the check within its time, and takes a panic for a failure.
func (s *campaignRun) try(ctx context.Context, c Case) (outcome string, err error) {
	if s.timeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.timeLimit)
		defer cancel()
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	outcome, err = s.check(ctx, c)
	if s.timeLimit > 0 && errors.Is(err, context.DeadlineExceeded) {
		return tookTooLong, nil
	}
	return outcome, err
}

// shrink returns a small program that still fails, and its failure.
func (s *campaignRun) shrink(ctx context.Context, c Case, failure error) (string, error) {
	small := generate.Shrink(c.Text, func(text string) bool {
		p, err := dedalus.ParseText(c.Name, text)
		if err != nil {
			return false
		}
		smaller, err := newCase(c.Name, text, c.Seed, p)
		if err != nil {
			return false
		}
		if _, err = s.try(ctx, smaller); err != nil {
			failure = err
		}
		return err != nil
	})
	return small, failure
}
