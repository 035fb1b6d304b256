package lockstep_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/lockstep"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/lineage-driven/ldfi/specs/dedalus/dedalustest"
)

var (
	long    = flag.Int("long", 300, "how many random programs are compared")
	seed    = flag.Uint64("seed", 1, "the first of their seeds")
	workers = flag.Int("workers", 1, "how many are compared at a time")
)

// compared counts what the comparison came to.
type compared struct{ executions, facts, undefined, big int }

// compareReference executes a program under a schedule both ways.
func compareReference(p *dedalus.Program, b rounds.Bounds, m *lockstep.Machine, s rounds.Schedule, c *compared) error {
	e, err := m.Execute(context.Background(), s)
	r := newReference(p, b, s)
	want := r.run()
	var undefined *rounds.UndefinedError
	var runaway *rounds.RunawayError
	var limit *rounds.LimitError
	switch {
	case errors.Is(want, errBig) || errors.As(err, &runaway) || errors.As(err, &limit):
		c.big++
		return nil
	case errors.As(err, &undefined) && errors.Is(want, errUndefined):
		c.undefined++
		return checkCycle(undefined)
	case err != nil || want != nil:
		return fmt.Errorf("under %q: error %v, reference %v", s, err, want)
	}
	c.executions++
	c.facts += len(e.Facts)
	var have, wanted []string
	for _, f := range e.Facts {
		have = append(have, f.String())
	}
	for n, rows := range r.facts {
		for _, args := range rows {
			f := rounds.Fact{Relation: n.relation, Args: args, Round: n.round}
			if n.relation != "crash" || slices.ContainsFunc(p.Relations(), func(r dedalus.Relation) bool { return r.Name == "crash" }) {
				wanted = append(wanted, f.String())
			}
		}
	}
	if d := difference(have, wanted); d != "" {
		return fmt.Errorf("under %q: %s", s, d)
	}
	sent, err := r.messages()
	if err != nil {
		return err
	}
	have = nil
	for _, m := range e.Messages {
		have = append(have, messageText(m.Round, m.From, m.To, m.Relation, m.Args, m.Lost))
		if m.Lost != (m.Cause != rounds.Fault{}) {
			return fmt.Errorf("under %q: message %s has the cause %s", s, m, m.Cause)
		}
	}
	if d := difference(have, sent); d != "" {
		return fmt.Errorf("under %q: messages: %s", s, d)
	}
	return nil
}

// checkCycle looks at what can be seen of a cycle.
func checkCycle(e *rounds.UndefinedError) error {
	if len(e.Cycle) == 0 {
		return fmt.Errorf("no cycle: %w", e)
	}
	return nil
}

// difference says what the two have not in common.
func difference(have, want []string) string {
	slices.Sort(have)
	slices.Sort(want)
	if slices.Equal(have, want) {
		return ""
	}
	text := ""
	for _, h := range have {
		if _, ok := slices.BinarySearch(want, h); !ok {
			text += "\n  too much: " + h
		}
	}
	for _, w := range want {
		if _, ok := slices.BinarySearch(have, w); !ok {
			text += "\n  missing:  " + w
		}
	}
	return text
}

// compareText compares a program under a few schedules.
func compareText(text string, seed uint64, c *compared) error {
	p, err := dedalus.ParseText("random.ded", text)
	if err != nil {
		return nil
	}
	b, _, err := rounds.BoundsFrom(p.Settings, nil)
	if err != nil {
		return nil
	}
	for _, stop := range []bool{false, true} {
		b.CrashStop = stop
		m, err := lockstep.Compile(p, b, lockstep.Options{MaxFacts: 5000})
		if err != nil {
			return err
		}
		u := rounds.NewUniverse(b)
		r := rand.New(rand.NewPCG(seed, 7))
		for i := range 3 {
			var s rounds.Schedule
			if i > 0 {
				s = u.Random(r)
			}
			if err := compareReference(p, b, m, s, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestRandomProgramsAgreeWithTheReference(t *testing.T) {
	var c compared
	for s := *seed; s < *seed+uint64(*long); s++ {
		random := dedalustest.Random(s)
		if err := compareText(random.Text, s, &c); err != nil {
			small := dedalustest.Shrink(random.Text, func(text string) bool { return compareText(text, s, &compared{}) != nil })
			t.Fatalf("seed %d: %v\n%s", s, compareText(small, s, &compared{}), small)
		}
	}
	t.Logf("%+v", c)
	require.Greater(t, c.executions, *long)
}

func TestProtocolsAgreeWithTheReference(t *testing.T) {
	files, err := filepath.Glob("../../testdata/protocols/*/*.ded")
	require.NoError(t, err)
	for _, file := range files {
		if filepath.Base(filepath.Dir(file)) == "lib" {
			continue
		}
		t.Run(file, func(t *testing.T) {
			p, b := protocol(t, file)
			m, err := lockstep.Compile(p, b, lockstep.Options{})
			require.NoError(t, err)
			u := rounds.NewUniverse(b)
			r := rand.New(rand.NewPCG(*seed, 7))
			var c compared
			for range 2 {
				require.NoError(t, compareReference(p, b, m, u.Random(r), &c))
			}
			t.Logf("%+v", c)
		})
	}
}
