package oracle

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Version is a version of a program that can be executed.
type Version struct {
	Name    string
	Program *dedalus.Program
	Bounds  rounds.Bounds
	Execute
}

// CheckVersions reports the first statement of a difference of two versions that is not
// true of their executions, or of the programs: each rule that is said to be only in one
// of them stands there, and not in the other one; so do those in its place.
func CheckVersions(d *result.Difference, one, other Version) error {
	good, bad := one, other
	if d.Good.Version != good.Name {
		good, bad = other, one
	}
	if d.Good.Version != good.Name || d.Bad.Version != bad.Name {
		return fmt.Errorf("%s and %s are compared, and not %s and %s", d.Good.Version, d.Bad.Version, good.Name, bad.Name)
	}
	if d.Good.Schedule.String() != d.Bad.Schedule.String() || len(d.Without) > 0 {
		return fmt.Errorf("there is more than one schedule")
	}
	if err := CheckDifference(d, good.Execute, bad.Execute); err != nil {
		return err
	}
	for _, ch := range d.Changes {
		here, there := bad, good
		if ch.Missing {
			here, there = good, bad
		}
		for _, cause := range blamed(ch) {
			if err := programs(ch, cause, here, there); err != nil {
				return fmt.Errorf("%s: %w", ch.Fact, err)
			}
		}
	}
	return nil
}

// programs checks what is said of two programs.
func programs(ch result.Change, cause result.Cause, here, there Version) error {
	if cause.How == causality.Settings {
		if len(cause.Settings) == 0 {
			return fmt.Errorf("no setting is named")
		}
		for _, key := range cause.Settings {
			if setting(here.Bounds, key) == setting(there.Bounds, key) {
				return fmt.Errorf("%s is %s in both", key, setting(here.Bounds, key))
			}
		}
		return nil
	}
	if len(cause.Fault.Faults) > 0 {
		return fmt.Errorf("%s: both have the same faults", cause.How)
	}
	if cause.How == causality.Chosen {
		if slices.Equal(choices(here, ch), choices(there, ch)) {
			return fmt.Errorf("both choose alike")
		}
		return nil
	}
	if cause.How == causality.Stays {
		if keeps(here, ch) == keeps(there, ch) {
			return fmt.Errorf("both keep it, or none")
		}
		return nil
	}
	if cause.How != causality.Program {
		return fmt.Errorf("%s: how is that?", cause.How)
	}
	if ch.Rule == "" {
		if states(here, ch) == states(there, ch) {
			return fmt.Errorf("both state it, or none")
		}
		return nil
	}
	if !has(here, ch.Rule) || has(there, ch.Rule) {
		return fmt.Errorf("%s is in both, or in none", ch.Rule)
	}
	for _, r := range cause.Instead {
		if has(here, r.Rule) || !has(there, r.Rule) {
			return fmt.Errorf("%s is no rule instead", r.Rule)
		}
	}
	return nil
}

func has(v Version, rule string) bool {
	for _, r := range v.Program.Rules {
		if r.String() == rule {
			return true
		}
	}
	return false
}

func states(v Version, ch result.Change) bool {
	for _, f := range v.Program.Facts {
		if f.Relation == ch.Fact.Relation && f.Round == ch.Fact.Round && slices.Equal(f.Args, ch.Fact.Args) {
			return true
		}
	}
	return false
}

// choices are what a version says may be chosen of the relation of a fact.
func choices(v Version, ch result.Change) (texts []string) {
	for _, c := range v.Program.Choices {
		if c.Relation == ch.Fact.Relation {
			texts = append(texts, fmt.Sprint(c.Columns))
		}
	}
	return texts
}

// keeps tells whether a version has rules that give the relation of a fact in a next round.
func keeps(v Version, ch result.Change) bool {
	return slices.ContainsFunc(v.Program.Rules, func(r *syntax.Rule) bool { return r.Kind == syntax.Next && r.Head.Relation == ch.Fact.Relation })
}

// setting is the value of a setting, as far as it says what happens under a schedule.
func setting(b rounds.Bounds, key string) string {
	return fmt.Sprint(map[string]any{"crash": b.CrashStop, "durable": b.Durable, "join": b.Joins, "own": b.OwnLost, "reliable": b.Reliable}[key])
}
