package lockstep

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Options limit the computed part of a program.
type Options struct {
	Only     []string // these relations and all that they depend on; nil: all relations
	MaxFacts int      // the most facts that a run may have, in all rounds together; 0: any number
}

// firingsPerFact limits the firings of rules in a run, for each fact that it may have, so
// that rules that give nothing new come to an end too.
const firingsPerFact = 3

// maxInstances limits the rules and relations, times the rounds.
const maxInstances = 2_000_000

// Machine executes one program within one set of bounds, one schedule after
// the other, reusing its memory. It is for one goroutine; Clone gives another.
type Machine struct {
	*program
	values *interner
	env    *schedules.Environment

	tables []table  // by node
	pos    []*table // by node: the table that a positive atom reads
	neg    []*table // by node: the table that a negated atom reads; nil: it never holds
	filled []*table // the tables that are not empty
	spare  []*table // for the possible facts of a recursion through negation
	since  []int    // by node: where the new rows of a recursion begin
	until  []int    // by node: and where they end
	fold   *collector

	// The evaluation of one instance.
	plan   *plan
	at     *instance
	slots  []id
	lo, hi []int // by atom: the rows that it reads
	sender int
	head   []id
	emit   func(row []id) bool // called with a head instead of keeping it, if set
	watch  func() bool         // called at a firing instead of making the head, if set

	// The run.
	restarts bool // some process comes back
	counting bool // some fault hits one message of a kind alone
	places   places
	ctx      context.Context
	further  []recording.Fact // the facts given in addition to the program
	fuel     int              // steps until the context is looked at
	work     int              // how many steps may be taken, 0 for any number
	tanks    int              // how often there may be fuel until then
	facts    int
	firings  int
	memory   limits.MemoryCount
	valued   []bool // by rule: some arithmetic had no value
	err      error

	wider *Machine // for messages that come later than the bounds have it; nil until there are some
}

// program is the part that all machines of one program share. It does not change.
type program struct {
	source     *dedalus.Program
	options    Options
	bounds     rounds.Bounds
	eot        int
	limit      int // of facts, 0 for none
	names      []string
	processes  []id
	joined     []int // by process, the first round in which it takes part
	relations  []*relation
	numbers    map[string]int
	rules      []*rule
	given      []given
	chosen     map[rounds.Fault]given // the facts that the environment can choose
	components []*component
	senders    []*instance // of all @async rules, in the order of the rounds
	final      error       // why no process can come back, nil if they can
	slots      int         // the most that any plan needs
	atoms      int         // the most that any rule has
}

// process returns the index of the process that a value stands for, and false
// if there is none.
func (p *program) process(x id) (int, bool) {
	for i, y := range p.processes {
		if x == y {
			return i, true
		}
	}
	return -1, false
}

// given is a fact that the program states.
type given struct {
	node int
	row  []id
}

// compiler makes a program. What it returns is good for nothing once it has an
// error: the first one stays.
type compiler struct {
	*program
	*interner
	err error
}

// fail keeps an error, unless there is one.
func (c *compiler) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// Compile prepares a program for execution within bounds. The program has to
// be one that package dedalus has parsed and checked.
func Compile(p *dedalus.Program, b rounds.Bounds, o Options) (*Machine, error) {
	return compile(p, b, o, func(*compiler) {})
}

// compile prepares a program; further adds to it before it is complete.
func compile(p *dedalus.Program, b rounds.Bounds, o Options, further func(*compiler)) (*Machine, error) {
	if err := errors.Join(b.Validate(), b.CheckRestarts(p)); err != nil {
		return nil, fmt.Errorf("lockstep: %w", err)
	}
	b, err := b.Knowing(p)
	if err != nil {
		return nil, fmt.Errorf("lockstep: %w", err)
	}
	again := b
	again.Crashes, again.Restarts = rounds.Unlimited, rounds.Unlimited
	c := &compiler{&program{
		source: p, options: o,
		bounds: b.Normal(), eot: b.EOT, limit: o.MaxFacts, names: b.Processes,
		numbers: map[string]int{}, final: again.CheckRestarts(p),
	}, newInterner(), nil}
	for _, name := range b.Processes {
		c.processes = append(c.processes, c.intern(p.ProcessValue(name)))
		c.joined = append(c.joined, b.Joined(name))
	}
	if o.Only != nil {
		p = p.Slice(o.Only...)
	}
	c.compileRules(p.Rules)
	c.declareChoices(p.Choices)
	c.compileFacts(p.Facts)
	c.compileChoices()
	c.compileOrder()
	further(c)
	c.keep()
	env, err := schedules.NewEnvironment(c.bounds, rounds.Schedule{})
	if err = cmp.Or(c.err, err); err != nil {
		return nil, fmt.Errorf("lockstep: %w", err)
	}
	return newMachine(c.program, c.interner, env), nil
}

func (c *compiler) compileRules(rules []*syntax.Rule) {
	add := func(r *rule) {
		r.index = len(c.rules)
		c.rules = append(c.rules, r)
	}
	for _, source := range rules {
		r := c.rule(source)
		if source.Head.Relation == crashes {
			c.fail(fmt.Errorf("%s: crash is built in and cannot be a head", source.Position))
		}
		if r.kind != syntax.Deductive {
			c.relations[r.relation].stateful = true
		}
		add(r)
	}
	if n, ok := c.numbers[crashes]; ok && c.relations[n].arity != 3 {
		c.fail(fmt.Errorf("crash has %d columns instead of 3: the observer, the process and the round", c.relations[n].arity))
	}
	for i, rel := range c.relations {
		if c.bounds.CrashStop && rel.stateful && rel.arity > 0 {
			add(c.freeze(i))
		}
	}
}

// compileFacts numbers the relations of all facts before it makes nodes of them, since the
// numbers of the nodes depend on the number of relations.
func (c *compiler) compileFacts(facts []*syntax.Fact) {
	for _, f := range facts {
		c.declare(f.Relation, len(f.Args), f.Position)
		if f.Relation == crashes {
			c.fail(fmt.Errorf("%s: crash is built in and cannot be stated", f.Position))
		}
	}
	for _, f := range facts {
		g := given{}
		for _, v := range f.Args {
			g.row = append(g.row, c.intern(v))
		}
		g.node = c.node(c.numbers[f.Relation], c.since(g.row, f.Round))
		if g.node != nowhere {
			c.given = append(c.given, g)
		}
	}
}

// since returns the round in which a fact holds that the program states in a round: facts
// of a process that joins later hold when it joins.
func (p *program) since(row []id, round int) int {
	if len(row) == 0 || round > p.eot {
		return round
	}
	if i, ok := p.process(row[0]); ok {
		return max(round, p.joined[i])
	}
	return round
}

// compileOrder orders the rules of all rounds. It comes after all relations
// are known, because they number the nodes.
func (c *compiler) compileOrder() {
	if per := 1 + len(c.rules)*(1+c.latest()) + len(c.relations); c.eot > maxInstances/per {
		c.fail(&limits.LimitError{What: "rules and relations in each of the rounds before it", Count: per, Round: c.eot})
	}
	if c.err != nil {
		return
	}
	instances := c.instantiate()
	for _, in := range instances {
		if in.kind == syntax.Async && in.late == 0 {
			c.senders = append(c.senders, in)
		}
	}
	c.components = c.order(instances)
	for _, r := range c.rules {
		c.atoms = max(c.atoms, len(r.atoms))
		for _, p := range append(r.from, r.full) {
			if p != nil {
				c.program.slots = max(c.program.slots, p.slots)
			}
		}
	}
}

func newMachine(p *program, values *interner, env *schedules.Environment) *Machine {
	nodes := 1 + p.eot*len(p.relations)
	m := &Machine{
		program: p, values: values, env: env,
		tables: make([]table, nodes),
		pos:    make([]*table, nodes),
		neg:    make([]*table, nodes),
		slots:  make([]id, p.slots),
		since:  make([]int, nodes),
		until:  make([]int, nodes),
		fold:   &collector{},
		lo:     make([]int, p.atoms),
		hi:     make([]int, p.atoms),
		valued: make([]bool, len(p.rules)),
	}
	for i := range m.tables {
		if i != nowhere {
			rel, _ := p.relationOf(i)
			m.tables[i] = table{arity: rel.arity, patterns: rel.patterns}
		}
		m.pos[i], m.neg[i] = &m.tables[i], &m.tables[i]
	}
	return m
}

// Clone returns a machine for the same program and bounds, for use in another
// goroutine.
func (m *Machine) Clone() *Machine {
	env, _ := schedules.NewEnvironment(m.bounds, rounds.Schedule{}) // the bounds were valid for m
	return newMachine(m.program, m.values.clone(), env)
}
