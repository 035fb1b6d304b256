package subject

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// InjectCommand returns the command line that executes a schedule.
func (s *Protocol) InjectCommand(schedule rounds.Schedule) string { return s.inject(nil, schedule) }

// inject is InjectCommand with further words.
func (s *Protocol) inject(more []string, schedule rounds.Schedule) string {
	keys, _ := rounds.SettingKeys()
	words := append([]string{"ldfi", "inject"}, s.fileWords()...)
	words = append(append(words, s.boundsWords(keys)...), more...)
	return text.ShellJoin(withFaults(words, schedule)...)
}

// InjectWithin is InjectCommand for an execution within bounds: of a question about any number of
// rounds, the command says how many there are.
func InjectWithin(about Subject, b rounds.Bounds, schedule rounds.Schedule) string {
	if p := about.AsProtocol(); p != nil {
		return p.within(b).InjectCommand(schedule)
	}
	return about.InjectCommand(schedule)
}

// Again returns the function that gives the command line by which a schedule of an answer is
// executed again, which is otherwise that of another function. Bad states of a guide are
// entered beside it.
func Again(about Subject, a *result.Answer, otherwise func(rounds.Schedule) string) func(rounds.Schedule) string {
	return func(s rounds.Schedule) string {
		for i := range a.Counterexamples {
			c := &a.Counterexamples[i]
			if !a.OfGuide(c) || c.Beside == nil || c.Schedule.String() != s.String() {
				continue
			}
			if p := about.AsProtocol(); p != nil {
				return p.within(a.Scope.Bounds).inject([]string{"--guide", p.path(p.Guide)}, *c.Beside)
			}
			system := about.AsSystem()
			return system.inject([]string{"--guide", system.Guide}, *c.Beside)
		}
		return otherwise(s)
	}
}

// within returns the question about the rounds of some bounds, in place of one about any number.
func (s *Protocol) within(b rounds.Bounds) *Protocol {
	if !s.AnyRounds && b.Within == "" {
		return s
	}
	bounded, eot := *s, strconv.Itoa(b.EOT)
	bounded.AnyRounds, bounded.Sizes, bounded.Bounds = false, nil, map[string]string{}
	maps.Copy(bounded.Bounds, s.Bounds)
	bounded.Bounds["eot"] = eot
	if b.Within != "" {
		bounded.Bounds["within"] = "none"
	}
	if len(s.Sizes) > 0 {
		bounded.Bounds["processes"] = strings.Join(b.Processes, ",")
	}
	if b.Omissions != 0 || b.Isolations != 0 {
		bounded.Bounds["eff"] = eot // later losses do not count
	}
	return &bounded
}

// InjectCommand returns the command line that executes a schedule within the same bounds.
func (s *System) InjectCommand(schedule rounds.Schedule) string { return s.inject(nil, schedule) }

// inject is InjectCommand with further words.
func (s *System) inject(more []string, schedule rounds.Schedule) string {
	words, behind := s.systemWords()
	words = append([]string{"ldfi", "inject"}, words...)
	if s.Name != "" {
		words = append(words, "--name", s.Name)
	}
	for _, file := range s.Properties {
		words = append(words, "--property", file)
	}
	if s.CallTimeout != 0 && s.CallTimeout != search.Patience {
		words = append(words, "--call-timeout", s.CallTimeout.String())
	}
	words = append(words, s.boundsWords(slices.Concat(rounds.SettingKeys()))...)
	words = append(words, more...)
	words = append(withFaults(words, schedule), behind...)
	command := text.ShellJoin(words...)
	if s.Dir != "" && s.Dir != "." {
		command = text.ShellJoin("cd", s.Dir) + " && " + command
	}
	return command
}

// systemWords returns the flags that name a system: --system, or --server where the host
// is ldfi itself. What goes behind all other words is in behind.
func (s *System) systemWords() (flags, behind []string) {
	words, is := OfNodes(s.Command)
	if !is {
		return []string{"--system", s.Command}, nil
	}
	const flag = "--built" // which is none for users
	for i := slices.Index(words, flag); i >= 0 && i+1 < len(words); i = slices.Index(words, flag) {
		words = slices.Delete(words, i, i+2)
	}
	if i := slices.Index(words, "--"); i >= 0 {
		return words[:i], words[i:]
	}
	return words, nil
}

// NodesCommand is the command of ldfi that is the host of programs, each node of which is a
// process of its own.
const NodesCommand = "nodes"

// OfNodes returns the words behind the command, if that starts such a host.
func OfNodes(command string) (words []string, is bool) {
	words, err := text.ShellSplit(command)
	if err != nil || len(words) < 2 || words[0] != "ldfi" || words[1] != NodesCommand {
		return nil, false
	}
	return words[2:], true
}

// hosted returns the command that starts the host. One of nodes is told how many rounds there
// are, of which the last rounds, and what clients of Maelstrom ask, are a part.
func (s *System) hosted() string {
	words, is := OfNodes(s.Command)
	eot := s.Bounds["eot"]
	if !is || eot == "" {
		return s.Command
	}
	return text.ShellJoin(append([]string{"ldfi", NodesCommand, "--rounds", eot}, words...)...)
}

// Cluster returns the command that starts the host of the cluster in a file, if the name of
// the file is one of a cluster.
func Cluster(file string) (command string, is bool) {
	ext := filepath.Ext(file)
	return text.ShellJoin("ldfi", NodesCommand, file), ext == ".yaml" || ext == ".yml"
}

func withFaults(words []string, schedule rounds.Schedule) []string {
	if s := schedule.String(); s != "" {
		words = append(words, "--faults", s)
	}
	return words
}

// asking returns the start of a command line about a schedule of a protocol, with the
// bounds that the command takes and that are not in without.
func (s *Protocol) asking(command string, without ...string) string {
	words := append([]string{"ldfi", command}, s.fileWords()...)
	keys, _ := rounds.SettingKeys()
	keys = slices.DeleteFunc(keys, func(key string) bool { return slices.Contains(without, key) })
	return text.ShellJoin(append(words, s.boundsWords(keys)...)...)
}

// ended ends a command line that asks about a schedule.
func ended(command, fact string, schedule rounds.Schedule) string {
	if fact != "" {
		command += " " + text.ShellQuote(fact)
	}
	if s := schedule.String(); s != "" {
		command += " --faults " + text.ShellQuote(s)
	}
	return command
}

// OfSearches are the bounds that say which schedules there are. An explanation, which is
// about one schedule, does without them.
func OfSearches() []string {
	keys := []string{"eff", "from", "max-delay", "kinds", "period", "at", "goals"}
	for _, k := range rounds.Kinds() {
		if k.OfPrograms() {
			keys = append(keys, k.Setting())
		}
	}
	return keys
}

// DiffCommand returns the command line that compares two versions of a protocol under a
// schedule.
func (p *OpenedProtocol) DiffCommand(other *OpenedProtocol, schedule rounds.Schedule) string {
	words := append([]string{"ldfi", "diff"}, p.question.fileWords()...)
	for _, file := range other.question.fileWords() {
		words = append(words, "--with", file)
	}
	keys, _ := rounds.SettingKeys()
	words = append(words, p.question.boundsWords(keys)...)
	return text.ShellJoin(append(words, "--faults", schedule.String())...)
}

// fileWords are the files of a protocol, none of which is a flag.
func (s *Protocol) fileWords() []string {
	var words []string
	for _, file := range s.paths(s.Files) {
		if strings.HasPrefix(file, "-") {
			file = "./" + file
		}
		words = append(words, file)
	}
	return words
}

func (c *Common) boundsWords(keys []string) []string {
	var words []string
	for _, key := range keys {
		if value, ok := c.Bounds[key]; ok {
			words = append(words, "--"+key, value)
		}
	}
	return words
}
