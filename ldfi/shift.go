package ldfi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// shifting is how far numbers may grow in a program without a difference to what it does: its rules
// only compare numbers, and add constants to them. If there is a large gap between the
// numbers of a state, all above it can be larger by the same: what follows is the same, but for these.
type shifting struct {
	possible bool
	most     int64 // the largest number that the program or its schedule names
	added    int64 // no rule adds or subtracts more
}

// shiftingOf reads off what a program does with numbers; known are others that it may compare with.
func shiftingOf(p *dedalus.Program, known ...int64) shifting {
	s := shifting{possible: true}
	for _, n := range known {
		s.most = max(s.most, n)
	}
	for _, f := range p.Facts {
		s.values(f.Args)
	}
	for _, c := range p.Choices {
		for _, o := range c.Columns {
			for _, r := range o.Ranges {
				s.values([]specs.Value{r.First, r.Last})
			}
		}
	}
	for _, r := range p.Rules {
		for _, e := range r.Head.Args {
			s.expression(e)
		}
		for _, t := range r.Body {
			if t.Atom != nil {
				for _, e := range t.Atom.Args {
					s.expression(e)
				}
			} else {
				s.expression(t.Test)
			}
		}
	}
	return s
}

func (s *shifting) values(all []specs.Value) {
	for _, v := range all {
		if v.IsInt() {
			s.most = max(s.most, v.Int(), -v.Int())
		}
	}
	s.possible = s.possible && s.most < 1<<40
}

func (s *shifting) expression(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Constant:
		s.values([]specs.Value{e.Value})
	case *syntax.Aggregate:
		s.possible = s.possible && e.Func != "sum" && e.Func != "avg"
	case *syntax.Binary:
		s.expression(e.Left)
		s.expression(e.Right)
		if e.IsComparison() {
			return
		}
		left, isLeft := e.Left.(*syntax.Constant)
		right, isRight := e.Right.(*syntax.Constant)
		switch {
		case e.Op == "+" && isLeft && left.Value.IsInt():
			s.added += max(left.Value.Int(), -left.Value.Int())
		case (e.Op == "+" || e.Op == "-") && isRight && right.Value.IsInt():
			s.added += max(right.Value.Int(), -right.Value.Int())
		default:
			s.possible = false
		}
	}
}

// normal is a state with its facts in order, and the numbers above its last large gap as what they are
// larger than the smallest of them, which is from; 0 if there is none.
func (s *shifting) normal(facts []recording.Fact) (text string, from int64) {
	numbers := []int64{s.most}
	for _, f := range facts {
		for _, v := range f.Args {
			if v.IsInt() && v.Int() > s.most {
				numbers = append(numbers, v.Int())
			}
		}
	}
	slices.Sort(numbers)
	for i := len(numbers) - 1; i > 0 && s.possible && from == 0; i-- {
		if numbers[i]-numbers[i-1] > 2*s.added {
			from = numbers[i]
		}
	}
	var all []string
	for _, f := range facts {
		f.Round = 0
		var above []string
		f.Args = slices.Clone(f.Args)
		for i, v := range f.Args {
			if from > 0 && v.IsInt() && v.Int() >= from {
				f.Args[i] = specs.Int(v.Int() - from)
				above = append(above, fmt.Sprint(i))
			}
		}
		all = append(all, f.String()+" "+strings.Join(above, ","))
	}
	slices.Sort(all)
	return strings.Join(all, "\n"), from
}
