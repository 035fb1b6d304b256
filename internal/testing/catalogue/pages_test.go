package catalogue_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

const (
	page  = root + "docs/catalogue.md"
	pages = root + "docs/catalogue/"
)

// The pages say what the rows and ldfi say.
func TestPages(t *testing.T) {
	c := rows(t)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	equal(t, page, replace(t, replace(t, replace(t, string(text), "answer", c.answer()), "table", c.table(t)), "outside", c.outside()))
	known := map[string]bool{tables: true, "guided.md": true} // adapters/etcdraft writes the second
	for _, p := range c.Pages {
		known[p.Name+".md"] = true
		equal(t, pages+p.Name+".md", c.page(t, p))
	}
	for _, r := range c.Rows {
		require.True(t, known[r.Page+".md"], "%s has no page %q", r.Name, r.Page)
	}
	files, err := filepath.Glob(pages + "*.md")
	require.NoError(t, err)
	for _, file := range files {
		require.True(t, known[filepath.Base(file)], "%s is not in %s", file, rowsFile)
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

// answer says for how many bugs isolations are enough.
func (c *catalogue) answer() string {
	n := 0
	for _, r := range c.Rows {
		if r.suffices() {
			n++
		}
	}
	return fmt.Sprintf("Isolations alone show %d of these %d bugs.\n", n, len(c.Rows))
}

// table has a line for each bug, by kind of system.
func (c *catalogue) table(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| kind of system | bug | smallest fault set | published cost | isolations alone |\n|---|---|---|---|---|\n")
	byKind := slices.SortedStableFunc(slices.Values(c.Rows), func(a, b *row) int { return strings.Compare(a.Kind, b.Kind) })
	for _, r := range byKind {
		set := ""
		if r.Run != "" {
			set = brief(ask(t, r.Run).Counterexamples[0].Schedule, r.Faults)
		} else if r.System.hosted() {
			set = brief(r.System.faults(t), r.Faults)
		}
		fmt.Fprintf(&b, "| %s | [%s](catalogue/%s.md#%s) | %s | %s | %s |\n", r.Kind, r.Title, r.Page, anchor(r.Title), set, r.Cost, r.Uniform)
	}
	return b.String()
}

var unlinked = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

// anchor returns that of a heading, as GitHub makes it.
func anchor(heading string) string {
	return strings.ReplaceAll(unlinked.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
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

// bounds returns those of an answer, as ldfi says them.
func (a *answer) bounds() string {
	bounds, _, _ := strings.Cut(a.Scope.Text, ": ")
	return bounds
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
		return "no fault is needed"
	default:
		return fmt.Sprintf("d=%d, k=%d", u.D, u.K)
	}
}

// outside has a line for each row that is not in the table.
func (c *catalogue) outside() string {
	var b strings.Builder
	b.WriteString("| what | why |\n|---|---|\n")
	for _, o := range c.Outside {
		fmt.Fprintf(&b, "| %s | %s |\n", o.What, o.Why)
	}
	return b.String()
}

// page tells the bugs of one page.
func (c *catalogue) page(t *testing.T, p *chapter) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n<!-- Written by go test ./internal/testing/catalogue -update from %s. -->\n\n", p.Title, rowsFile)
	b.WriteString(wrap("", p.About+" [Words](../glossary.md), [sources and measurements](../catalogue.md)."))
	for _, r := range c.Rows {
		if r.Page == p.Name {
			b.WriteString("\n" + r.section(t))
		}
	}
	return b.String()
}

// section tells one bug.
func (r *row) section(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s\n", r.Title, wrap("", r.Story))
	say := func(what, format string, args ...any) {
		b.WriteString(wrap("  ", fmt.Sprintf("- **%s**: "+format, append([]any{what}, args...)...)))
	}
	if r.Run != "" {
		a := ask(t, r.Run)
		say("Smallest fault set", "%s", found(t, a))
		for _, v := range r.Also {
			say(strings.ToUpper(v.Note[:1])+v.Note[1:], "%s", r.variant(v))
		}
		say("Bounds", "%s", a.bounds())
		say("Repair", "%s Certified: %s scenarios.", r.Fix, ask(t, r.Fixed).scenarios())
	} else {
		say("Smallest fault set found", "`%s`", r.System.faults(t))
		say("Bounds", "%s", r.System.Bounds)
		say("Repair", "%s", r.Fix)
	}
	say("Isolations alone", "%s", r.uniform(t))
	say("Source", "%s. Published: %s.", r.Source, strings.TrimPrefix(r.Trigger+", "+r.Cost, ", "))
	say("Files", "%s", strings.Join(r.files(), ", "))
	fmt.Fprintf(&b, "\n```sh\n%s\n```\n", strings.Join(r.commands(), "\n"))
	return b.String()
}

// files links what the bug is in.
func (r *row) files() (all []string) {
	if r.Run != "" {
		all = append(all, link("protocol", program(r.Run)))
		if program(r.Fixed) != program(r.Run) {
			all = append(all, link("repaired", program(r.Fixed)))
		}
	}
	if r.System != nil {
		all = append(all, link("system", r.System.Folder))
	}
	return all
}

// commands are those that show the bug, from the root of the repository.
func (r *row) commands() (all []string) {
	if r.Run != "" {
		all = append(all, "ldfi run "+r.Run)
	}
	if r.System != nil {
		all = append(all, r.System.commandLine())
	}
	if r.Why != "" {
		all = append(all, "ldfi why "+strings.Replace(r.Why, " --", " \\\n  --", 1))
	}
	return all
}

// variant says what is claimed of a variant, and with which flags or of which program.
func (r *row) variant(v variant) string {
	claim := "it holds"
	if v.Faults >= 0 {
		claim = counted(v.Faults)
	}
	if flags, ok := strings.CutPrefix(v.Run, r.Run+" "); ok {
		return fmt.Sprintf("%s (`%s`)", claim, flags)
	}
	file, flags, _ := strings.Cut(v.Run, " ")
	if flags != "" {
		flags = fmt.Sprintf(", `%s`", flags)
	}
	return fmt.Sprintf("%s (%s%s)", claim, link("protocol", file), flags)
}

// lineWidth is that of the pages, tables apart.
const lineWidth = 120

// wrap breaks a text into lines, of which all but the first have an indent.
func wrap(indent, text string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+n > lineWidth:
			b.WriteString("\n" + indent)
			width = len(indent)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	return b.String() + "\n"
}

// commandLine is what finds the bug in the system, from the root of the repository.
func (p *process) commandLine() string {
	line := fmt.Sprintf("ldfi run --system 'go run ./%s/host' --name %s", p.Folder, p.Name)
	if p.Most != 0 {
		line += " \\\n "
	}
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

// uniform says whether isolations alone are enough.
func (r *row) uniform(t *testing.T) string {
	t.Helper()
	u := r.Uniform
	switch {
	case !r.suffices() && r.Run == "":
		return "not enough, it needs " + u.Needs
	case !r.suffices():
		return fmt.Sprintf("not enough, it needs %s; it holds with d=%d and k=%s", u.Needs, u.D, inOneLine(u.Periods))
	case u.D == 0 || r.Run == "":
		return u.String()
	case u.D == 1:
		return fmt.Sprintf("%s: `%s`", u, ask(t, u.args(r, u.D, u.K)).Counterexamples[0].Schedule)
	}
	return fmt.Sprintf("%s: `%s`; d=%d is not enough", u, ask(t, u.args(r, u.D, u.K)).Counterexamples[0].Schedule, u.D-1)
}

func inOneLine(numbers []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ", ")
}

// found says what was found.
func found(t *testing.T, a *answer) string {
	t.Helper()
	if n := a.size(t); n > 0 {
		return fmt.Sprintf("`%s`, %s", a.Counterexamples[0].Schedule, counted(n))
	}
	return fmt.Sprintf("no fault, `%s`", a.Counterexamples[0].Schedule)
}

// counted returns how many faults there are, in words.
func counted(faults int) string {
	if faults == 1 {
		return "1 fault"
	}
	return fmt.Sprintf("%d faults", faults)
}

// link returns a link to a file from the folder of the pages.
func link(text, file string) string { return fmt.Sprintf("[%s](../../%s)", text, file) }
