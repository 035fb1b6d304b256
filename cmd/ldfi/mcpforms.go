package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/assistant"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// instructions are the text for assistants about all tools.
const instructions = `ldfi decides which faults (crashes, lost messages, isolations) make a distributed protocol break its promise. Protocols are files in Dedalus
(*.ded, Datalog in time) with their bounds in a comment (// ldfi: processes=a,b,c eot=6 eff=3 crashes=1); systems in Go are cases of ldfi.yaml. All names of files are
relative to the directory of the server, which reads only what is in it and writes nothing. Answers are computed, and each fault set that is reported was executed:
verdict holds means that no schedule within the bounds breaks the promise, violated that the faults named do, inconclusive that a limit came first.
Faults are written as in 'crash a@2; omit a>c@1; isolate b@2..4' (process@round, sender>receiver@round), facts as in 'post(c, "hello")@6' (the round may be left out, _ is anything).
Begin with run; ask why, diff or inject about the faults that it reports; whatif and hypotheses say what else could happen. A protocol is changed by editing its file, and asked again.`

// form describes a tool: its command and its parameters.
type form struct {
	command, title, about string
	asked                 []assistant.Parameter // in place of files or a case; nil: files or a case
	fact                  bool                  // a fact follows the files
	names                 []string              // of further flags

	flags  *pflag.FlagSet // of the command
	bounds []string       // that it takes
}

// forms are all tools, in the order in which they are needed.
var forms = []form{
	{command: "run", title: "Decide a promise", names: []string{"max", "margin", "repairs", "executions"},
		about: "Decides whether some schedule of faults within the bounds breaks the promise of a protocol. Gives the verdict (holds, violated, inconclusive), a smallest set of faults and the reason. Executes that set, and shows what happens."},
	{command: "why", title: "Explain a fact", fact: true, names: []string{"faults", "depth"},
		about: "Explains why a fact holds under a schedule of faults, or why it does not: its derivation as a tree, or the rules that could have given it and what each lacked, down to the lost messages."},
	{command: "whatif", title: "Find faults that make a fact appear or vanish", fact: true, names: []string{"absent", "require", "forbid", "max", "executions"},
		about: "Finds the smallest set of faults within the bounds that makes a fact appear, or vanish if absent is given, and executes it."},
	{command: "hypotheses", title: "List fault sets", names: []string{"require", "forbid", "cost", "size", "group", "max", "executions"},
		about: "Lists the fault sets that break the promise and need each of their faults, smallest first, under assumptions about faults and facts. Counts the sets that it does not list. If the assumptions leave none, it names those that conflict."},
	{command: "inject", title: "Execute a schedule", names: []string{"faults"},
		about: "Executes a protocol once, under the faults given, and says whether the promise is kept and what happens: all messages and facts."},
	{command: "diff", title: "Compare two executions", names: []string{"faults", "against", "executions"},
		about: "Compares a broken execution with a good one: names the first fact that is missing, what follows from it up to the broken promise, and what each fault does. Without faults it compares the smallest set that breaks the promise with no faults."},
	{command: "query", title: "Query recordings", about: "Evaluates Mangle (Datalog) rules over recorded executions, and gives the facts that they derive.", asked: []assistant.Parameter{
		{Name: "recordings", Kind: assistant.Texts, Required: true, Description: "files with recordings, as ldfi run or inject --output json write them"},
		{Name: "rules", Kind: assistant.Texts, Required: true, Description: "rules such as 'late(P, V, R) :- log(P, V, R), R > 2'. They read the relations of the program with the round as a last column, and " + strings.Join(strings.Fields(signatures()), " ")}}},
}

// of completes a form from the flags of its command.
func (f form) of(cmd *cobra.Command, d *toolServer) form {
	f.flags = cmd.Flags()
	if d.hosts == nil {
		f.names = slices.DeleteFunc(slices.Clone(f.names), func(name string) bool { return name == "executions" })
	}
	if f.asked != nil {
		return f
	}
	var all pflag.FlagSet
	addBounds(&all)
	if d.hosts != nil {
		new(question).addFaults(&all) // which only systems have
	}
	all.SortFlags = false
	all.VisitAll(func(b *pflag.Flag) {
		if b.Name != "bounds" && f.takes(b.Name) { // a parameter of this name has them all
			f.bounds = append(f.bounds, b.Name)
		}
	})
	return f
}

// takes tells whether the command has a flag that it does not refuse.
func (f *form) takes(name string) bool {
	flag := f.flags.Lookup(name)
	return flag != nil && !flag.Hidden
}

// parameters are the parameters of a call.
func (f *form) parameters() []assistant.Parameter {
	all := slices.Clone(f.asked)
	if f.asked == nil {
		all = append(all, assistant.Parameter{Name: "files", Kind: assistant.Texts, Description: "the files of one protocol, such as [\"broadcast.ded\"]; or give a case"},
			assistant.Parameter{Name: "case", Description: "the name of a case of ldfi.yaml, in place of files; one with a system needs a server that was started with --allow-hosts"})
	}
	if f.fact {
		all = append(all, assistant.Parameter{Name: "fact", Required: true, Description: "the fact, such as 'post(c, \"hello\")@6'; a bare word is a string, _ is anything, and the round may be left out"})
	}
	for _, name := range f.names {
		all = append(all, f.parameter(name))
	}
	if f.asked == nil {
		bounds := assistant.Parameter{Name: "bounds", Kind: assistant.Group, Description: "bounds in place of those in the program or the case"}
		for _, name := range f.bounds {
			b := f.parameter(name)
			b.Kind = assistant.Either
			bounds.Members = append(bounds.Members, b)
		}
		all = append(all, bounds)
	}
	return append(all, assistant.Parameter{Name: "timeout", Description: "stop after this time, such as 10s; the answer may then be inconclusive"})
}

// parameter is a flag of the command.
func (f *form) parameter(name string) assistant.Parameter {
	flag := f.flags.Lookup(name)
	_, usage := pflag.UnquoteUsage(flag)
	kinds := map[string]assistant.Kind{"int": assistant.Number, "bool": assistant.Truth, "stringArray": assistant.Texts}
	return assistant.Parameter{Name: name, Kind: kinds[flag.Value.Type()], Description: strings.TrimSuffix(usage, " (repeatable)")}
}

// line is the command line of a call. No value in it is taken for a flag.
func (f *form) line(d *toolServer, given assistant.Arguments) ([]string, error) {
	line := []string{f.command, "--output=json"}
	words := slices.Concat(given["recordings"], given["rules"])
	system := f.asked != nil
	if f.asked == nil {
		flags, files, err := f.subject(d, given)
		if err != nil {
			return nil, err
		}
		line, words, system = append(line, flags...), files, len(files) == 0
	}
	limits, err := d.limits(given, system)
	if err != nil {
		return nil, err
	}
	line = append(line, limits...)
	for _, name := range slices.Concat(f.names, f.bounds) {
		for _, value := range given[name] {
			line = append(line, "--"+name+"="+value)
		}
	}
	if f.fact {
		words = append(words, given.Text("fact"))
	}
	return slices.Concat(line, []string{"--"}, words), nil
}

// subject is the subject of a call: files, or also the flags of a case.
func (f *form) subject(d *toolServer, given assistant.Arguments) (flags, files []string, err error) {
	_, named := given["case"]
	switch {
	case named && len(given["files"]) > 0:
		return nil, nil, errors.New("files and case: there can be one of these")
	case !named && len(given["files"]) == 0:
		return nil, nil, errors.New("a question is about files, or about a case of ldfi.yaml: give one of these")
	case !named:
		return nil, given["files"], nil
	}
	c, err := d.find(given.Text("case"))
	if err != nil {
		return nil, nil, err
	}
	if p := c.Subject.AsProtocol(); p != nil {
		files = slices.Clone(p.Files)
	}
	return f.caseFlags(c), files, nil
}

// find returns a case of the suite, if the tools may ask about it.
func (d *toolServer) find(name string) (*suite.Case, error) {
	all, err := suite.ReadFS(d.dir, suite.FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s in this directory, of which %q could be a case: ask about files", suite.FileName, name)
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for i, c := range all.Cases {
		names = append(names, c.Name)
		if c.Name == name {
			return &all.Cases[i], d.may(&c)
		}
	}
	return nil, fmt.Errorf("there is no case %q in %s%s; it has %s", name, suite.FileName, text.DidYouMean(name, names), text.List(names, "and"))
}

// may reports why the tools cannot ask about a case.
func (d *toolServer) may(c *suite.Case) error {
	s := c.Subject.AsSystem()
	switch {
	case s == nil || d.hosts[s.Command]:
		return nil
	case d.hosts == nil:
		return fmt.Errorf("the case %q starts a host by the command %q, and this server may not start hosts: a person has to start it as ldfi mcp --allow-hosts", c.Name, s.Command)
	default:
		return fmt.Errorf("the case %q starts a host by the command %q, which was not in %s when this server was started: a person who wants that has to start it again", c.Name, s.Command, suite.FileName)
	}
}

// caseFlags are the flags of a case that the command takes.
func (f *form) caseFlags(c *suite.Case) (line []string) {
	add := func(name, value string, given bool) {
		if given && f.takes(name) {
			line = append(line, "--"+name+"="+value)
		}
	}
	if s := c.Subject.AsSystem(); s != nil {
		add("system", s.Command, true)
		add("name", s.Name, s.Name != "")
		for _, file := range s.Properties {
			add("property", file, f.command != "why") // which is about a fact
		}
		add("strategy", s.Strategy, s.Strategy != "")
		add("executions", fmt.Sprint(s.Executions), s.Executions != 0)
		add("seed", fmt.Sprint(s.Seed), s.Seed != 0)
		add("goroutine-orders", "true", s.GoroutineOrders)
		add("call-timeout", s.CallTimeout.String(), s.CallTimeout != 0)
	}
	bounds := c.Subject.Shared().Bounds
	for _, name := range slices.Sorted(maps.Keys(bounds)) {
		add(name, bounds[name], true)
	}
	return line
}
