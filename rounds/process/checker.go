package process

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// What every cluster with a checker promises.
const (
	checkerEnds     = "checker ends"
	checkerSucceeds = "checker succeeds"
)

// ended is what a client tells the checker, once, when it has ended and no fault is to come.
type ended struct{}

// faultFree returns the number of rounds at the end in which nothing fails.
func (c *Cluster) faultFree() int {
	if c.Last == 0 && c.hasChecker() {
		return max(cmp.Or(c.Rounds, defaultRounds)/3, 1)
	}
	return c.Last
}

func (c *Cluster) hasChecker() bool { return c.Checker.File != "" }

// addChecker adds the checker to the system: no fault strikes it.
func (c Cluster) addChecker(s *system.System) {
	s.Faults.FaultFree = c.faultFree()
	if !c.hasChecker() {
		return
	}
	name := c.Checker.Name
	s.Apart.Own = []string{name}
	s.Faults.NeverCrash = append(s.Faults.NeverCrash, name)
	s.Faults.Reliable = append(slices.Clone(s.Faults.Reliable), name+">*", "*>"+name)
	s.Properties = append(s.Properties,
		property.Property{Name: checkerSucceeds, FactsOnly: true, Func: c.refuted},
		property.Property{Name: checkerEnds, ByEnd: true, FactsOnly: true, Func: c.undecided})
}

// tellChecker tells the checker that this client has ended. By then no fault can lose that.
func (p *process) tellChecker(s *system.Step) {
	if p.client && !p.checker && p.ended && !p.said && p.cluster.hasChecker() && s.FaultFree() {
		p.said = true
		s.Send(p.cluster.Checker.Name, ended{})
	}
}

// waits tells whether it is too early for the node to start: the checker starts when all
// clients have ended, and no fault is to come.
func (p *process) waits(s *system.Step) bool {
	return p.checker && (!s.FaultFree() || p.heard < len(p.cluster.Clients))
}

// refuted returns the violation of a checker that has ended with another status than 0.
func (c Cluster) refuted(e *recording.Execution) []result.Violation { return failed(e, c.Checker) }

// undecided returns a violation if the checker has not ended. One that fails after the rounds
// of the cluster, when the execution went on, has not ended well either.
func (c Cluster) undecided(e *recording.Execution) []result.Violation {
	for _, f := range e.Facts {
		if ends(f, c.Checker) && (f.Args[1] == specs.Int(0) || f.Round <= c.Rounds) {
			return nil
		}
	}
	return []result.Violation{{
		Text: c.Checker.Name + " has not ended", Missing: true,
		Fact: recording.Fact{Relation: "exit", Args: []specs.Value{specs.String(c.Checker.Name), specs.Int(0)}, Round: e.Bounds.EOT},
	}}
}
