package remote

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// mortal is a greeter that ends itself in round 2.
type mortal struct {
	greeter
	exits bool
}

func (m mortal) Receive(s *system.Step, inbox []system.Message) {
	m.greeter.Receive(s, inbox)
	if s.Round() == 2 && s.Process() == "b" {
		s.Died(system.PanicError{Text: "oh", Exit: m.exits, Stack: []string{"f at b/b.go:1"}})
	}
}

// A process of a host can end itself while the others go on: that is believed, with the
// recording of all rounds, unless its fact is none.
func TestDeath(t *testing.T) {
	for property, text := range map[string]string{
		search.NoPanic: "process b panics in round 2: oh",
		search.NoExit:  "process b ends its program in round 2: oh",
	} {
		s := gossip()
		s.New = func(string, *rand.Rand) system.Process { return mortal{exits: property == search.NoExit} }
		var fact any = "died"
		r := liar(t, s, Options{}, func(q, a object) {
			if q["do"] == messages.DoRun && a["violations"] != nil {
				at(a, "violations", 0, "fact").(object)["relation"] = fact
			}
		})
		require.NoError(t, r.greet(t.Context()))
		for _, recording := range []messages.Recording{messages.Always, messages.Never} {
			e, violations, err := r.Systems()[0].Execute(t.Context(), parse(t, ""), 0, recording)
			require.NoError(t, err)
			require.Len(t, violations, 1)
			require.Equal(t, property, violations[0].Property)
			require.Equal(t, text, violations[0].Text)
			require.Equal(t, "f at b/b.go:1", violations[0].Stack[0])
			if recording == messages.Always {
				require.Equal(t, s.Rounds, last(e, "a"))
				require.Equal(t, 2, last(e, "b"))
			}
		}
		fact = "panic"
		_, _, err := r.Systems()[0].Execute(t.Context(), parse(t, ""), 0, messages.Always)
		require.Error(t, err, "then the others did not go on")
	}
}

// last returns the last round in which a process reported something.
func last(e *recording.Execution, process string) (round int) {
	for _, f := range e.Facts {
		if f.Args[0].Text() == process {
			round = max(round, f.Round)
		}
	}
	return round
}

// A text is found wherever it lies across what is written, and nowhere else.
func TestFinder(t *testing.T) {
	for text, met := range map[string]bool{"abcd": true, "xxabcdxx": true, "xabcabcdx": true, "abc": false, "abxcd": false, "": false} {
		for size := 1; size <= 5; size++ {
			f := finder{text: []byte("abcd")}
			for part := range slices.Chunk([]byte(text), size) {
				_, err := f.Write(part)
				require.NoError(t, err)
			}
			require.Equal(t, met, f.met, "%q in parts of %d", text, size)
			require.Less(t, len(f.end), 4)
		}
	}
}
