package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/draws"
	"github.com/lineage-driven/ldfi/internal/plainjson"
	"github.com/lineage-driven/ldfi/internal/scratch"
	"github.com/lineage-driven/ldfi/internal/unit"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// known is what is known of an answer of a kind.
type known struct {
	says    string // in a few words
	plain   any    // without what differs from machine to machine
	nothing bool   // it says only that it has no answer
}

// knowing reads answers, by the kind.
var knowing = map[unit.Kind]func(json.RawMessage) (known, error){
	unit.Search: func(text json.RawMessage) (known, error) {
		var a result.Answer
		if err := json.Unmarshal(text, &a); err != nil {
			return known{}, err
		}
		says := string(a.Verdict)
		if c := a.First(); c != nil {
			says += " by " + c.Schedule.String()
		}
		a.Stats = result.Stats{Executions: a.Stats.Executions}
		for i := range a.Counterexamples { // the reason may be told in several ways
			a.Counterexamples[i].Because = nil
		}
		return known{says: says, plain: a}, nil
	},
	unit.Draws: func(text json.RawMessage) (known, error) {
		var a draws.Answer
		if err := json.Unmarshal(text, &a); err != nil {
			return known{}, err
		}
		says := "that no execution ends the search"
		if !draws.Clean(text) {
			says = "that an execution ends the search"
		}
		return known{says: says, plain: a.Stretch}, nil
	},
}

// Again does a unit in this process, on one core, and says by what an answer differs from
// what comes of it; "" if by nothing.
func (w *Worker) Again(ctx context.Context, u *unit.Unit, file func(digest string) ([]byte, error), answer json.RawMessage) (difference string, err error) {
	know := knowing[u.Kind]
	if know == nil {
		return "", fmt.Errorf("this ldfi does not know the answers of the kind %q", u.Kind)
	}
	dir, err := scratch.New("", "ldfi-again-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, dir.Remove()) }()
	inside, err := dir.Mkdir("unit")
	if err != nil {
		return "", err
	}
	if err := Unpack(inside, u, file); err != nil {
		return "", err
	}
	own := &Worker{Build: w.Build}
	d := own.Do(ctx, &unit.Task{Unit: u, Dir: inside, Hosts: true, Workers: 1}) // it comes from this process
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case d.Error != "":
		return "", errors.New(d.Error)
	case !d.Final:
		return "", errors.New("it came to no end here")
	}
	theirs, err := know(answer)
	if err != nil {
		return fmt.Sprintf("it cannot be read: %v", err), nil
	}
	ours, err := know(d.Answer)
	if err != nil || theirs.nothing {
		return "", err
	}
	return differ(theirs, ours)
}

// differ says by what two answers differ.
func differ(theirs, ours known) (string, error) {
	a, err := plainjson.Marshal(theirs.plain)
	if err != nil {
		return "", err
	}
	b, err := plainjson.Marshal(ours.plain)
	switch {
	case err != nil || bytes.Equal(a, b):
		return "", err
	case theirs.says == ours.says:
		return fmt.Sprintf("both say %s, but not of the same", ours.says), nil
	default:
		return fmt.Sprintf("it says %s, and this machine %s", theirs.says, ours.says), nil
	}
}
