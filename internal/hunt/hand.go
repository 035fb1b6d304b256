package hunt

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/lineage-driven/ldfi/internal/shellwords"
	"github.com/lineage-driven/ldfi/internal/unit"
)

// Shard is what became of some seeds.
type Shard struct {
	Seeds  Seeds
	Passed bool
	Output string // of a test that failed: the end of it
	Worker string // who ran it
	Undone string // why nobody did; "": somebody did
}

// Hand hands the seeds out, in so many shards, and returns what became of them in the order
// of their seeds. Each is told as it comes. An error says that nothing can be handed out
// any more.
func (p *Packed) Hand(ctx context.Context, hands unit.Hands, shards int, told func(Shard)) ([]Shard, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		shard Shard
		err   error
	}
	var all []Shard
	left, out, back := p.Seeds.Divide(shards), 0, make(chan outcome)
	defer func() {
		cancel()
		for range out {
			<-back
		}
	}()
	more := time.NewTicker(time.Second) // workers may come
	defer more.Stop()
	for len(left) > 0 || out > 0 {
		for ; len(left) > 0 && out < 2*hands.Slots(); out++ {
			s := left[0]
			left = left[1:]
			go func() {
				shard, err := p.shard(ctx, hands, s)
				back <- outcome{shard, err}
			}()
		}
		select {
		case o := <-back:
			out--
			if o.err != nil {
				return all, o.err
			}
			all = append(all, o.shard)
			told(o.shard)
		case <-more.C:
		}
	}
	slices.SortFunc(all, func(a, b Shard) int { return cmp.Compare(a.Seeds.First, b.Seeds.First) })
	return all, nil
}

// shard lets somebody run the test with some seeds.
func (p *Packed) shard(ctx context.Context, hands unit.Hands, s Seeds) (Shard, error) {
	shard := Shard{Seeds: s}
	u, err := p.unit(hands.Build(), s)
	if err != nil {
		return shard, err
	}
	r, err := hands.Do(ctx, u, 0, p.Content)
	if refused := (*unit.RefusedError)(nil); errors.As(err, &refused) {
		shard.Undone = refused.Reason
		return shard, nil
	}
	if err != nil {
		return shard, err
	}
	shard.Worker = r.Worker
	var a Answer
	switch {
	case r.Failure != "":
		shard.Undone = cmp.Or(r.SetAside(), r.Failure)
	case json.Unmarshal(r.Answer, &a) != nil:
		shard.Undone = "its answer cannot be read"
	default:
		shard.Passed, shard.Output = a.Passed, a.Output
	}
	return shard, nil
}

// Command is the command line that runs the test with some seeds on this machine.
func (p *Packed) Command(s Seeds) string {
	words := []string{"go", "test", p.Package, "-run", p.Run, "-count", "1", "-timeout", "0", "-args",
		"-long", strconv.FormatUint(s.Count, 10), "-seed", strconv.FormatUint(s.First, 10)}
	return shellwords.Join(append(words, p.Args...)...)
}

// String says what became of a shard, in a line.
func (s Shard) String() string {
	seeds := fmt.Sprintf("seeds %d to %d", s.Seeds.First, s.Seeds.Last())
	switch {
	case s.Undone != "":
		return seeds + ": not looked at: " + s.Undone
	case s.Passed:
		return seeds + ": passed, by " + s.Worker
	default:
		return seeds + ": failed, by " + s.Worker
	}
}
