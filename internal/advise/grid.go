package advise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// grid is the bounds that are compared: each is a point of it. Crashes, one kind of
// loss, and until which round there are losses grow from one number to the next; an
// assumption is made or not.
type grid struct {
	bounds  rounds.Bounds // without what the points say
	loss    rounds.Kind
	crashes int   // there are 0 to so many
	losses  int   // there are 0 to so many; the last is any number
	effs    []int // 0 is any round; of any number of rounds that is all there is
	assumed []assumption
	points  []point
}

// assumption is one that can be made.
type assumption struct {
	Text string
	make func(*rounds.Bounds)
}

// point is one of the bounds that are compared.
type point struct {
	crashes, losses, eff int
	made                 uint // assumptions
}

// mostLosses is the largest number of losses below any; mostEver is that for any number of rounds,
// where each one more is a bit of the state of a proof.
const (
	mostLosses = 99
	mostEver   = 9
)

// lossKinds are the kinds of loss that can be looked at.
var lossKinds = []rounds.Kind{rounds.Omit, rounds.Isolate, rounds.Partition, rounds.Cut}

// Losses returns the settings of the kinds of loss that can be looked at.
func Losses() (keys []string) {
	for _, k := range lossKinds {
		keys = append(keys, k.Setting())
	}
	return keys
}

// comparedKinds returns the kinds of fault whose budgets the points of a grid state: all
// that a program can have, without restarts, which stay as they are.
func comparedKinds() []rounds.Kind {
	return slices.DeleteFunc(faultKinds(), func(k rounds.Kind) bool { return k == rounds.Restart })
}

// Compared returns the settings that [Weakest] compares, but for the assumptions that only
// some programs make.
func Compared() (keys []string) {
	for _, k := range comparedKinds() {
		keys = append(keys, k.Setting())
	}
	return append(keys, "eff", "max-delay", "kernel")
}

// kindOf returns the kind of loss with a key, or the first that the bounds have, or
// omissions.
func kindOf(key string, b rounds.Bounds) (rounds.Kind, error) {
	if i := slices.Index(Losses(), key); i >= 0 {
		return lossKinds[i], nil
	}
	if key != "" {
		return 0, fmt.Errorf("there is no kind of loss %q: it is one of %s", key, text.List(Losses(), "and"))
	}
	for _, k := range lossKinds {
		if b.Budget(k) != 0 {
			return k, nil
		}
	}
	return rounds.Omit, nil
}

// newGrid returns what is compared with bounds, which may have assumptions; for any number of
// rounds if ever.
func newGrid(b rounds.Bounds, loss string, ever bool) (*grid, error) {
	b = b.Normal()
	g := &grid{bounds: b, crashes: len(b.Processes)}
	var err error
	if g.loss, err = kindOf(loss, b); err != nil {
		return nil, err
	}
	g.assume(b)
	free := &g.bounds
	for _, k := range comparedKinds() {
		free.SetBudget(k, 0)
	}
	free.EFF = 0
	free.NeverCrash, free.Reliable, free.Deliver, free.Kernel, free.Implied = nil, nil, "", "", false
	for eff := g.bounds.FirstFault() + 1; eff <= b.EOT && !ever; eff++ {
		g.effs = append(g.effs, eff)
	}
	g.effs = append(g.effs, 0)
	if g.losses = min(g.most(), mostLosses) + 1; ever {
		g.losses = mostEver + 1
	}
	for made := range uint(1) << len(g.assumed) {
		for crashes := range g.crashes + 1 {
			for losses := range g.losses + 1 {
				for eff := range g.effs {
					g.points = append(g.points, point{crashes, losses, eff, made})
				}
			}
		}
	}
	top := g.at(point{g.crashes, g.losses, len(g.effs) - 1, 0})
	return g, top.Validate()
}

// assume notes the assumptions: those that the bounds make, and else that each
// process hears of all but those that crash, and that there are kernels.
func (g *grid) assume(b rounds.Bounds) {
	add := func(text string, make func(*rounds.Bounds)) { g.assumed = append(g.assumed, assumption{text, make}) }
	deliver := b.Deliver
	if deliver == "" {
		deliver = "n-f"
	}
	if len(b.Processes) > 1 && len(b.Joins) == 0 && len(b.Kinds) == 0 { // with which these do not go
		add("deliver="+deliver, func(to *rounds.Bounds) { to.Deliver = deliver })
		add("kernel=yes", func(to *rounds.Bounds) { to.Kernel = "yes" })
	}
	if b.NeverCrash != nil {
		add("never-crash="+strings.Join(b.NeverCrash, ","), func(to *rounds.Bounds) { to.NeverCrash = b.NeverCrash })
	}
	if b.Reliable != nil {
		add("reliable="+strings.Join(b.Reliable, ","), func(to *rounds.Bounds) { to.Reliable = b.Reliable })
	}
}

// most is how many losses there can be.
func (g *grid) most() int {
	first := g.bounds.FirstFault() - 1
	n, phases := len(g.bounds.Processes), (g.bounds.EOT-1)/g.bounds.Period+1-first/g.bounds.Period
	switch g.loss {
	case rounds.Omit:
		return n * (n - 1) * (g.bounds.EOT - first)
	case rounds.Isolate:
		return n * phases
	case rounds.Cut:
		return n * (n - 1) * phases
	default:
		return phases << min(n, 10)
	}
}

// at returns the bounds of a point.
func (g *grid) at(p point) rounds.Bounds {
	b := g.bounds
	b.Crashes, b.EFF = p.crashes, g.effs[p.eff]
	losses := p.losses
	if losses == g.losses {
		losses = rounds.Unlimited
	}
	b.SetBudget(g.loss, losses)
	for i, a := range g.assumed {
		if p.made>>i&1 == 1 {
			a.make(&b)
		}
	}
	return b
}

// within tells whether the schedules of one point are among those of another, because
// it has smaller budgets and makes more assumptions.
func (p point) within(q point) bool {
	return p.crashes <= q.crashes && p.losses <= q.losses && p.eff <= q.eff && p.made&q.made == q.made
}
