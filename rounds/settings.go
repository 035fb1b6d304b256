package rounds

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// unlimitedText is how a setting writes Unlimited.
const unlimitedText = "unlimited"

// exampleComment shows how a program states its bounds.
const exampleComment = "// ldfi: processes=a,b,c eot=6 eff=3 crashes=1"

// settingKeys are the keys that BoundsFrom knows.
var settingKeys = []string{"processes", "eot", "eff", "crashes", "omissions", "isolations", "period", "crash", "goals"}

// BoundsFrom reads bounds from the settings of a program, each of which an
// override of the same key replaces (those come from flags, without the
// dashes). It also returns the setting goals, empty if there is none. The error
// lists everything that is wrong. The keys are processes, eot, eff, crashes,
// omissions, isolations, period, crash (mute or stop) and goals; a budget may be
// "unlimited".
//
// A setting of an included file counts only if none of the files given has it.
func BoundsFrom(settings []dedalus.Setting, overrides map[string]string) (b Bounds, goals string, err error) {
	r := &settingReader{chosen: map[string]value{}}
	r.choose(settings, overrides)
	if len(r.problems) == 0 && !r.has("processes") && !r.has("eot") {
		return Bounds{}, "", fmt.Errorf("no bounds: say who takes part and for how many rounds, in a comment of the program such as\n  %s\nor with --processes and --eot", exampleComment)
	}
	b = r.bounds()
	if err := errors.Join(r.problems...); err != nil {
		return Bounds{}, "", err
	}
	if err := b.Validate(); err != nil {
		return Bounds{}, "", fmt.Errorf("bounds: %w", err)
	}
	return b, r.chosen["goals"].text, nil
}

// value is the text of a setting and where it comes from.
type value struct {
	text     string
	from     string // "file:line:col" or "--flag"
	included bool
}

// settingReader picks one value for each key and reads it, noting problems.
type settingReader struct {
	chosen   map[string]value
	problems []error
}

func (r *settingReader) problem(from, format string, args ...any) {
	r.problems = append(r.problems, fmt.Errorf("%s: %s", from, fmt.Sprintf(format, args...)))
}

func (r *settingReader) has(key string) bool {
	_, ok := r.chosen[key]
	return ok
}

// choose picks the value of each key that counts.
func (r *settingReader) choose(settings []dedalus.Setting, overrides map[string]string) {
	for _, s := range settings {
		v := value{s.Value, s.Position.String(), s.Included}
		if !slices.Contains(settingKeys, s.Key) {
			r.problem(v.from, "there is no setting %q%s; the settings are %s", s.Key, didYouMean(s.Key, settingKeys), strings.Join(settingKeys, ", "))
			continue
		}
		old, ok := r.chosen[s.Key]
		_, overridden := overrides[s.Key]
		switch {
		case !ok || old.included && !v.included:
			r.chosen[s.Key] = v
		case old.included == v.included && old.text != v.text && !overridden:
			r.problem(v.from, "%s=%s, and %s says %s=%s; keep one of them", s.Key, v.text, old.from, s.Key, old.text)
		}
	}
	for _, key := range settingKeys {
		if text, ok := overrides[key]; ok {
			r.chosen[key] = value{text: text, from: "--" + key}
		}
	}
}

// bounds reads the chosen values.
func (r *settingReader) bounds() Bounds {
	b := Bounds{
		Processes:  r.names("processes"),
		EOT:        r.number("eot"),
		EFF:        r.number("eff"),
		Crashes:    r.budget("crashes"),
		Omissions:  r.budget("omissions"),
		Isolations: r.budget("isolations"),
		Period:     r.number("period"),
	}
	if v, ok := r.chosen["crash"]; ok {
		b.CrashStop = v.text == "stop"
		if v.text != "stop" && v.text != "mute" {
			r.problem(v.from, "crash=%s: a crash is mute (it sends nothing more) or stop (it does nothing more)", v.text)
		}
	}
	return b
}

// names reads a list of process names.
func (r *settingReader) names(key string) []string {
	v, ok := r.chosen[key]
	if !ok {
		return nil
	}
	var names []string
	for _, name := range strings.Split(v.text, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// number reads a number that is 0 or more, 0 if it is not set.
func (r *settingReader) number(key string) int {
	v, ok := r.chosen[key]
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(v.text)
	if err != nil || n < 0 {
		r.problem(v.from, "%s=%s: expected a whole number, 0 or more", key, v.text)
		return 0
	}
	return n
}

// budget reads a number of faults, which may be unlimited.
func (r *settingReader) budget(key string) int {
	if r.chosen[key].text == unlimitedText {
		return Unlimited
	}
	return r.number(key)
}

// didYouMean returns `, did you mean "word"?` if one of the candidates is close.
func didYouMean(word string, candidates []string) string {
	return ""
}
