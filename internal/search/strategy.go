package search

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Strategy decides which schedules are executed.
type Strategy struct {
	Name  string // its name on the command line
	Needs Needs
	Why   string // why it is chosen by default where its needs are met, a phrase; empty if it never is

	// Refuse returns an error for bounds that the strategy cannot search; nil: it
	// searches all bounds that its needs allow.
	Refuse func(rounds.Bounds) error

	// Draws tells that the strategy draws every schedule, with its settings.
	Draws bool

	// Guided tells that the strategy goes by the waypoints of a guide.
	Guided bool

	// Unguided says why a guide cannot decide faults in the executions of the strategy; "": it
	// can. Around is the strategy that does the same around a guide; nil: this one does.
	Unguided string
	Around   *Strategy

	// Holds tells that the strategy knows what waypoints rest on.
	Holds bool

	// Search looks for a schedule within the bounds that violates a property. When the
	// context ends, or the budget is used up, the answer is inconclusive. The error
	// says that the target cannot be searched, or is an *ExecutionError.
	Search func(ctx context.Context, s *Session) (*result.Answer, error)

	// Part makes some of the executions of Search, see [Strategy.SearchPart]; nil:
	// executions depend on earlier ones.
	Part func(ctx context.Context, s *Session, p Part) (*Stretch, error)
}

// Needs are the requirements of a strategy.
type Needs struct {
	Faults []rounds.Kind // the kinds of fault that the strategy knows; nil: all
	Points bool          // the strategy knows crashes at a point within a round
	Phases bool          // the strategy knows bounds whose faults begin with phases only
	States bool          // the strategy reads states of processes, which must be in this program, and has no assumptions about the messages of a round

	// Without these the strategy works badly or not at all, and is used only if it is
	// named.
	Simple  bool     // the bounds allow isolations and crashes only
	Offers  []string // the abilities that the system needs: OffersFingerprints, OffersSnapshots
	Settled bool     // executions differ only by their faults
	Few     bool     // there are no more schedules than executions
}

// simple are the faults that leave few states in which a system can be.
var simple = Needs{Faults: []rounds.Kind{rounds.Isolate, rounds.Crash}}

// Simple tells whether b allows no choices, and only faults that leave a system few
// states.
func Simple(b rounds.Bounds) bool { return simple.unknown(b) == nil && b.Choices == 0 }

// The optional abilities of the processes of a system.
const (
	OffersFingerprints = "fingerprints"
	OffersRestarts     = "restarts"
	OffersSnapshots    = "snapshots"
	OffersTicks        = "ticks"

	OffersClocks     = "clocks"     // that run fast and slow, and jump
	OffersTimers     = "timers"     // such clocks
	OffersMachines   = "machines"   // which have such clocks
	OffersDisks      = "disks"      // that keep or tear data not synced, and whose syncs fail
	OffersGoroutines = "goroutines" // in an order that can be drawn
	OffersSignals    = "signals"    // that end a program, which is then started again
)

// Refuses returns an error if the strategy cannot search.
func (s *Strategy) Refuses(session *Session) error {
	if s.Guided && (session.Guide == nil || session.Guide.Waypoints() == 0) {
		return fmt.Errorf("strategy %s goes from waypoint to waypoint: name them in a guide (--guide)", s.Name)
	}
	if session.Guide != nil && s.Unguided != "" {
		return fmt.Errorf("strategy %s cannot be guided: %s", s.Name, s.Unguided)
	}
	if session.Hold && !s.Holds {
		return fmt.Errorf("strategy %s does not know what a waypoint rests on, so it holds none: use lineage, or leave out --hold (ahead adds faults only after a waypoint)", s.Name)
	}
	if s.Needs.States && len(session.past) > 0 {
		return fmt.Errorf("strategy %s goes from state to state, and cannot skip known violations: use one that executes schedules, such as enumerate or uniform", s.Name)
	}
	if s.Needs.States && session.System == nil {
		return fmt.Errorf("strategy %s looks into the processes, but the host only executes schedules", s.Name)
	}
	if s.Needs.States && slices.Contains(session.Offers, OffersMachines) {
		if err := s.refusesServers(session.Offers); err != nil {
			return err
		}
	}
	if s.Needs.States && session.Inexact != "" {
		return fmt.Errorf("strategy %s needs executions that repeat, but two executions of one schedule of system %q may differ%s; or use a strategy that draws schedules",
			s.Name, session.Name, result.InexactAdvice(session.Inexact))
	}
	if kinds := s.Needs.unknownOf(session); kinds != nil {
		return fmt.Errorf("%s: the bounds allow %s, but this strategy knows only %s: use one that draws schedules",
			s.Name, strings.Join(kinds, " and "), plurals(s.Needs.Faults))
	}
	if said := granted(session.Bounds); said != "" && s.Needs.States {
		return fmt.Errorf("%s: strategy %s cannot guarantee this: use enumerate, lineage or one that draws schedules", said, s.Name)
	}
	if session.GoroutineOrders && !s.Draws {
		return fmt.Errorf("strategy %s executes all schedules with one order of goroutines: use one that draws schedules, or leave goroutine orders out", s.Name)
	}
	if s.Needs.States && len(session.Bounds.Joins) > 0 {
		return fmt.Errorf("strategy %s does not support processes that join later, as in system %q: use one that executes schedules, such as enumerate or uniform", s.Name, session.Name)
	}
	if s.Needs.States && session.apart() {
		return fmt.Errorf("strategy %s does not support late starts and latencies (System.Apart), as in system %q: use one that executes schedules, such as enumerate or uniform", s.Name, session.Name)
	}
	if session.Statistics && s.Needs.States {
		return fmt.Errorf("statistics: strategy %s makes few whole executions: use one that executes schedules, such as uniform, or leave statistics out", s.Name)
	}
	if session.Bounds.At != "" && !s.Needs.Phases {
		return fmt.Errorf("strategy %s does not support at=%s: use enumerate, spread or uniform", s.Name, session.Bounds.At)
	}
	if s.Refuse != nil {
		return s.Refuse(session.Bounds)
	}
	return nil
}

// refusesServers returns why a strategy that looks into processes cannot look into servers,
// which run on machines of their own.
func (s *Strategy) refusesServers(offers []string) error {
	without := "use one that only executes them, such as lineage or spread"
	switch {
	case !slices.Contains(offers, OffersSnapshots) && slices.Contains(s.Needs.Offers, OffersSnapshots):
		return fmt.Errorf("strategy %s puts processes back into earlier states, but goroutines of servers cannot go back: use learn, if their states have names (virtual.Options.Fingerprint), or else "+without, s.Name)
	case !slices.Contains(offers, OffersFingerprints):
		return fmt.Errorf("strategy %s needs names for the states of servers (virtual.Options.Fingerprint, in one program with datagrams only): "+without, s.Name)
	}
	return nil
}

// unknown returns the features of bounds that a strategy with these needs does not know, in
// the plural.
func (n Needs) unknown(b rounds.Bounds) []string {
	var kinds []string
	for _, k := range rounds.Kinds() {
		if k != rounds.Choose && b.Budget(k) != 0 && n.Faults != nil && !slices.Contains(n.Faults, k) {
			kinds = append(kinds, text.PluralWord(k.Noun()))
		}
	}
	if n.Faults != nil && !n.Points && b.Crashes != 0 && len(b.Points) > 0 {
		kinds = append(kinds, "crashes at a point within a round")
	}
	if n.Faults != nil && b.Crashes != 0 && b.Disks {
		kinds = append(kinds, "crashes after which a disk has kept or torn what was not synced")
	}
	return kinds
}

// unknownOf is unknown for a session: a strategy that looks into processes knows
// their timers, and no clocks of machines.
func (n Needs) unknownOf(s *Session) []string {
	if n.States && !slices.Contains(s.Offers, OffersTimers) {
		n.Faults = slices.DeleteFunc(slices.Clone(n.Faults), func(k rounds.Kind) bool { return k == rounds.Fast || k == rounds.Slow || k == rounds.Jump })
	}
	return n.unknown(s.Bounds)
}

// Few tells whether there are no more schedules within the bounds than executions.
func Few(s *Session) bool {
	return schedules.Count(s.Bounds).Cmp(big.NewInt(int64(s.Options.Executions))) <= 0
}

func plurals(kinds []rounds.Kind) string {
	var words []string
	for _, k := range kinds {
		words = append(words, text.PluralWord(k.Noun()))
	}
	return text.List(words, "and")
}

// Lack returns a phrase for the need that is not met, "" if all are met.
func (n Needs) Lack(ctx context.Context, s *Session) string {
	offered := func(what string) bool { return slices.Contains(s.Offers, what) }
	switch {
	case n.States && s.Guide != nil:
		return "guides decide in whole executions"
	case n.States && len(s.past) > 0:
		return "only whole executions can skip known violations"
	case n.States && s.System == nil:
		return "the host executes schedules and does not search by itself"
	case s.GoroutineOrders:
		return "the order of goroutines is drawn: few isolations at a time find most bugs soonest"
	case n.States && s.apart():
		return "processes start apart, and links have a latency"
	case n.States && len(s.Bounds.Joins) > 0:
		return "processes join later: few isolations at a time find most bugs soonest"
	case n.States && s.Statistics:
		return "statistics are of whole executions: few isolations at a time find most bugs soonest"
	case n.States && s.Inexact != "":
		return "executions of one schedule may differ: few isolations at a time find most bugs soonest"
	case granted(s.Bounds) != "" && n.States:
		return "learn and exhaustive do not know " + granted(s.Bounds) + ": few isolations at a time find most bugs soonest"
	case s.Bounds.At != "" && !n.Phases:
		return "faults begin with phases only: few isolations at a time find most bugs soonest"
	case n.unknownOf(s) != nil:
		return "the bounds allow more than " + plurals(n.Faults) + ": few isolations at a time find most bugs soonest"
	case !offered(OffersFingerprints) && slices.Contains(n.Offers, OffersFingerprints):
		return "the processes name no states that could be learned: few isolations at a time find most bugs soonest"
	case n.Few && !Few(s):
		return "there are more schedules than executions"
	case n.Settled && (s.Inexact != "" || s.varies(ctx)):
		return "every execution draws its own ticks or random numbers, but learn and exhaustive would always use the same"
	case n.Simple && !Simple(s.Bounds):
		return "the bounds allow more than " + plurals(simple.Faults) + ", and the processes offer no snapshots: few isolations at a time find most bugs soonest"
	case slices.ContainsFunc(n.Offers, func(what string) bool { return !offered(what) }):
		return "the processes do not offer " + strings.Join(n.Offers, " and ")
	}
	return ""
}

// granted describes the assumptions of bounds about the messages of each round, "" if there
// are none.
func granted(b rounds.Bounds) string {
	var says []string
	if b.Deliver != "" {
		says = append(says, "deliver="+b.Deliver)
	}
	if b.Kernel != "" {
		says = append(says, "kernel="+b.Kernel)
	}
	return strings.Join(says, " and ")
}

// apart tells whether processes start apart, or links have a latency.
func (s *Session) apart() bool {
	return s.Settings.Apart() != (rounds.Settings{}) || s.System != nil && s.System.Apart.Rounds > 0
}
