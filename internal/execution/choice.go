package execution

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Choice is requests that clients may make: of each of its processes, in each of its
// rounds, with each combination of its values.
type Choice struct {
	Kind      string          `json:"kind"`
	Processes []string        `json:"processes"`
	Values    [][]specs.Value `json:"values,omitempty"` // of each argument
	From      int             `json:"from,omitempty"`   // 0: from the first round
	To        int             `json:"to,omitempty"`     // 0: to the last round
}

// most is how many requests an offer has in a round at most.
const most = 10_000

// Check reports what is wrong with an offer.
func (o *Choice) Check(processes []string) error {
	if o.Kind == "" || strings.ContainsFunc(o.Kind, func(r rune) bool { return !inName(r) }) || !unicode.IsLetter(rune(o.Kind[0])) {
		return fmt.Errorf("its kind is %q, and has to be a name of letters, digits and _", o.Kind)
	}
	for _, p := range o.Processes {
		if !slices.Contains(processes, p) {
			return fmt.Errorf("%s is made of %q, which is no process", o.Kind, p)
		}
	}
	if o.From < 0 || o.To < 0 || o.To > 0 && o.From > o.To {
		return fmt.Errorf("%s is made in rounds %d to %d, which is no range", o.Kind, o.From, o.To)
	}
	n := len(o.Processes)
	for i, values := range o.Values {
		if n *= len(values); n > most {
			return fmt.Errorf("%s has more than %d requests in a round", o.Kind, most)
		}
		if len(values) == 0 {
			return fmt.Errorf("%s: argument %d has no value", o.Kind, i+1)
		}
		for _, v := range values {
			if err := check(v); err != nil {
				return fmt.Errorf("%s: argument %d: %q %w", o.Kind, i+1, v.Text(), err)
			}
		}
	}
	return nil
}

func inName(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// check reports a value that the text of a schedule could not hold.
func check(v specs.Value) error {
	text := v.Text()
	if strings.ContainsFunc(text, func(r rune) bool { return r == '"' || r == '\\' || unicode.IsControl(r) }) || !utf8.ValidString(text) {
		return errors.New(`has a character that a schedule cannot have: leave out ", \ and control characters`)
	}
	return nil
}

// All yields the process and the places of the values of each request of a round.
func (o *Choice) All() iter.Seq2[string, []int] {
	return func(yield func(string, []int) bool) {
		places := make([]int, len(o.Values))
		for _, process := range o.Processes {
			for more := true; more; more = o.next(places) {
				if !yield(process, places) {
					return
				}
			}
		}
	}
}

// next goes on to the next combination of values, the last of which changes first. It
// returns false, and is at the first one again, behind the last.
func (o *Choice) next(places []int) bool {
	for i := len(places) - 1; i >= 0; i-- {
		if places[i]++; places[i] < len(o.Values[i]) {
			return true
		}
		places[i] = 0
	}
	return false
}

// Fact returns what a schedule calls a request.
func (o *Choice) Fact(process string, places []int) string {
	args := []specs.Value{specs.String(process)}
	for i, place := range places {
		args = append(args, o.Values[i][place])
	}
	return syntax.FactText(o.Kind, args)
}

// In tells whether the requests may be made in a round.
func (o *Choice) In(round int) bool { return o.From <= round && (o.To == 0 || round <= o.To) }

// Choices returns the requests that may be made in so many rounds, those of earlier
// rounds first; nil if there are none.
func Choices(all []Choice, eot int) []rounds.Choice {
	var of []rounds.Fault
	for round := 1; round <= eot; round++ {
		for i := range all {
			if !all[i].In(round) {
				continue
			}
			for process, places := range all[i].All() {
				of = append(of, rounds.Fault{Kind: rounds.Choose, Detail: all[i].Fact(process, places), Round: round})
			}
		}
	}
	return declared(of)
}

// Chosen returns choices of which a schedule is one, nil if it chooses nothing.
func Chosen(s rounds.Schedule) []rounds.Choice {
	var of []rounds.Fault
	for _, f := range s.Faults {
		if f.Kind == rounds.Choose && !slices.Contains(of, f) {
			of = append(of, f)
		}
	}
	return declared(of)
}

func declared(of []rounds.Fault) []rounds.Choice {
	if len(of) == 0 {
		return nil
	}
	return []rounds.Choice{{Mode: syntax.Some, Of: of}}
}
