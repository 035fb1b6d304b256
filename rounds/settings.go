package rounds

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// settingKeys are the keys of the settings that BoundsOf reads.
var settingKeys = slices.Concat(
	[]string{"processes", "eot", "eff", fromKey},
	budgetKeys(func(k Kind) bool { return k.OfPrograms() && k != Restart && k != Choose }),
	[]string{maxDelayKey, kindsKey, "period", phaseKey, atKey, "crash", neverCrashKey, reliableKey, deliverKey, kernelKey, ownKey, withinKey, "goals"},
	[]string{Restart.Setting(), durableKey, joinKey, Choose.Setting()})

// budgetKeys returns the settings of the kinds of fault for which that is true.
func budgetKeys(of func(Kind) bool) (keys []string) {
	for _, k := range spoken {
		if of(k) {
			keys = append(keys, k.Setting())
		}
	}
	return keys
}

// SettingKeys returns the keys that BoundsOf and BoundsFrom both read, and those that
// only BoundsFrom reads.
func SettingKeys() (settings, systems []string) {
	return slices.Clone(settingKeys), slices.Clone(systemKeys)
}

// systemKeys are the keys that BoundsFrom reads besides: a Dedalus program has
// no such faults.
var systemKeys = append(budgetKeys(func(k Kind) bool { return !k.OfPrograms() }), maxJumpKey)

// answers are settings of a program that are no bounds: each answers a question of ldfi vet,
// in one way.
var answers = map[string]string{"crashed": "counts", "absence": "meant"}

// The keys of how far a clock jumps, and of how late a message comes.
const (
	maxJumpKey  = "max-jump"
	maxDelayKey = "max-delay"
)

// BoundsOf reads bounds from the settings of a program, as in
//
//	// ldfi: processes=a,b,c eot=6 eff=3 crashes=1
//
// The keys are processes, eot, eff, from, the budgets crashes, restarts, omissions,
// isolations, partitions, cuts, delays (with max-delay), duplicates and choices, kinds
// (of messages, or all), period, phase (the names of its rounds), at (phase), crash (mute or stop),
// never-crash (names), reliable (links such as a>b, *>m or m>*), deliver (n-f, n-1, a
// number or majority), kernel (yes), own (lost), within (a number of rounds, or least), goals, durable (names of relations)
// and join (d@5). A budget is a number or "unlimited". An override, which a flag of the
// same name gives, replaces the setting with its key. A setting of an included file
// counts only if none of the files given has its key. An eff without isolations,
// omissions, partitions and cuts implies any number of omissions, as in Molly.
//
// BoundsOf also returns the value of the setting goals, "" if there is none. The error
// joins everything that is wrong: a *specs.Error for each mistake in a file, and an
// *OverrideError for each wrong override.
func BoundsOf(p *dedalus.Program, overrides map[string]string) (b Bounds, goals string, err error) {
	r := &settingReader{program: p, keys: settingKeys, chosen: map[string]setting{}}
	if b, err = r.read(p.Settings, overrides); err != nil {
		return Bounds{}, "", err
	}
	if wrong := b.tooManyParted(); wrong != "" {
		r.fail(r.chosen[Partition.Setting()], "%s", wrong)
		return Bounds{}, "", r.err()
	}
	if b.EFF > 0 && b.At == "" && b.Omissions == 0 && b.Isolations == 0 && b.Partitions == 0 && b.Cuts == 0 && !r.has(Omit.Setting()) {
		b.Omissions, b.Implied = Unlimited, true
		for _, p := range b.fromProblems() {
			r.fail(r.chosen[p.key], "%s", p.message)
		}
	}
	if err := r.checkProgram(b); err != nil {
		return Bounds{}, "", err
	}
	if len(b.NeverCrash) == 0 {
		b.NeverCrash = nil
	}
	if b.From == 1 { // as without it: a program has no other
		b.From = 0
	}
	if b, err = r.declared(p, b); err != nil {
		return Bounds{}, "", err
	}
	if b.Kinds, err = b.KindsAmong(SentBy(p)); err != nil {
		r.fail(r.chosen[kindsKey], "%v", err)
		return Bounds{}, "", r.err()
	}
	if len(b.Durable) == 0 {
		b.Durable = nil
	}
	if len(b.Reliable) == 0 {
		b.Reliable = nil
	}
	return b, r.chosen["goals"].text, nil
}

// BoundsFrom reads the bounds of a system written in Go. The settings are those of
// BoundsOf, and the budgets pauses, fast-clocks, slow-clocks, jumps (with max-jump),
// failed-syncs, terminations and orders. An eff alone allows no omissions. The error joins an
// *OverrideError for each setting that is wrong.
func BoundsFrom(settings map[string]string) (Bounds, error) {
	r := &settingReader{keys: slices.Concat(settingKeys, systemKeys), chosen: map[string]setting{}}
	b, err := r.read(nil, settings)
	if r.has(Choose.Setting()) && b.Choices == 0 {
		b.Choose = []Choice{} // in place of what a system says
	}
	return b, err
}

// declared returns the bounds with the choices of the program. As many as there are
// can be made, unless a setting says otherwise.
func (r *settingReader) declared(p *dedalus.Program, b Bounds) (Bounds, error) {
	key := Choose.Setting()
	if s, ok := r.chosen[key]; ok && len(p.Choices) == 0 {
		r.fail(s, "%s=%s: the program has no choices, as in choose one coin(each, 0 | 1)@1;", key, s.text)
		return b, r.err()
	}
	b, err := b.Declared(p)
	if len(p.Choices) > 0 && !r.has(key) {
		b.Choices = Unlimited
	}
	return b, err
}

// read reads bounds from settings and what overrides them.
func (r *settingReader) read(settings []dedalus.Setting, overrides map[string]string) (Bounds, error) {
	r.choose(settings, overrides)
	if len(r.wrong) == 0 && !r.has("processes") && !r.has("eot") {
		return Bounds{}, noBounds(r.program)
	}
	b := r.bounds()
	r.validate(b)
	return b, r.err()
}

// OverrideError reports a mistake in one override.
type OverrideError struct{ Key, Message string }

func (e *OverrideError) Error() string { return fmt.Sprintf("--%s: %s", e.Key, e.Message) }

// noBounds says how bounds are given, for the processes that a program seems to have.
func noBounds(p *dedalus.Program) error {
	return fmt.Errorf(`no bounds: say who takes part, and for how many rounds, in a comment of the program such as
    // ldfi: processes=%s eot=6 eff=3 crashes=1
or with --processes and --eot`, cmp.Or(proposed(p), "a,b,c"))
}

// mostProposed is how many processes are proposed at most: more constants than these are
// probably something else.
const mostProposed = 16

// proposed returns the constants in the first columns of the facts of round 1, in their
// order; "" if there are none.
func proposed(p *dedalus.Program) string {
	if p == nil {
		return ""
	}
	var names []string
	for _, f := range p.Facts {
		if f.Round == 1 && len(f.Args) > 0 && f.Args[0].Text() != "" && !slices.Contains(names, f.Args[0].Text()) {
			names = append(names, f.Args[0].Text())
		}
	}
	if len(names) > mostProposed {
		return ""
	}
	return strings.Join(names, ",")
}

// setting is the text of a setting and where it stands.
type setting struct {
	text     string
	flag     string // the name of the flag, empty for a setting of a file
	at       specs.Position
	included bool
}

// settingReader picks the setting of each key that counts and reads it.
type settingReader struct {
	program *dedalus.Program
	keys    []string // that may be set
	chosen  map[string]setting
	wrong   []wrongSetting
}

// wrongSetting is something that is wrong with one setting.
type wrongSetting struct {
	setting
	message string
}

func (r *settingReader) fail(s setting, format string, args ...any) {
	r.wrong = append(r.wrong, wrongSetting{s, fmt.Sprintf(format, args...)})
}

// validate notes what is wrong with the bounds at the settings that it comes
// from, except for settings that could not even be read.
func (r *settingReader) validate(b Bounds) {
	unread := map[setting]bool{}
	for _, w := range r.wrong {
		unread[w.setting] = true
	}
	for _, p := range b.problems() {
		s, ok := r.chosen[p.key]
		switch {
		case !ok && (p.key == "processes" || p.key == "eot"):
			example := map[string]string{"processes": "processes=" + cmp.Or(proposed(r.program), "a,b,c"), "eot": "eot=6"}[p.key]
			r.fail(setting{}, `no %s: add %s to the "// ldfi:" comment, or give --%s`, p.key, example, p.key)
		case !unread[s]:
			r.fail(s, "%s", p.message)
		}
	}
}

// rank orders flags before settings of files, and those before missing ones.
func (s setting) rank() int {
	switch {
	case s.flag != "":
		return 0
	case s.at != specs.Position{}:
		return 1
	default:
		return 2
	}
}

// err returns everything that is wrong, flags first, then by place.
func (r *settingReader) err() error {
	slices.SortStableFunc(r.wrong, func(v, w wrongSetting) int {
		return cmp.Or(cmp.Compare(v.rank(), w.rank()), cmp.Compare(v.at.File, w.at.File),
			cmp.Compare(v.at.Line, w.at.Line), cmp.Compare(v.at.Column, w.at.Column))
	})
	var all []error
	for _, w := range r.wrong {
		switch {
		case w.flag != "":
			all = append(all, &OverrideError{w.flag, w.message})
		case w.at != specs.Position{}:
			all = append(all, &specs.Error{Position: w.at, Message: w.message, Excerpt: r.program.Excerpt(w.at)})
		default:
			all = append(all, errors.New(w.message))
		}
	}
	return errors.Join(all...)
}

func (r *settingReader) has(key string) bool {
	_, ok := r.chosen[key]
	return ok
}

// choose picks the setting of each key that counts.
func (r *settingReader) choose(settings []dedalus.Setting, overrides map[string]string) {
	for _, given := range settings {
		s := setting{text: given.Value, at: given.Position, included: given.Included}
		if says, ok := answers[given.Key]; ok {
			if given.Value != says {
				r.fail(s, "%s=%s: it can only be %s=%s, which answers a warning", given.Key, given.Value, given.Key, says)
			}
			continue
		}
		if !r.knows(given.Key, s) {
			continue
		}
		if _, ok := overrides[given.Key]; ok {
			continue
		}
		old, ok := r.chosen[given.Key]
		switch {
		case !ok || old.included && !s.included:
			r.chosen[given.Key] = s
		case old.included == s.included && old.text != s.text:
			r.fail(s, "%s=%s, but %s has %s=%s; keep one of the two", given.Key, s.text, old.at, given.Key, old.text)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(overrides)) {
		if s := (setting{text: overrides[key], flag: key}); r.knows(key, s) {
			r.chosen[key] = s
		}
	}
}

// knows tells whether a setting has one of the keys, and notes what is wrong
// with another one.
func (r *settingReader) knows(key string, s setting) bool {
	switch {
	case slices.Contains(r.keys, key):
		return true
	case slices.Contains(systemKeys, key):
		r.fail(s, "a Dedalus program has no %s; only systems written in Go do", key)
	default:
		r.fail(s, "there is no setting %q%s; the settings are %s", key, text.DidYouMean(key, r.keys), strings.Join(r.keys, ", "))
	}
	return false
}

// bounds reads the chosen settings.
func (r *settingReader) bounds() Bounds {
	b := Bounds{
		Processes: r.names("processes"),
		EOT:       r.number("eot"),
		EFF:       r.number("eff"),
		From:      r.number(fromKey),
		Period:    r.number("period"),
		MaxJump:   r.number(maxJumpKey),
		MaxDelay:  r.number(maxDelayKey),
	}
	b.NeverCrash, b.Reliable = r.assumed(neverCrashKey, b.Processes), r.assumed(reliableKey, nil)
	b.Deliver, b.Kernel, b.Within = r.chosen[deliverKey].text, r.chosen[kernelKey].text, r.chosen[withinKey].text
	b.Kinds = r.kinds()
	b.Durable, b.Joins = r.assumed(durableKey, nil), r.joins(b.Processes)
	b.Phase, b.At = r.names(phaseKey), r.chosen[atKey].text
	for _, k := range spoken {
		b.SetBudget(k, r.budget(k))
	}
	if s, ok := r.chosen["crash"]; ok {
		b.CrashStop = s.text == "stop"
		if s.text != "stop" && s.text != "mute" {
			r.fail(s, "crash=%s: expected mute (a crashed process sends nothing more) or stop (it does nothing more)", s.text)
		}
	}
	if s, ok := r.chosen[ownKey]; ok {
		b.OwnLost = s.text == ownLost
		if s.text != ownLost && s.text != "kept" {
			r.fail(s, "own=%s: expected kept (who is isolated receives what it sends itself) or lost", s.text)
		}
	}
	if s, ok := r.chosen["period"]; ok && s.text != "" && strings.Trim(s.text, "0") == "" {
		r.fail(s, "period=0: a phase has 1 round or more")
	}
	if s, ok := r.chosen[fromKey]; ok && s.text != "" && strings.Trim(s.text, "0") == "" {
		r.fail(s, "%s=0: faults begin in round 1 or later", fromKey)
	}
	if s, ok := r.chosen[maxJumpKey]; ok && s.text != "" && strings.Trim(s.text, "0") == "" {
		r.fail(s, "%s=0: a clock jumps by 1 round or more", maxJumpKey)
	}
	if s, ok := r.chosen[maxDelayKey]; ok && s.text != "" && strings.Trim(s.text, "0") == "" {
		r.fail(s, "%s=0: what comes late or twice does so by 1 round or more", maxDelayKey)
	}
	if r.has("eff") && b.EFF == 0 {
		b.EFF = 1 // no round is before either, and 0 would mean that there is no EFF
	}
	return b
}

// names reads a list of process names.
func (r *settingReader) names(key string) []string {
	s, ok := r.chosen[key]
	if !ok {
		return nil
	}
	names := strings.Split(s.text, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	return names
}

// assumed reads what is taken for granted: of the processes, or of links. The word
// none takes away what the program says.
func (r *settingReader) assumed(key string, processes []string) []string {
	if r.chosen[key].text == "none" && !slices.Contains(processes, "none") {
		return []string{} // of a system: in place of its own
	}
	return r.names(key)
}

// number reads a number, 0 if it is not set.
func (r *settingReader) number(key string) int {
	return r.count(key, "a whole number, 0 or more")
}

// budget reads how many faults of a kind there may be.
func (r *settingReader) budget(k Kind) int {
	key := k.Setting()
	if r.chosen[key].text == unlimitedText {
		return Unlimited
	}
	return r.count(key, "a whole number, 0 or more, or "+unlimitedText)
}

func (r *settingReader) count(key, expected string) int {
	s, ok := r.chosen[key]
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(s.text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		r.fail(s, "%s=%s: the number is too large", key, s.text)
	case err != nil || n < 0:
		r.fail(s, "%s=%s: expected %s", key, s.text, expected)
	default:
		return n
	}
	return 0
}
