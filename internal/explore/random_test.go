package explore_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// driven are protocols that random keys are pressed on, with how many gates a circuit may
// have: one is too large.
var driven = []struct {
	file  string
	gates int
}{
	{"delivery/retry.ded", 0}, {"delivery/retry.ded", 1}, {"partitions/half.ded", 0}, {"restart/2pc_forgets.ded", 0},
	{"choices/write_once.ded", 0}, {"election/bully_min.ded", 0}, {"traps/nowhere.ded", 0},
}

// pressed are the keys that are pressed, and what is typed into prompts.
var pressed = strings.Fields(`up down left right up down left right up down left right space space c i r p l l o x d D z . 0 u u U n n N 2 m M a 3 w t v 4 1 esc
	tab pgup pgdown < > y ? s L k e / enter enter enter f R ctrl+r ctrl+c q 7 ü crash space omit a>b@1 not *>c post(_,_) log(_,_)@3 backspace isolate b@2..3 ; some.file home end P S`)

// steps turns bytes into keys.
func steps(data []byte) []string {
	keys := make([]string, len(data))
	for i, b := range data {
		keys[i] = pressed[int(b)%len(pressed)]
	}
	return keys
}

// often is how many keys are pressed: of so many with -long a third without.
func often(most int) int {
	if *long {
		return most
	}
	return most / 3
}

// Whatever is pressed, the screen keeps its form, and says of the schedule what ldfi
// inject says; undoing everything leads back to the first screen.
func TestRandomKeys(t *testing.T) {
	for i, d := range driven {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		data := make([]byte, often(150))
		for j := range data {
			data[j] = byte(r.UintN(256))
		}
		t.Run(d.file, func(t *testing.T) { drive(t, d.file, d.gates, steps(data)) })
	}
}

func FuzzKeys(f *testing.F) {
	for i := range driven {
		if *long {
			f.Add(uint8(i), []byte("abcdefgh 0123456789 ABCDEFGH"))
		}
		f.Add(uint8(i), []byte{20, 20, 30, 31, 40, 41, 42, 60, 61, 62, 63})
	}
	f.Fuzz(func(t *testing.T, file uint8, data []byte) {
		d := driven[int(file)%len(driven)]
		drive(t, d.file, d.gates, steps(data[:min(len(data), 40)]))
	})
}

// wide is a screen on which a verdict is in one line.
const wide, high = 400, 50

// Systems keep to the same.
func TestRandomKeysOnASystem(t *testing.T) {
	for i, name := range []string{"election-buggy", "election-buggy-nameless"} {
		r := rand.New(rand.NewPCG(uint64(i), 2))
		data := make([]byte, often(80))
		for j := range data {
			data[j] = byte(r.UintN(256))
		}
		o, _ := opened(t, &subject.System{Name: name})
		driveOpened(t, o, name, steps(data))
	}
}

func drive(t *testing.T, file string, gates int, keys []string) {
	about := &subject.Protocol{Common: subject.Common{Max: 5}, Files: []string{protocols + file}, MaxGates: gates}
	o, err := about.Open(t.Context())
	require.NoError(t, err)
	defer o.Close()
	driveOpened(t, o, file, keys)
}

// driveOpened presses keys, and undoes what they did.
func driveOpened(t *testing.T, o *subject.Opened, file string, keys []string) {
	t.Chdir(t.TempDir()) // keys may save
	e, err := explore.New(t.Context(), o)
	require.NoError(t, err)
	p := explore.NewPlayer(t.Context(), e, options(file), wide, high)
	first := p.Screen()
	verdicts := map[string]*result.Injection{}
	for i, key := range keys {
		p.Press(key)
		fits(t, p, wide, high, file, keys[:i+1])
		p.Resize(40, 12)
		fits(t, p, 40, 12, file, keys[:i+1])
		p.Resize(wide, high)
		schedule := e.Schedule()
		in := verdicts[schedule.String()]
		if in == nil {
			in, err = o.Replay(t.Context(), schedule)
			require.NoError(t, err, schedule)
			verdicts[schedule.String()] = in
		}
		if screen := p.Screen(); !strings.Contains(screen, "any other key goes back") { // the help
			require.Regexp(t, "\n"+verdictOf(in)+"\n", screen, "%s %s", file, keys[:i+1])
			require.NotContains(t, screen, "internal error")
		}
	}
	p.Press("esc") // out of the help, or of what is typed
	p.Press("esc")
	for e.Undo() {
	}
	p.Press("U")
	p.Press("u")
	require.Empty(t, e.Locks(), "%s %s", file, keys)
	require.Empty(t, e.Schedule().String(), "%s %s", file, keys)
	for range 3 { // as many as there are layers
		for range 40 {
			p.Press("up")
			p.Press("left")
		}
		if unjudged(p.Screen()) == unjudged(first) {
			return
		}
		p.Press("l")
	}
	require.Fail(t, "not the first screen", "%s %s\n%s", file, keys, p.Screen())
}

// unjudged is a screen without the verdict, which says what was searched meanwhile.
func unjudged(screen string) string {
	title, rest, _ := strings.Cut(screen, "\n")
	_, rest, _ = strings.Cut(rest, "\n")
	return title + "\n" + rest
}

// verdictOf matches the line of the screen that says what happens.
func verdictOf(in *result.Injection) string {
	switch {
	case in.Verdict == "":
		return "executed   nothing is promised"
	case in.Verdict == result.Holds:
		return "(kept       the promise is kept in this run; .*|holds      no schedule within the bounds breaks the promise)"
	default:
		text := "VIOLATED   " + text.Safe(in.Violations[0].String())
		if n := len(in.Violations); n > 1 {
			text += fmt.Sprintf(", and %d more", n-1)
		}
		return regexp.QuoteMeta(text)
	}
}
