package bisect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// Input is the input of versions: the workload of a protocol, or the requests and settings
// of a system. Every version is searched with every input.
type Input struct {
	Name string // as the user names it

	protocol *subject.Input    // of a protocol
	system   string            // of a host: the name of the system, "" for any
	settings map[string]string // of a system
	seed     *uint64
}

// FactInputs returns files that state facts as inputs of a protocol. An input replaces the
// facts of a program in all relations of which some file states facts.
func FactInputs(paths []string) ([]Input, error) {
	var inputs []Input
	var instead []string
	names := ShortNames(paths)
	for i, file := range paths {
		relations, err := subject.InputRelations(file)
		if err != nil {
			return nil, err
		}
		instead = append(instead, relations...)
		inputs = append(inputs, Input{Name: names[i], protocol: &subject.Input{File: file}})
	}
	slices.Sort(instead)
	instead = slices.Compact(instead)
	for i := range inputs {
		inputs[i].protocol.Instead = instead
	}
	return inputs, distinct(inputs)
}

// SystemInputs reads inputs of a system, each of which is the name of a system of the host,
// which makes its own requests, or settings as key=value, or both: "writes crashes=1
// seed=7". The keys are those of the bounds, and seed.
func SystemInputs(texts []string) ([]Input, error) {
	protocols, systems := rounds.SettingKeys()
	keys := slices.Concat(protocols, systems)
	for _, o := range subject.OnlyOther(true) {
		keys = slices.DeleteFunc(keys, func(key string) bool { return key == o.Name })
	}
	var inputs []Input
	for _, settings := range texts {
		words := text.SettingWords(settings)
		in := Input{Name: strings.Join(words, " "), settings: map[string]string{}}
		for _, word := range words {
			if err := in.read(word, keys); err != nil {
				return nil, err
			}
		}
		if in.Name == "" {
			return nil, fmt.Errorf("an input is the name of a system of the host, or settings such as crashes=1; this one is empty")
		}
		inputs = append(inputs, in)
	}
	return inputs, distinct(inputs)
}

// read reads a word of an input of a system.
func (in *Input) read(word string, keys []string) error {
	key, value, isSetting := strings.Cut(word, "=")
	switch {
	case !isSetting && in.system == "":
		in.system = word
	case !isSetting:
		return fmt.Errorf("the input %q names two systems, %s and %s: an input is one, with settings such as crashes=1", in.Name, in.system, word)
	case value == "" || in.settings[key] != "" || key == "seed" && in.seed != nil:
		return fmt.Errorf("the input %q: %s is not key=value, once for each key", in.Name, word)
	case key == "seed":
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("the input %q: the seed %s is no number from 0 on", in.Name, value)
		}
		in.seed = &seed
	case !slices.Contains(keys, key):
		return fmt.Errorf("the input %q: there is no setting %s; the settings are %s and seed", in.Name, key, strings.Join(keys, ", "))
	default:
		in.settings[key] = value
	}
	return nil
}

// distinct refuses inputs with equal names.
func distinct(inputs []Input) error {
	for i, in := range inputs {
		if slices.ContainsFunc(inputs[:i], func(other Input) bool { return other.Name == in.Name }) {
			return fmt.Errorf("the input %s is given twice", in.Name)
		}
	}
	return nil
}

// ask makes a question one with this input.
func (in *Input) ask(about subject.Subject) {
	if p := about.AsProtocol(); p != nil {
		p.Input = in.protocol
	}
	if s := about.AsSystem(); s != nil {
		s.Name = cmp.Or(in.system, s.Name)
		if in.seed != nil {
			s.Seed = *in.seed
		}
	}
	common := about.Shared()
	if len(in.settings) > 0 {
		bounds := maps.Clone(common.Bounds)
		if bounds == nil {
			bounds = map[string]string{}
		}
		maps.Copy(bounds, in.settings)
		common.Bounds = bounds
	}
}

// NamesSystems tells whether some input names a system of the host.
func NamesSystems(inputs []Input) bool {
	return slices.ContainsFunc(inputs, func(in Input) bool { return in.system != "" })
}
