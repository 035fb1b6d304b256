package rules

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/mangle/ast"
	"github.com/google/mangle/factstore"
	"github.com/google/mangle/symbols"

	"github.com/lineage-driven/ldfi/internal/limits"
)

// The largest value that Mangle may make, since it counts only facts, in bytes, and how many
// of that size one rule may put together.
const (
	maxValue = 4 << 10
	maxParts = 16
)

// What a fact takes in bytes, and each of its columns beside the value: in the store it is
// found by each of them.
const (
	ofFact = 200
	ofCell = 300
)

// watchedStore is a store whose facts stay within a limit of memory, and which nobody can use
// any more when a context has ended. It panics with an error, since the methods of a
// store return none.
type watchedStore struct {
	factstore.FactStore
	ctx     context.Context
	largest int // value
	taken   limits.MemoryCount
}

// Contains tells whether a fact is there. The engine asks for each that it derives.
func (s *watchedStore) Contains(a ast.Atom) bool {
	s.look(a)
	return s.FactStore.Contains(a)
}

// Add adds a fact.
func (s *watchedStore) Add(a ast.Atom) bool {
	if bytes := s.look(a); !s.taken.Take(ofFact + len(a.Args)*ofCell + bytes) {
		panic(stopped{limits.OfMemory(s.taken, a.Predicate.Symbol, 0)})
	}
	return s.FactStore.Add(a)
}

// GetFacts calls a function for each fact that matches.
func (s *watchedStore) GetFacts(a ast.Atom, each func(ast.Atom) error) error {
	s.alive()
	return s.FactStore.GetFacts(a, each)
}

func (s *watchedStore) alive() {
	if err := s.ctx.Err(); err != nil {
		panic(stopped{err})
	}
}

// stopped is what a store panics with.
type stopped struct{ error }

// look returns how large the values of a fact are.
func (s *watchedStore) look(a ast.Atom) int {
	s.alive()
	total := 0
	for _, arg := range a.Args {
		c, ok := arg.(ast.Constant)
		if !ok {
			continue
		}
		size := sizeOf(c, s.largest)
		if size > s.largest {
			panic(stopped{fmt.Errorf("the rules derive a fact of %s with a value of more than %d bytes; bound the values that they make", a.Predicate.Symbol, s.largest)})
		}
		total += size
	}
	return total
}

// sizeOf returns how many bytes a value has, or that there are more than a limit.
func sizeOf(c ast.Constant, limit int) int {
	size := 8 + len(c.Symbol)
	add := func(parts ...ast.Constant) error {
		for _, part := range parts {
			if size <= limit {
				size += sizeOf(part, limit-size)
			}
		}
		if size > limit {
			return errTooLarge
		}
		return nil
	}
	end := func() error { return nil }
	switch c.Type {
	case ast.PairShape:
		if first, second, err := c.PairValue(); err == nil {
			_ = add(first, second)
		}
	case ast.ListShape:
		_, _ = c.ListValues(func(value ast.Constant) error { return add(value) }, end)
	case ast.MapShape:
		_, _ = c.MapValues(func(key, value ast.Constant) error { return add(key, value) }, end)
	case ast.StructShape:
		_, _ = c.StructValues(func(name, value ast.Constant) error { return add(name, value) }, end)
	}
	return size
}

var errTooLarge = errors.New("the value is too large")

// grows reports a rule that could make a value of too many others.
func grows(c ast.Clause) error {
	parts := map[ast.Variable]int{}
	for _, premise := range c.Premises {
		eq, ok := premise.(ast.Eq)
		if !ok {
			continue
		}
		made, ok := eq.Left.(ast.Variable)
		if !ok {
			continue
		}
		if parts[made] = max(1, partsOf(eq.Right, parts)); parts[made] > maxParts {
			return fmt.Errorf("%s puts a value together of more than %d others: derive a relation in between", eq, maxParts)
		}
	}
	return nil
}

// partsOf returns of how many values a term puts one together.
func partsOf(t ast.BaseTerm, parts map[ast.Variable]int) int {
	switch t := t.(type) {
	case ast.Variable:
		return max(1, parts[t])
	case ast.ApplyFn:
		sum, most := 0, 0
		for _, arg := range t.Args {
			n := partsOf(arg, parts)
			sum, most = min(sum+n, maxParts+1), max(most, n)
		}
		if t.Function.Symbol == symbols.StringReplace.Symbol && len(t.Args) == 4 {
			return min(partsOf(t.Args[0], parts)*replaced(t.Args[2]), maxParts+1)
		}
		if growing[t.Function.Symbol] {
			return sum
		}
		return most
	}
	return 0 // a constant stands in the rules
}

// growing are the functions whose values have all that they are given in them.
var growing = map[string]bool{
	symbols.StringConcatenate.Symbol: true, symbols.List.Symbol: true, symbols.Cons.Symbol: true, symbols.Append.Symbol: true, symbols.Pair.Symbol: true,
	symbols.Tuple.Symbol: true, symbols.Some.Symbol: true, symbols.Map.Symbol: true, symbols.Struct.Symbol: true,
}

// replaced returns how many times as long a text can become by the text that stands in
// for each of its letters.
func replaced(by ast.BaseTerm) int {
	if c, ok := by.(ast.Constant); ok {
		return max(1, len(c.Symbol))
	}
	return maxValue
}
