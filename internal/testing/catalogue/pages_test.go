package catalogue_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	page  = root + "docs/catalogue.md"
	pages = root + "docs/catalogue/"
)

// The pages say what the rows and ldfi say. Those of large rows are looked at with -long or
// -update.
func TestPages(t *testing.T) {
	c := rows(t)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	equal(t, page, replace(t, replace(t, replace(t, string(text), "answer", c.answer()), "table", c.table(t)), "outside", c.outside()))
	known := map[string]bool{tables: true}
	for _, r := range c.Rows {
		name := r.Name + ".md"
		known[name] = true
		if large[r.Name] && !*long && !*update {
			continue
		}
		equal(t, pages+name, r.page(t))
	}
	files, err := filepath.Glob(pages + "*.md")
	require.NoError(t, err)
	for _, file := range files {
		require.True(t, known[filepath.Base(file)], "%s has no row in %s", file, rowsFile)
	}
}

// equal compares a page with what it should be, or writes it.
func equal(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
	}
	is, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, want, string(is), "%s: run go test ./internal/testing/catalogue -update", file)
}

// replace puts a text into a page between two comments.
func replace(t *testing.T, page, name, text string) string {
	t.Helper()
	before, rest, ok := strings.Cut(page, "<!-- "+name+" -->\n")
	require.True(t, ok, "there is no <!-- %s -->", name)
	_, after, ok := strings.Cut(rest, "<!-- end -->\n")
	require.True(t, ok, "%s has no end", name)
	return before + "<!-- " + name + " -->\n" + text + "<!-- end -->\n" + after
}

// answer is the first sentence.
func (c *catalogue) answer() string {
	n, other := 0, []string{}
	for _, r := range c.Rows {
		if r.suffices() {
			n++
		} else {
			other = append(other, fmt.Sprintf("[%s](catalogue/%s.md) needs %s", r.Title, r.Name, r.Uniform.Needs))
		}
	}
	return fmt.Sprintf("Uniform isolations suffice for %d of %d published bugs: %s.\n", n, len(c.Rows), strings.Join(other, "; "))
}

// table has a line for each bug, by kind of system.
func (c *catalogue) table(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| kind of system | bug | what breaks | smallest fault set | scenarios | published cost | uniform isolations |\n|---|---|---|---|---|---|---|\n")
	byKind := slices.SortedStableFunc(slices.Values(c.Rows), func(a, b *row) int { return strings.Compare(a.Kind, b.Kind) })
	for _, r := range byKind {
		set, scenarios := "", ""
		if r.Run != "" {
			a := ask(t, r.Run)
			set, scenarios = brief(a.Counterexamples[0].Schedule, r.Faults), a.scenarios()
		} else if r.System.hosted() {
			set = brief(r.System.faults(t), r.Faults)
		}
		fmt.Fprintf(&b, "| %s | [%s](catalogue/%s.md) | %s | %s | %s | %s | %s |\n",
			r.Kind, r.Title, r.Name, r.Breaks, set, scenarios, r.Short, r.Uniform)
	}
	return b.String()
}

// brief returns a fault set that fits into a table.
func brief(schedule string, faults int) string {
	if schedule == "" {
		return "none"
	}
	if faults > 4 {
		return fmt.Sprintf("%d faults", faults)
	}
	return fmt.Sprintf("`%s`", schedule)
}

// scenarios returns how many were decided, as ldfi says it.
func (a *answer) scenarios() string {
	_, n, _ := strings.Cut(a.Scope.Text, ": ")
	return strings.TrimSuffix(strings.TrimSuffix(n, " scenarios"), " scenario")
}

// String says in a few words whether uniform isolations suffice.
func (u uniform) String() string {
	switch {
	case u.Needs != "":
		return "no: " + u.Needs
	case u.D == 0:
		return "none is needed"
	default:
		return fmt.Sprintf("d=%d, k=%d", u.D, u.K)
	}
}

// outside has a line for each row that is not in the table.
func (c *catalogue) outside() string {
	var b strings.Builder
	b.WriteString("| source | what | why |\n|---|---|---|\n")
	for _, o := range c.Outside {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", o.Source, o.What, o.Why)
	}
	return b.String()
}

// page tells one bug.
func (r *row) page(t *testing.T) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n<!-- Written by go test ./internal/testing/catalogue -update from %s. -->\n\n", r.Title, rowsFile)
	say := func(what, text string) {
		if text != "" {
			fmt.Fprintf(&b, "- **%s**: %s\n", what, text)
		}
	}
	say("Source", r.Source)
	say("Kind of system", r.Kind)
	say("What breaks", r.Breaks)
	say("Published trigger", r.Trigger)
	say("Published cost", r.Cost)
	if r.Run != "" {
		a := ask(t, r.Run)
		say("Smallest fault set", fmt.Sprintf("%s; %s", found(t, a), a.Scope.Text))
		for _, v := range r.Also {
			say(strings.ToUpper(v.Note[:1])+v.Note[1:], fmt.Sprintf("%s (`ldfi run %s`)", found(t, ask(t, v.Run)), v.Run))
		}
		say("The fix", strings.TrimPrefix(fmt.Sprintf("%s; it holds: %s", r.Fix, ask(t, r.Fixed).Scope.Text), "; "))
	}
	if r.System.hosted() {
		say("Smallest fault set", fmt.Sprintf("`%s`, %s, the smallest that was found; executed with the bug, and with the fix, where it does no harm", r.System.faults(t), counted(r.Faults)))
		say("The fix", r.Fix)
	}
	say("Uniform isolations", r.uniform(t)+r.note())
	say("Against the published trigger", r.Compared)
	if r.Run != "" {
		say("Protocol", fmt.Sprintf("%s; fixed %s", link(program(r.Run)), link(program(r.Fixed))))
	}
	if r.System != nil {
		say("System", strings.TrimSuffix(fmt.Sprintf("%s, `%s`: %s", link(r.System.Folder), r.System.Name, r.Searched), ": "))
		say("To search it", "`"+r.System.commandLine()+"`")
	}
	if r.Run != "" {
		fmt.Fprintf(&b, "\n## The reason and the diagram\n\n```text\n$ ldfi run %s\n%s```\n", r.Run, ldfi(t, r.Run))
	}
	return b.String()
}

// commandLine is what finds the bug in the system, from the root of the repository.
func (p *process) commandLine() string {
	line := fmt.Sprintf("ldfi run --system 'go run ./%s/host' --name %s", p.Folder, p.Name)
	if p.Isolations != 0 {
		line += fmt.Sprintf(" --isolations %d --period %d", p.Isolations, p.Period)
	}
	if p.Strategy != "" {
		line += " --strategy " + p.Strategy
	}
	if p.Seed != 0 {
		line += fmt.Sprintf(" --seed %d", p.Seed)
	}
	if p.Most != 0 {
		line += fmt.Sprintf(" --executions %d", p.Most)
	}
	return line
}

// uniform says whether uniform isolations suffice.
func (r *row) uniform(t *testing.T) string {
	u := r.Uniform
	if !r.suffices() && r.Run != "" {
		return fmt.Sprintf("do not suffice, it needs %s: it holds with d=%d and k=%s", u.Needs, u.D, inOneLine(u.Periods))
	}
	if u.D == 0 || r.Run == "" {
		return u.String()
	}
	text := fmt.Sprintf("suffice, %s: `%s`", u, ask(t, u.args(r, u.D, u.K)).Counterexamples[0].Schedule)
	if u.D > 1 {
		text += fmt.Sprintf(". It holds with d=%d and k=%s", u.D-1, inOneLine(u.Periods))
	}
	return text
}

// note is what the row says of isolations beside.
func (r *row) note() string {
	if r.Isolations == "" {
		return ""
	}
	return ". Besides: " + r.Isolations
}

func inOneLine(numbers []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ", ")
}

// found says what was found.
func found(t *testing.T, a *answer) string {
	switch n := a.size(t); n {
	case -1:
		return "none, it holds"
	case 0:
		return fmt.Sprintf("no fault, `%s`", a.Counterexamples[0].Schedule)
	default:
		return fmt.Sprintf("`%s`, %s", a.Counterexamples[0].Schedule, counted(n))
	}
}

// counted returns how many faults there are, in words.
func counted(faults int) string {
	if faults == 1 {
		return "1 fault"
	}
	return fmt.Sprintf("%d faults", faults)
}

// link returns a link to a file from the folder of the pages.
func link(file string) string {
	return fmt.Sprintf("[%s](../../%s)", strings.TrimPrefix(file, "testdata/protocols/"), file)
}
