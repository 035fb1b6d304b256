package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// What a command says of itself stands between these lines of its page.
const (
	helpBegins = "<!--help-->\n"
	helpEnds   = "<!--/help-->\n"
)

// mostWords is how many words the pages of all commands have together at most, and
// manyCommands how many have a flag that stands once for all.
const (
	mostWords    = 6200
	manyCommands = 3
)

// wordsAndEnd is what each head ends with.
const wordsAndEnd = "\n[Words](../glossary.md)\n" + helpEnds

// standardCodes are exit codes that the page about results has.
var standardCodes = regexp.MustCompile(`^Exit codes: 0 (holds, 1 violated, 2 wrong usage or input, 3 inconclusive|[a-z]+, 2 [a-z ]+)\.$`)

// TestCommandPages makes the heads of the pages in docs/commands from what the commands say
// of themselves. With -update it writes them. What stands below is by hand.
func TestCommandPages(t *testing.T) {
	dir, commands := "../../docs/commands", public()
	shared := sharedFlags(commands)
	pages, words := map[string]string{"README.md": "# Commands\n\n" + helpBegins + allCommands(commands, shared) + wordsAndEnd}, 0
	for _, c := range commands {
		pages[c.Name()+".md"] = "# ldfi " + c.Name() + "\n\n" + helpBegins + headOf(c, shared) + wordsAndEnd
	}
	for name, head := range pages {
		file := filepath.Join(dir, name)
		text, err := os.ReadFile(file)
		_, below, whole := strings.Cut(string(text), helpEnds)
		if *update {
			require.True(t, whole || os.IsNotExist(err), "%s has no line %s", file, helpEnds)
			require.NoError(t, os.MkdirAll(dir, 0o777))
			require.NoError(t, os.WriteFile(file, []byte(head+below), 0o666))
			continue
		}
		require.NoError(t, err)
		require.Equal(t, head+below, string(text), "%s: run go test ./cmd/ldfi -run TestCommandPages -update", file)
		words += len(strings.Fields(string(text)))
	}
	require.LessOrEqual(t, words, mostWords, "words in %s", dir)
	there, err := filepath.Glob(dir + "/*.md")
	require.NoError(t, err)
	for _, file := range there {
		require.Contains(t, pages, filepath.Base(file), "there is no such command")
	}
}

// headOf is what a command says of itself.
func headOf(c *cobra.Command, shared []string) string {
	var b strings.Builder
	first, rest, _ := strings.Cut(cmp.Or(c.Long, c.Short+"."), "\n\n")
	fmt.Fprintf(&b, "%s\n\n    %s\n", inMarkdown(first), usageLine(c))
	for _, paragraph := range strings.Split(rest, "\n\n") {
		if paragraph != "" && !standardCodes.MatchString(paragraph) {
			b.WriteString("\n" + inMarkdown(paragraph) + "\n")
		}
	}
	if c.HasExample() {
		b.WriteString("\n" + indented(c.Example) + "\n")
	}
	flags := slices.DeleteFunc(flagsOf(c, false), func(f *pflag.Flag) bool { return slices.Contains(shared, f.Name) })
	if len(flags) > 0 {
		b.WriteString("\n" + usages(flags))
	}
	if c.Flags().Lookup("help-all") != nil {
		b.WriteString("\n[More flags](README.md#flags-of-many-commands)\n")
	}
	return b.String()
}

// usages are the lines of flags, as help has them.
func usages(flags []*pflag.Flag) string {
	var set pflag.FlagSet
	set.SortFlags = false
	for _, f := range flags {
		set.AddFlag(f)
	}
	return regexp.MustCompile(`(?m)^ {2}`).ReplaceAllString(set.FlagUsages(), "    ")
}

// indented is a text as a block of code.
func indented(s string) string {
	return regexp.MustCompile(`(?m)^ *`).ReplaceAllString(strings.TrimRight(s, "\n"), "    ")
}

// inMarkdown is a paragraph of a help text on a page.
func inMarkdown(paragraph string) string {
	lines := strings.Split(paragraph, "\n")
	each := func(prefix string) bool {
		return !slices.ContainsFunc(lines, func(line string) bool { return !strings.HasPrefix(line, prefix) })
	}
	switch {
	case each("  - "):
		paragraph = strings.ReplaceAll("\n"+paragraph, "\n  - ", "\n- ")[1:]
	case each("  "):
		return indented(paragraph)
	}
	paragraph = regexp.MustCompile("[*_<]").ReplaceAllString(paragraph, `\$0`)
	return regexp.MustCompile(`docs/([a-z/]+\.md)`).ReplaceAllString(paragraph, "[$1](../$1)")
}

// sharedFlags are the flags that many commands show in their short help.
func sharedFlags(commands []*cobra.Command) (names []string) {
	count := map[string]int{}
	for _, c := range commands {
		for _, f := range flagsOf(c, false) {
			if count[f.Name]++; count[f.Name] == manyCommands {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// allCommands lists the commands, and the flags that many have.
func allCommands(commands []*cobra.Command, shared []string) string {
	var b, listed bytes.Buffer
	root := (&session{}).root()
	writeCommands(&listed, root)
	for line := range strings.Lines(listed.String()) {
		title := regexp.MustCompile(`^(\w+):\n`).FindStringSubmatch(line)
		command := regexp.MustCompile(`^  (\S+) +(.*)\n`).FindStringSubmatch(line)
		switch {
		case title != nil:
			fmt.Fprintf(&b, "%s:\n\n", title[1])
		case command != nil && slices.ContainsFunc(commands, func(c *cobra.Command) bool { return c.Name() == command[1] }):
			fmt.Fprintf(&b, "- [%s](%s.md): %s\n", command[1], command[1], command[2])
		case line == "\n" && b.Len() > 0:
			b.WriteString(line)
		}
	}
	var flags []*pflag.Flag
	for _, name := range []string{"run", "inject", "hypotheses"} { // which have all of these
		c, _, _ := root.Find([]string{name})
		for _, f := range flagsOf(c, false) {
			if slices.Contains(shared, f.Name) && !slices.ContainsFunc(flags, func(g *pflag.Flag) bool { return g.Name == f.Name }) {
				flags = append(flags, f)
			}
		}
	}
	slices.SortStableFunc(flags, func(f, g *pflag.Flag) int { return groupOf(f.Name) - groupOf(g.Name) })
	return b.String() + "## Flags of many commands\n\n" + usages(flags)
}
