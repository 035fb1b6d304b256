package rules

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/google/mangle/analysis"
	"github.com/google/mangle/ast"
	mangle "github.com/google/mangle/engine"
	"github.com/google/mangle/factstore"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// engine evaluates rules with Mangle. One evaluation of a recursive stratum may
// lose facts, so it evaluates one stratum after the other, each until nothing
// new comes of it.
type engine struct {
	strata  []*analysis.ProgramInfo
	derived []ast.PredicateSym // the relations that the rules derive
}

// maxMangleFacts is the most facts that Mangle, which is slow, may derive.
const maxMangleFacts = 100_000

// newEngine prepares rules that parseRules has checked.
func newEngine(r *rules) (*engine, error) {
	if err := r.fixed(); err != nil {
		return nil, err
	}
	en := &engine{}
	for name, columns := range r.defined {
		en.derived = append(en.derived, ast.PredicateSym{Symbol: name, Arity: columns})
	}
	clauses := normal(r.clauses)
	for _, c := range clauses {
		if err := grows(c); err != nil {
			return nil, r.fail(place{}, "%v", err)
		}
	}
	for _, layer := range layers(clauses) {
		var stratum []ast.Clause
		for _, c := range clauses {
			if slices.Contains(layer, c.Head.Predicate) {
				stratum = append(stratum, c)
			}
		}
		info, err := analyse(stratum)
		if err != nil {
			return nil, r.fail(place{}, "Mangle refuses the rules: %v", err)
		}
		en.strata = append(en.strata, info)
	}
	return en, nil
}

// fixed refuses functions whose result depends on the order of a store.
func (r *rules) fixed() error {
	for _, c := range r.clauses {
		if c.fold == nil {
			continue
		}
		for _, l := range c.fold.lets {
			switch name := l.fn.Function.Symbol; name {
			case "fn:collect", "fn:collect_distinct", "fn:collect_to_map", "fn:pick_any":
				r.report(l.at, "what %s returns depends on the order of the rows, which is not fixed", name)
			}
		}
	}
	return r.err()
}

// analyse prepares a stratum; what it only reads is declared.
func analyse(stratum []ast.Clause) (*analysis.ProgramInfo, error) {
	declared := map[ast.PredicateSym]ast.Decl{}
	for _, c := range stratum {
		declared[c.Head.Predicate] = ast.NewSyntheticDeclFromSym(c.Head.Predicate)
		for _, premise := range c.Premises {
			if p, _ := reads(premise); p.Symbol != "" {
				declared[p] = ast.NewSyntheticDeclFromSym(p)
			}
		}
	}
	a, err := analysis.New(declared, nil, analysis.NoBoundsChecking)
	if err != nil {
		return nil, err
	}
	return a.Analyze(stratum)
}

// Run returns the sorted rows of every relation that the rules derive.
func (en *engine) Run(ctx context.Context, facts []recording.Fact) (derived map[string][][]specs.Value, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			err = fmt.Errorf("evaluating the rules with Mangle: %w", r.error)
		default:
			err = fmt.Errorf("evaluating the rules with Mangle, which gave up: %v", r)
		}
	}()
	given := factstore.NewMultiIndexedArrayInMemoryStore()
	store := &watchedStore{FactStore: given, ctx: ctx, largest: maxValue, taken: limits.MemoryOf(ctx)}
	given.Add(newAtom(datalog.Always, nil))
	for _, f := range facts {
		args := make([]ast.BaseTerm, len(f.Args))
		for i, v := range f.Args {
			args[i] = constantOf(v)
			store.largest = max(store.largest, sizeOf(constantOf(v), math.MaxInt))
		}
		given.Add(newAtom(f.Relation, args))
	}
	for _, stratum := range en.strata {
		if err := saturate(stratum, store); err != nil {
			return nil, fmt.Errorf("evaluating the rules with Mangle: %w", err)
		}
	}
	return en.collect(store)
}

// saturate evaluates a stratum until nothing new comes of it.
func saturate(stratum *analysis.ProgramInfo, store factstore.FactStore) error {
	for {
		before := store.EstimateFactCount()
		if err := mangle.EvalProgram(stratum, store, mangle.WithCreatedFactLimit(maxMangleFacts)); err != nil {
			return err
		}
		if store.EstimateFactCount() == before {
			return nil
		}
		if before > maxMangleFacts {
			return fmt.Errorf("the rules derive more than %d facts", maxMangleFacts)
		}
	}
}

// collect reads the results.
func (en *engine) collect(store factstore.FactStore) (map[string][][]specs.Value, error) {
	derived := map[string][][]specs.Value{}
	for _, symbol := range en.derived {
		var rows [][]specs.Value
		err := store.GetFacts(ast.NewQuery(symbol), func(a ast.Atom) error {
			row := make([]specs.Value, len(a.Args))
			for i, arg := range a.Args {
				c, ok := arg.(ast.Constant)
				if !ok {
					return errors.New("a fact that is not ground: " + a.String())
				}
				row[i] = fromMangle(c)
			}
			rows = append(rows, row)
			return nil
		})
		if err != nil {
			return nil, err
		}
		compareRows := func(a, b []specs.Value) int { return slices.CompareFunc(a, b, specs.Value.Compare) }
		slices.SortFunc(rows, compareRows)
		derived[symbol.Symbol] = slices.CompactFunc(rows, func(a, b []specs.Value) bool { return compareRows(a, b) == 0 })
	}
	return derived, nil
}

// constantOf returns a value as Mangle has it: a string that is not valid UTF-8
// is a byte string.
func constantOf(v specs.Value) ast.Constant {
	switch {
	case v.IsInt():
		return ast.Number(v.Int())
	case utf8.ValidString(v.Text()):
		return ast.String(v.Text())
	default:
		return ast.Bytes([]byte(v.Text()))
	}
}

// fromMangle returns the value of a constant; whatever is neither a number nor a
// string becomes the text of it.
func fromMangle(c ast.Constant) specs.Value {
	if v, ok := valueOf(c); ok {
		return v
	}
	return specs.String(c.String())
}
