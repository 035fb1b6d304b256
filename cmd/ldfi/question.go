package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// question has the flags of a question, about a protocol in files or a system that another
// program links.
type question struct {
	timeout            time.Duration
	maxFacts, maxGates int
	max                int // how many counterexamples
	size               int // of a fault set at most; 0: any number
	faultCosts         string
	fold               string // the way of grouping fault sets
	bare               bool   // no reasons and executions of fault sets are shown
	depth              int    // of explanations

	system     string
	name       string
	properties []string // files with rules
	guide      string   // a file with rules that decide faults
	hold       bool     // what leads to its waypoints stays unharmed
	strategy   string
	trace      bool          // the turns of a search by lineage are shown
	turns      protocolTrace // those reported so far
	executions int
	seed       uint64
	lists      bool // fault sets, also of a system

	callTimeout time.Duration

	anyRounds bool  // a program is asked about any number of rounds
	sizes     []int // and with so many processes, from and to; none: as many as it has

	solver string // the command of a SAT solver
	proof  string // the file for a proof

	certificate *solver.ProgramCertificate // with that proof; nil: no proof is wanted
	invariant   invariantFiles             // of a proof for any number of rounds

	goroutineOrders bool
	quiet           bool // nothing but the answer may be written
	statistics      bool
	workers         int // how many cores; 0: all
	crew            workerFlags
	parts           bool // of the question are handed out, and not it as a whole
}

// boundFlag is a flag that overrides a setting.
type boundFlag struct{ key, short, usage string }

// faultFlags returns the flags that limit the faults of the kinds for which that is true.
func faultFlags(of func(rounds.Kind) bool) (all []boundFlag) {
	for _, k := range rounds.Kinds() {
		if of(k) {
			all = append(all, boundFlag{k.Setting(), map[rounds.Kind]string{rounds.Crash: "c"}[k], k.Limit()})
		}
	}
	return all
}

// boundsFlags are the flags that override the settings in a program.
var boundsFlags = append(faultFlags(rounds.Kind.OfPrograms), []boundFlag{
	{"processes", "N", "the `names` of the processes: a,b,c"},
	{"eot", "t", "end of time: the number of `rounds`"},
	{"eff", "f", "end of finite failures: messages are lost only before this `round`"},
	{"from", "", "faults begin in this `round` or later"},
	{"max-delay", "", "what comes late or once more does so by at most `n` rounds (1 without it)"},
	{"kinds", "", "faults of links also hit messages of these `kinds` alone: Vote,App, or all"},
	{"period", "", "who is isolated, parted or cut off rejoins only after phases of `n` rounds"},
	{"phase", "", "the `names` of the rounds of a phase: Prepare,Ack; their number is the period"},
	{"at", "", "`when` faults begin: phase (all in the first round of one)"},
	{"crash", "", "`what` a crashed process does: mute (sends nothing) or stop (nor receives)"},
	{"never-crash", "", "the `processes` that never crash: m,n, or none"},
	{"reliable", "", "the `links` on which only crashes lose messages: '*>m,m>*', or none"},
	{"deliver", "", "the `number` each process hears from in each round: n-f, n-1, 3, majority or none"},
	{"kernel", "", "`whether` each round has a process that hears, and is heard by, all: yes or none"},
	{"durable", "", "the `relations` that survive a crash and restart: log,term, or none"},
	{"join", "", "the `processes` that take part only from a round on: d@5, or none"},
	{"own", "", "`whether` who is isolated receives what it sends itself: kept, or lost"},
	{"within", "", "pre implies post from so many `rounds` after the last fault: 3, least or none"},
	{"goals", "", "`which` tuples of pre count: every, or witnessed (in post without faults)"},
}...)

// boundsKeys are the names of the flags of bounds.
func boundsKeys() []string {
	names := make([]string, len(boundsFlags))
	for i, f := range boundsFlags {
		names[i] = f.key
	}
	return names
}

// addBounds adds the flags that override settings.
func addBounds(flags *pflag.FlagSet) {
	addBoundsText(flags)
	for _, f := range boundsFlags {
		flags.StringP(f.key, f.short, "", f.usage)
	}
}

// addProtocol adds the flags of a question about a protocol.
func (q *question) addProtocol(flags *pflag.FlagSet) {
	addBounds(flags)
	flags.DurationVar(&q.timeout, "timeout", 0, "stop after this `time` (for example 30s; 0: no limit), and say what is known")
	addMemory(flags, "")
	flags.IntVar(&q.maxFacts, "max-facts", limits.DefaultMaxFacts, "stop at more than `n` possible facts")
	flags.IntVar(&q.maxGates, "max-gates", limits.DefaultMaxGates, "stop at more than `n` gates")
}

// addMemory adds the flag that bounds the memory of evaluations; see [session.ending].
func addMemory(flags *pflag.FlagSet, shared string) {
	flags.Var(new(limits.MemorySize), "memory", "stop before facts take more than this `size` of memory: 4GB"+shared)
}

// addCost adds the flags for the cost of an answer.
func (q *question) addCost(flags *pflag.FlagSet, of string) {
	flags.IntVar(&q.workers, "workers", 0, "use at most `n` cores, all without it; the answer is the same")
	q.addStatistics(flags, of)
}

// addStatistics adds the flag for the statistics of an answer.
func (q *question) addStatistics(flags *pflag.FlagSet, of string) {
	flags.BoolVar(&q.statistics, "statistics", false, "say what the answer cost"+of)
}

// addCrew adds the flags for the workers, which may be on other machines.
func (q *question) addCrew(flags *pflag.FlagSet) {
	flags.Var(coresFlag{serverFlag{&q.crew}, &q.workers}, "workers", "use at most `n` cores; or, by its URL, the workers of a server (ldfi worker)")
	q.crew.addRecheck(flags)
}

// checkCost reports a number of cores that makes no sense.
func (q *question) checkCost(cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("workers"); f != nil && f.Changed && q.workers < 1 && q.crew.server == "" {
		return errUsage(cmd, fmt.Sprintf("--workers=%d: at least 1 is needed", q.workers))
	}
	return nil
}

// costs removes from an answer about a program the costs that differ between machines,
// unless they are wanted: only the times remain.
func (q *question) costs(s *result.Stats) {
	if q.system == "" && !q.statistics {
		*s = result.Stats{Executions: s.Executions, Times: s.Times}
	}
}

// addMax adds the flag for the number of counterexamples.
func (q *question) addMax(flags *pflag.FlagSet, most int, usage string) {
	flags.IntVar(&q.max, "max", most, usage)
}

// addSystem adds the flags that name a system instead of files.
func (q *question) addSystem(flags *pflag.FlagSet) {
	flags.StringVar(&q.system, "system", "", "the `command` that starts the program with a system, instead of files")
	flags.StringVar(&q.name, "name", "", "which `system` of that program, if it has several")
	flags.DurationVar(&q.callTimeout, "call-timeout", search.Patience, "try a call again that is not back after this `time`, with four times as much")
	flags.StringArrayVar(&q.properties, "property", nil, "a `file` with Mangle rules that the system has to satisfy as well (repeatable)")
}

// addGuide adds the flag that names a guide.
func (q *question) addGuide(flags *pflag.FlagSet) {
	flags.Var((*guideFile)(&q.guide), "guide", "a `file` with rules that decide faults during executions (docs/guide/scenarios.md)")
}

// guideFile is the name of the only guide.
type guideFile string

func (f *guideFile) String() string { return string(*f) }

func (f *guideFile) Type() string { return "string" }

// Set takes a name.
func (f *guideFile) Set(name string) error {
	if *f != "" && *f != guideFile(name) {
		return fmt.Errorf("%s is the guide already: write the rules of both into one file", *f)
	}
	*f = guideFile(name)
	return nil
}

// addHold adds the flag that holds waypoints.
func (q *question) addHold(flags *pflag.FlagSet) {
	flags.BoolVar(&q.hold, "hold", false, "of each waypoint of the guide that is reached leave a support unharmed")
}

// holds refuses to hold waypoints that nobody names.
func (q *question) holds(cmd *cobra.Command) error {
	if q.guide != "" {
		return nil
	}
	return refuse(cmd, "leaves unharmed what leads to the waypoints of a guide: name one with --guide", "hold")
}

// addAnyRounds adds the flag that asks about any number of rounds.
func (q *question) addAnyRounds(flags *pflag.FlagSet) {
	flags.BoolVar(&q.anyRounds, "any-rounds", false, "decide the promise of a program for any number of rounds")
}

// anyRoundsAlone refuses flags that do not go with a question about any number of rounds.
func (q *question) anyRoundsAlone(cmd *cobra.Command, flags ...string) error {
	if !q.anyRounds {
		return nil
	}
	return refuse(cmd, "does not go with --any-rounds, which has a proof of its own: leave out one of them", flags...)
}

// addSearch adds the flags that say how a system is searched.
func (q *question) addSearch(flags *pflag.FlagSet) {
	flags.StringVar(&q.strategy, "strategy", "", "search a system by this `strategy` (docs/guide/strategies.md)")
	flags.BoolVar(&q.goroutineOrders, "goroutine-orders", false, "draw the order in which goroutines of a process run, for each execution")
	q.addFaults(flags)
	q.addRuns(flags, 10_000, "execute a system at most `n` times")
}

// addFaults adds the bounds on faults that only systems have.
func (q *question) addFaults(flags *pflag.FlagSet) {
	for _, f := range faultFlags(func(k rounds.Kind) bool { return !k.OfPrograms() }) {
		flags.StringP(f.key, f.short, "", f.usage)
	}
	flags.String("max-jump", "", "a clock jumps by at most `n` rounds (1 without it)")
}

// addSolver adds the flag for an external SAT solver.
func (q *question) addSolver(flags *pflag.FlagSet) {
	flags.StringVar(&q.solver, "solver", "", "the `command` of a SAT solver in place of the one built in: 'cadical -q'")
}

// manyRuns is the default of --executions where systems are searched.
const manyRuns = "10000"

// addRuns adds the flags for executions of a system.
func (q *question) addRuns(flags *pflag.FlagSet, executions int, usage string) {
	flags.IntVar(&q.executions, "executions", executions, usage)
	flags.Uint64Var(&q.seed, "seed", 0, "the `seed` of what is drawn at random")
}

// needSubject is the check of the arguments of commands that ask about files or
// a system.
func (q *question) needSubject(cmd *cobra.Command, args []string) error {
	if q.system != "" && len(args) > 0 {
		return errUsage(cmd, fmt.Sprintf("--%s and the file %s: there can be one of these%s", ofHost(cmd), args[0], ofTheServer(cmd, args[0])))
	}
	if err := q.checkTrace(cmd); err != nil {
		return err
	}
	if err := q.checkCost(cmd); err != nil {
		return err
	}
	if err := checkKind(cmd, q.system != "", q.loops()...); err != nil || q.system != "" {
		return err
	}
	return needFiles("a program (FILE.ded), --system or --server; for Go tests there is ldfi test", 1)(cmd, args)
}

// ofHost returns the flag by which a system was named.
func ofHost(cmd *cobra.Command) string {
	for _, flag := range []string{"server", "maelstrom", "steps"} {
		if cmd.Flags().Changed(flag) {
			return flag
		}
	}
	return "system"
}

// hosted names what a command asks about, other than files of a protocol.
func hosted(cmd *cobra.Command) string {
	if cmd.Flags().Changed("system") && ofHost(cmd) == "system" {
		if _, is := subject.OfNodes(cmd.Flags().Lookup("system").Value.String()); is {
			return "a cluster"
		}
	}
	return "--" + ofHost(cmd)
}

// needFact is the check of the arguments of commands that ask about files or a system,
// and a fact.
func (q *question) needFact(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errUsage(cmd, cmd.CommandPath()+" needs a fact, and before it a file or --system")
	}
	if q.system == "" && len(args) == 1 {
		return errUsage(cmd, cmd.CommandPath()+" needs a file and a fact, or --system and a fact")
	}
	return q.needSubject(cmd, args[:len(args)-1])
}

// needSystem is the check of the arguments of commands that ask about a system alone.
func (q *question) needSystem(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return errUsage(cmd, fmt.Sprintf("%s asks about a system (--system), and not about the file %s", cmd.CommandPath(), args[0]))
	}
	if q.system == "" {
		return errUsage(cmd, cmd.CommandPath()+" needs --system, with the command that starts the program with a system")
	}
	return checkKind(cmd, true)
}

// tracer returns the function that receives the turns of a search, if they are shown; nil
// if not.
func (q *question) tracer() func(result.Step) {
	if !q.trace {
		return nil
	}
	return q.turns.tell
}

// loops returns the flags that apply to systems, and to a program that is decided by
// lineage; and those that apply to programs, and to a system whose fault sets are listed.
func (q *question) loops() []string {
	if q.lists {
		return []string{"max"}
	}
	var loops []string
	if q.strategy == byLineage {
		loops = append(loops, "strategy")
	}
	if q.crew.server != "" {
		loops = append(loops, "workers")
	}
	return loops
}

// subject returns the protocol or system of the question. Its work is shown in a line of
// progress.
func (q *question) subject(cmd *cobra.Command, s *session, files []string) subject.Subject {
	if q.system != "" {
		return q.ofSystem(cmd, s)
	}
	keys, _ := rounds.SettingKeys()
	about := &subject.Protocol{
		Common: q.common(cmd, s, keys), Files: files,
		MaxFacts: q.maxFacts, MaxGates: q.maxGates, Group: q.fold, Depth: q.depth, Workers: q.workers, Solver: q.solver,
		AnyRounds: q.anyRounds, Sizes: q.sizes,
	}
	about.Hands = q.crew.hands()
	if !q.quiet {
		about.Stages = s.progress.ways
	}
	if q.certificate != nil {
		about.Certifier = q.certificate
	}
	if q.invariant.file != "" {
		about.Certify = func(c *solver.Certificate) { q.invariant.found = c }
	}
	return about
}

// ofSystem returns the system of the question.
func (q *question) ofSystem(cmd *cobra.Command, s *session) subject.Subject {
	about := &subject.System{
		Common: q.common(cmd, s, slices.Concat(rounds.SettingKeys())), Command: q.system, Name: q.name, Properties: q.properties,
		Executions: q.executions, Seed: q.seed, GoroutineOrders: q.goroutineOrders, Statistics: q.statistics, CallTimeout: q.callTimeout,
	}
	if q.guide != "" && !cmd.Flags().Changed("executions") {
		about.Executions = 0 // as many as the guide asks for
	}
	if q.parts {
		about.Parts = q.crew.hands()
	} else {
		about.Hands = q.crew.hands()
	}
	if !q.quiet {
		about.Stderr = s.err
	}
	return about
}

// common returns the settings of both kinds of subjects, with the given bounds among keys.
func (q *question) common(cmd *cobra.Command, s *session, keys []string) subject.Common {
	c := subject.Common{
		Named: true, FS: s.disk, Bounds: overrides(cmd, keys), Strategy: q.strategy, Guide: q.guide, Hold: q.hold,
		Max: q.max, Size: q.size, Cost: q.faultCosts, Bare: q.bare, Trace: q.tracer(),
	}
	if !q.quiet {
		c.Progress = s.progress.line
	}
	return c
}

// ask opens the subject of a command, within the time of the question, and calls asking. It
// shows the current work meanwhile. The time begins after a host has been built: the time
// of building says nothing about the question, and has a limit of its own.
func (s *session) ask(cmd *cobra.Command, q *question, files []string, asking func(context.Context, *subject.Opened) error) error {
	first := q.timeout
	built := buildsFirst(cmd)
	if built {
		first = 0
	}
	ctx, cancel := withTimeout(cmd.Context(), first)
	defer cancel()
	s.progress.start(s.stderr)
	defer s.progress.stop()
	ctx, leave, err := s.hire(ctx, cmd, &q.crew)
	if err != nil {
		return err
	}
	defer leave()
	if q.system != "" {
		s.progress.line("starting the host")
		if subject.Builds(q.system) {
			s.progress.line(building + builtFirst(q.system))
		}
	}
	about := q.subject(cmd, s, files)
	if system := about.AsSystem(); system != nil && q.crew.hired != nil {
		system.Programs = &subject.Programs{}
		defer system.Programs.Close()
	}
	opened, err := about.Open(ctx)
	if err != nil && about.AsProtocol() != nil && s.disk == nil {
		return otherwise(cmd, files, err)
	}
	if err != nil {
		return err
	}
	defer opened.Close()
	if !built {
		return asking(ctx, opened)
	}
	s.progress.line("asking the host")
	ctx, cancelAsking := withTimeout(ctx, q.timeout)
	defer cancelAsking()
	return s.timed(ctx, func() error { return asking(ctx, opened) })
}

// warn writes warnings beside a result, below no line of progress.
func (s *session) warn(warnings []specs.Warning) {
	s.progress.stop()
	to := s.err
	if s.text != nil {
		to = s.text
	}
	for _, w := range warnings {
		fmt.Fprintln(to, w)
	}
}

// overrides returns the values of the given flags, among those names that the command has.
func overrides(cmd *cobra.Command, names []string) map[string]string {
	given := map[string]string{}
	for _, name := range names {
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
			given[name] = flag.Value.String()
		}
	}
	return given
}

// faults reads the --faults flag.
func faults(text string, o *subject.Opened) (rounds.Schedule, error) {
	return schedule("faults", text, o)
}

// schedule reads a flag that has a schedule.
func schedule(flag, text string, o *subject.Opened) (rounds.Schedule, error) {
	schedule, err := rounds.ParseSchedule(text)
	if err == nil {
		schedule = o.Spare(schedule)
		err = o.Fits(schedule)
	}
	if err != nil {
		return rounds.Schedule{}, fmt.Errorf("--%s: %w", flag, err)
	}
	return schedule, nil
}
