package explain

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// A circuit that takes more is not sent: steps of work to evaluate it, a second or so, and
// bytes in a page.
const (
	MostSteps = 1_000_000
	mostBytes = 300_000
)

// LargeError says that a circuit would be too large for a page.
type LargeError struct{ Bytes int }

func (e *LargeError) Error() string {
	return fmt.Sprintf("the conditions of all facts and messages take %d kB, and a page has room for %d kB", (e.Bytes+999)/1000, mostBytes/1000)
}

// SmallCircuit returns a LargeError if a circuit would be too large for a page.
func SmallCircuit(of func(Atoms) (*Circuit, error)) error {
	trial := &trial{known: map[string]int{}}
	c, err := of(trial)
	if err != nil {
		return err
	}
	if bytes := c.bytes() + trial.bytes; bytes > mostBytes {
		return &LargeError{bytes}
	}
	return nil
}

// bytes is the approximate size of a circuit.
func (c *Circuit) bytes() int {
	n := len(c.Data) + 1000
	for _, text := range c.Details {
		n += len(text) + 3
	}
	for _, single := range c.Single {
		n += 6 * len(single)
	}
	return n + 6*len(c.Reliable)
}

// trial counts the size of atoms in a page.
type trial struct {
	known map[string]int
	bytes int
}

func (t *trial) Atom(relation string, args []specs.Value) int {
	text := recording.Display(recording.Fact{Relation: relation, Args: args}, nil)
	i, known := t.known[text]
	if !known {
		i = len(t.known)
		t.known[text] = i
		t.bytes += len(text) + len(`"",12,12,`)
	}
	return i
}
