package remote

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// believeViolations reports violations of properties that the host does not judge, and in
// impossible rounds. It does not take positions of properties from the host: they would
// point into the files of the user.
func (s *System) believeViolations(claimed []result.Violation, eot int) ([]result.Violation, error) {
	var violations []result.Violation
	for _, v := range claimed {
		if _, ok := s.judged[v.Property]; !ok && !builtIn(v) {
			return nil, fmt.Errorf("it has a violation of %q, which is no property that the host judges", v.Property)
		}
		if v.Text == "" {
			return nil, fmt.Errorf("it has a violation of %q without a text", v.Property)
		}
		facts := []recording.Fact{v.Fact}
		if v.While != nil {
			facts = append(facts, *v.While)
		}
		for _, f := range facts {
			if f.Round < 0 || f.Round > eot {
				return nil, fmt.Errorf("it has a violation of %q in round %d, and there are %d rounds", v.Property, f.Round, eot)
			}
		}
		v.Position = specs.Position{}
		v.ByEnd = v.ByEnd || s.byEnd(v)
		violations = append(violations, v)
	}
	return violations, nil
}

// builtIn tells whether a violation is one of the built-in properties: a panic, or an exit
// or a hang of a process that was alone in its program.
func builtIn(v result.Violation) bool {
	return v.Property == search.NoPanic || (v.Property == search.NoExit || v.Property == search.NoHang) && v.Fact.Relation == search.Died
}

// panicked tells whether a process has panicked or ended its program. There are no other
// violations of the execution then.
func panicked(violations []result.Violation) bool {
	return len(violations) == 1 && builtIn(violations[0])
}

// lastRound returns the last round of an execution of eot rounds: the round in which a
// process has panicked, if one has and the others did not continue.
func lastRound(violations []result.Violation, eot int) int {
	if panicked(violations) && violations[0].Fact.Relation != search.Died {
		return violations[0].Fact.Round
	}
	return eot
}

// byEnd tells whether a violation says that something has not happened by the end:
// by its property or, where that has rules, as they are read here.
func (s *System) byEnd(v result.Violation) bool {
	i := slices.IndexFunc(s.Properties, func(p property.Property) bool { return p.Name == v.Property })
	if i < 0 || s.Properties[i].ByEnd { // none of the system: that no process panics
		return i >= 0
	}
	checkers := s.judged[v.Property]()
	if checkers == nil || v.Fact.Relation != "pre" {
		return false
	}
	c := checkers.Get().(*property.Checker)
	defer checkers.Put(c)
	return search.Awaits(c)
}

// believePanic reports a panic of a process that does nothing, or beside which
// something else is violated.
func (c *effects) believePanic(violations []result.Violation) error {
	i := slices.IndexFunc(violations, builtIn)
	switch {
	case i < 0:
		return nil
	case len(violations) > 1:
		return fmt.Errorf("a process panics, and %d other violations are judged", len(violations)-1)
	}
	f := violations[i].Fact
	if f.Relation != "panic" && f.Relation != search.Died || len(f.Args) != 2 || c.bounds.CheckRound(f.Round) != nil {
		return fmt.Errorf("the fact of a panic is panic(process, text) in its round, or died(process, text), and not %s", f)
	}
	p, err := c.process(nameOf(f.Args[0]))
	if err == nil && f.Round > 1 && !c.ends(p, f.Round) { // round 1 also has the facts before it
		err = c.takesPart(p, f.Round)
	}
	if err != nil {
		return fmt.Errorf("the panic %s: %w", f, err)
	}
	return nil
}

// ends tells whether a process is called in a round although it takes no part in it: it is
// told that it crashes, or that the execution is over.
func (c *effects) ends(p, round int) bool {
	return round == c.bounds.EOT || in(c.crashes[p], round) != nil || in(c.points[p], round) != nil
}

// believeVerdicts judges a recording by the rules of each property that the host
// has judged.
func (s *System) believeVerdicts(e *recording.Execution, claimed []result.Violation) error {
	for _, p := range s.Properties {
		checkers := s.judged[p.Name]
		if checkers == nil || checkers() == nil {
			continue
		}
		violations, err := check(checkers(), e)
		if err != nil {
			return err
		}
		violated := slices.ContainsFunc(claimed, func(v result.Violation) bool { return v.Property == p.Name })
		switch {
		case violated && len(violations) == 0:
			return fmt.Errorf("the host says that %q is violated, and by its rules it is not", p.Name)
		case !violated && len(violations) > 0:
			return fmt.Errorf("the host says that %q is not violated, and by its rules it is: %s", p.Name, violations[0].Text)
		}
	}
	return nil
}
