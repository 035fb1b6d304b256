package system_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

type (
	pair   struct{ A, B int }
	broken struct{}
	loop   struct{ Next *loop }
)

func (broken) String() string { panic("and again") }

// panicOf returns how a process panics.
func panicOf(t *testing.T, do func(*system.Step)) *system.PanicError {
	t.Helper()
	s := one(script{send: do})
	_, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{})
	var panicked *system.PanicError
	require.ErrorAs(t, err, &panicked)
	return panicked
}

// A process may panic with anything. What is said of it is the same every time.
func TestTextsOfPanics(t *testing.T) {
	circle := &loop{}
	circle.Next = circle
	for want, do := range map[string]func(){
		"no quorum":     func() { panic("no quorum") },
		"disk full":     func() { panic(errors.New("disk full")) },
		"7":             func() { panic(7) },
		`{"A":1,"B":2}`: func() { panic(&pair{1, 2}) },
		"a system_test.broken, whose text panics in turn":   func() { panic(broken{}) },
		"index out of range [2] with length 2":              func() { i := 2; _ = make([]int, 2)[i] },
		"invalid memory address or nil pointer dereference": func() { var p *pair; p.A = 1 },
		"at 0x... it ends":               func() { panic("at 0xc000012345 it ends") },
		"not \uFFFD text":                func() { panic("not \xff text") },
		strings.Repeat("é", 400) + "...": func() { panic(strings.Repeat("é", 1000)) },
	} {
		require.Equal(t, want, panicOf(t, func(*system.Step) { do() }).Text)
	}
	require.Contains(t, panicOf(t, func(*system.Step) { panic(nil) }).Text, "nil argument")
	for range 3 {
		text := panicOf(t, func(*system.Step) { panic(circle) }).Text
		require.NotRegexp(t, `0x[0-9a-f]`, text)
	}
}

func deep(n int) {
	if n == 0 {
		panic("deep down")
	}
	deep(n - 1)
}

// again panics once more with what it recovers.
func again() {
	defer func() { panic(fmt.Sprint("again: ", recover())) }()
	deep(3)
}

// A stack has the functions of the process, and nothing of what calls it.
func TestStacksOfPanics(t *testing.T) {
	stack := panicOf(t, func(*system.Step) { deep(2) }).Stack
	require.Len(t, stack, 5, "%q", stack)
	for i, function := range stack[:3] {
		require.Regexp(t, `^system_test\.deep at system/panic_test\.go:\d+$`, function, "%d", i)
	}
	require.Regexp(t, `^system_test\.TestStacksOfPanics\.func\d+ at system/panic_test\.go:\d+$`, stack[3])
	require.Regexp(t, `^system_test\.\(\*script\)\.Send at system/`, stack[4])

	long := panicOf(t, func(*system.Step) { deep(1000) }).Stack
	require.Len(t, long, 33)
	require.Equal(t, "...", long[32])

	second := panicOf(t, func(*system.Step) { again() })
	require.Equal(t, "again: deep down", second.Text)
	require.Regexp(t, `^system_test\.again\.func1 at `, second.Stack[0])
	require.Regexp(t, `^system_test\.deep at `, second.Stack[1])

	inside := panicOf(t, func(s *system.Step) { s.Fact("x", broken{}) }).Stack
	require.Contains(t, strings.Join(inside, "\n"), "system.(*Step).Fact at system/step.go:")
	require.Contains(t, inside[len(inside)-1], "(*script).Send")
}

// The recording of an execution that a panic ends has everything up to there.
func TestRecordingOfAPanic(t *testing.T) {
	s := one(script{
		send: func(s *system.Step) { s.Fact("sent", s.Round()); s.Broadcast("hello") },
		receive: func(s *system.Step, _ []system.Message) {
			s.Fact("received", s.Round())
			if s.Round() == 2 {
				panic("enough")
			}
		},
	})
	r := s.NewRunner()
	r.Options.Record = true
	require.Error(t, r.Run(t.Context(), rounds.Schedule{}))
	require.Equal(t, []string{`received("a", 1)@1`, `sent("a", 1)@1`, `received("a", 2)@2`, `sent("a", 2)@2`}, factTexts(r.Execution()))
	require.Len(t, r.Execution().Messages, 2)

	// A panic before the first round leaves nothing of the execution before.
	calm := s.New
	made := 0
	s.New = func(name string, random *rand.Rand) system.Process {
		if made++; made > 2 {
			panic("no memory")
		}
		return calm(name, random)
	}
	r = s.NewRunner()
	r.Options.Record = true
	require.ErrorContains(t, r.Run(t.Context(), rounds.Schedule{}), "enough")
	require.ErrorContains(t, r.Run(t.Context(), rounds.Schedule{}), "no memory")
	require.Empty(t, factTexts(r.Execution()))
	require.Empty(t, r.Execution().Messages)
}

func factTexts(e *recording.Execution) []string {
	var texts []string
	for _, f := range e.Facts {
		texts = append(texts, f.String())
	}
	return texts
}
