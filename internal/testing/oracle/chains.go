package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// chains checks the parts that faults have in the story: each begins with a fault, each
// change of one follows from the one before, each ends with what is broken or what another
// one has as well, the earliest comes first, and what keeps the promise when it is undone
// is named.
func (c *differenceChecker) chains(d *result.Difference) error {
	all := causality.Chains(d)
	for i, chain := range all {
		if err := c.chain(chain); err != nil {
			return err
		}
		if first := chain.Changes[0].Fact; i > 0 && first.Round < all[i-1].Changes[0].Fact.Round {
			return fmt.Errorf("%s comes late", first)
		}
		if err := ends(d, i, all); err != nil {
			return err
		}
	}
	return c.named(d)
}

// chain checks the changes of a chain, and that each is a cause of the next one.
func (c *differenceChecker) chain(chain causality.Chain) error {
	if first := chain.Changes[0]; len(blamed(first)) == 0 {
		return fmt.Errorf("it begins with %s, which no fault is a cause of", first.Fact)
	}
	for i, ch := range chain.Changes {
		if i > 0 && !slices.ContainsFunc(ch.Causes, func(cause result.Cause) bool { return cause.Change == chain.Changes[i-1].Number }) {
			return fmt.Errorf("%s does not follow from %s", ch.Fact, chain.Changes[i-1].Fact)
		}
		if err := c.alike(ch); err != nil {
			return err
		}
	}
	return nil
}

// alike checks whether it is rightly said that the good execution differs in a fact.
func (c *differenceChecker) alike(ch result.Change) error {
	alike, f := false, ch.Fact
	for f.Round = ch.Fact.Round; f.Round <= ch.Until; f.Round++ {
		if c.bad.has(f) == ch.Missing {
			return fmt.Errorf("%s: missing is %v in the bad execution", f, ch.Missing)
		}
		alike = alike || c.good.has(f) == c.bad.has(f)
	}
	if alike != ch.Alike {
		return fmt.Errorf("%s: both executions are alike in it: %v, and it is said: %v", ch.Fact, alike, ch.Alike)
	}
	return nil
}

// ends checks where a chain ends.
func ends(d *result.Difference, number int, all []causality.Chain) error {
	chain := all[number]
	last := chain.Changes[len(chain.Changes)-1]
	if !chain.Joined {
		broken := slices.ContainsFunc(d.Bad.Violations, func(v result.Violation) bool {
			return v.Fact.Compare(last.Fact) == 0 || v.While != nil && v.While.Compare(last.Fact) == 0
		})
		if !broken {
			return fmt.Errorf("it ends with %s", last.Fact)
		}
		return nil
	}
	for i, other := range all {
		if i == number {
			continue
		}
		for _, ch := range other.Changes {
			if ch.Missing == last.Missing && apart(ch.Fact) == apart(last.Fact) && ch.Fact.Round <= last.Until && last.Fact.Round <= ch.Until {
				return nil
			}
		}
	}
	return fmt.Errorf("it ends with %s, which no other one has", last.Fact)
}

// apart writes a fact without its round.
func apart(f recording.Fact) string {
	f.Round = 0
	return f.String()
}

// named checks that the story names a fault of all without which the promise is kept,
// as far as the good execution does not have them too.
func (c *differenceChecker) named(d *result.Difference) error {
	for _, u := range d.Without {
		if u.Mends && !c.good.suffers(u.Fault) && len(Unnamed(d, u.Fault, c.bad.Bounds)) == len(u.Fault.Faults) {
			return fmt.Errorf("the story does not name %s, without which the promise is kept", u.Fault)
		}
	}
	return nil
}

// Unnamed returns those of some faults that no chain of the story names.
func Unnamed(d *result.Difference, s rounds.Schedule, bounds rounds.Bounds) []rounds.Fault {
	var text strings.Builder
	for _, part := range causality.Describe(d, bounds).Parts {
		fmt.Fprintln(&text, part.First, part.Instead, part.So)
	}
	return slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return strings.Contains(text.String(), f.String()) })
}
