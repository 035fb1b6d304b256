package learned

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// promised is a property that the program has.
type promised struct {
	property string
	rules    *datalog.Evaluator
	prefix   string // of the relations that its rules derive, where there are several properties
}

// name returns what a relation of the property is called in the program.
func (p *promised) name(relation string) string {
	if p.rules.Derived(relation) {
		return p.prefix + relation
	}
	return relation
}

// promises compiles the properties that a program can have, and says of the others why
// it cannot.
func (p *programmer) promises() error {
	for _, property := range p.source.Properties {
		switch promised, why, err := promisedBy(property); {
		case err != nil:
			return err
		case why != "":
			p.left = append(p.left, why)
		default:
			p.promised = append(p.promised, promised)
			if !p.source.Fixed && goesOn(property, promised) {
				p.late = append(p.late, property.Name)
			}
		}
	}
	if len(p.promised) < 2 {
		return nil
	}
	prefixes := names{}
	for _, promised := range p.promised {
		promised.prefix = prefixes.of(identifier(promised.property)) + "_"
	}
	return nil
}

// promisedBy returns what a program promises by a property, or why it cannot.
func promisedBy(p property.Property) (promises *promised, why string, err error) {
	if p.Func != nil || p.Rules == nil || p.Rules.Text == "" && p.Rules.Compile == nil {
		return nil, fmt.Sprintf("the property %q is a function", p.Name), nil
	}
	c, err := property.Compile(p)
	if err != nil {
		return nil, "", err
	}
	rules := c.Rules()
	if rules.Program == nil {
		return nil, fmt.Sprintf("the property %q: %v", p.Name, rules.NoProgram), nil
	}
	for _, r := range datalog.Environment {
		if r.About != datalog.TableScope && rules.Read(r.Name) {
			return nil, fmt.Sprintf("the property %q reads %s, which no process reports", p.Name, r.Name), nil
		}
	}
	return &promised{property: p.Name, rules: rules}, "", nil
}

// goesOn tells whether a violation says that something has not happened by the end.
func goesOn(p property.Property, promised *promised) bool {
	return p.ByEnd || promised.rules.Derived("pre") && !promised.rules.Read("eot")
}

// promise writes the rules of the properties, which fire at the end.
func (p *programmer) promise() error {
	p.comment("The promise, which is judged at the end.")
	p.fact(p.last, p.own("end"))
	scope, err := p.scope()
	if err != nil {
		return err
	}
	for _, line := range scope {
		p.line("%s", line)
	}
	for _, promised := range p.promised {
		if err := p.property(promised); err != nil {
			return err
		}
	}
	return p.rules("violation(%s) :- unknown(_, _);", p.unknownText())
}

// unknownText is the argument of the violation that says that something happens that is
// not known, or several: a property that is alone says how many.
func (p *programmer) unknownText() string {
	const text = `"something happens that is not known"`
	if len(p.promised) != 1 || !p.promised[0].rules.Derived("violation") {
		return text
	}
	columns := p.promised[0].rules.Derives["violation"]
	if columns == 0 {
		return ""
	}
	return text + strings.Repeat(`, "-"`, columns-1)
}

// scope returns facts about processes and rounds that some property reads.
func (p *programmer) scope() ([]string, error) {
	var lines []string
	e := &recording.Execution{System: p.source.System, Bounds: p.source.Bounds}
	for _, promised := range p.promised {
		facts, err := promised.rules.Clone().Table(e)
		if err != nil {
			return nil, err
		}
		for _, f := range facts {
			lines = append(lines, (&syntax.Fact{Relation: f.Relation, Args: p.rewritten(f.Args), Round: p.last}).String())
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

func (p *programmer) rewritten(args []specs.Value) []specs.Value {
	var all []specs.Value
	for _, v := range args {
		all = append(all, p.value(v))
	}
	return all
}

// property writes the rules of one.
func (p *programmer) property(promised *promised) error {
	p.comment("  " + promised.property)
	name := func(relation string) string {
		if relation == datalog.Always {
			return p.own("end")
		}
		return promised.name(relation)
	}
	for _, r := range promised.rules.Program.Rules {
		p.line("%s", r.Rewritten(name, p.value))
	}
	for _, f := range promised.rules.Program.Facts {
		if f.Relation != datalog.Always {
			p.fact(p.last, name(f.Relation), p.rewritten(f.Args)...)
		}
	}
	if promised.prefix == "" {
		return nil
	}
	text := p.value(specs.String(promised.property))
	if columns, ok := promised.rules.Derives["violation"]; ok {
		p.line(`violation(%s) :- %s(), %s(%s);`, text, p.own("end"), promised.name("violation"), wildcards(columns))
	}
	if columns, ok := promised.rules.Derives["pre"]; ok {
		all := variables(columns)
		p.line(`violation(%s) :- %s(), %s(%s), notin %s(%s);`, text, p.own("end"), promised.name("pre"), all, promised.name("post"), all)
	}
	return nil
}

func wildcards(n int) string { return strings.TrimPrefix(strings.Repeat(", _", n), ", ") }

func variables(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf(", X%d", i)
	}
	return strings.TrimPrefix(text, ", ")
}
