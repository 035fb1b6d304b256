package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

var onePage = flag.String("page", "", "play the commands of this page only, as docs/faults.md")

// TestDocs runs the commands in the console blocks of the documentation and
// compares what they print. With -update it writes what they print. They run in the
// root of the repository, and those of the tutorial and of the README, from its
// installation on, in a directory of a user, where a block that begins with file= is that file.
// A command goes on in the next line after a backslash, and "..." stands for lines that a page
// leaves out.
func TestDocs(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("GITHUB_ACTIONS", "") // which makes ldfi check print more
	ownCache(t, t.TempDir())
	root, err := os.Getwd()
	require.NoError(t, err)
	files, err := documentation("docs")
	require.NoError(t, err)
	commands := 0
	kept := filepath.Join(root, "examples", "kvd", "testdata") // by the first command of the README
	require.NoError(t, os.RemoveAll(kept))
	defer os.RemoveAll(kept)
	for _, file := range append(files, "README.md") {
		if *onePage != "" && file != *onePage {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		t.Chdir(root)
		head, rest := "", string(text)
		if file == "README.md" {
			i := strings.Index(rest, "## Install")
			require.Positive(t, i)
			head, rest = rest[:i], rest[i:]
		}
		begun, n, err := play(head)
		require.NoError(t, err, file)
		commands += n
		if file == "README.md" || file == filepath.Join("docs", "tutorial.md") {
			t.Chdir(t.TempDir())
		}
		played, n, err := play(rest)
		require.NoError(t, err, file)
		commands += n
		played = begun + played
		if *update {
			require.NoError(t, os.WriteFile(filepath.Join(root, file), []byte(played), 0o644))
			continue
		}
		require.Equal(t, folded(string(text)), folded(played), "%s: run go test ./cmd/ldfi -update", file)
	}
	require.True(t, commands > 0 || *onePage != "")
}

// ownCache gives ldfi a cache of its own. The go command keeps the cache that it has, in
// which everything has been built: it would look for that in the same place.
func ownCache(t *testing.T, dir string) {
	t.Helper()
	built, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	t.Setenv("GOCACHE", strings.TrimSpace(string(built)))
	t.Setenv("XDG_CACHE_HOME", dir)
}

// documentation returns the pages below a directory.
func documentation(dir string) ([]string, error) {
	var pages []string
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if filepath.Ext(name) == ".md" {
			pages = append(pages, name)
		}
		return err
	})
	return pages, err
}

// TestLinks follows the links of the documentation to files and headings.
func TestLinks(t *testing.T) {
	t.Chdir("../..")
	pages, err := documentation("docs")
	require.NoError(t, err)
	link := regexp.MustCompile(`\]\(([^)#:\s]*)(#[^)\s]*)?\)`)
	for _, page := range append(pages, "README.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md", "examples/standin/README.md", "examples/template/README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			file := page
			if m[1] != "" {
				file = filepath.Join(filepath.Dir(page), m[1])
			}
			target, err := os.ReadFile(file)
			if info, statErr := os.Stat(file); statErr == nil && info.IsDir() {
				continue
			}
			require.NoError(t, err, "%s links to %s", page, m[0])
			if m[2] != "" {
				require.Contains(t, anchors(string(target)), m[2], "%s links to %s", page, m[0])
			}
		}
	}
}

// anchors returns the anchors of the headings of a page, as GitHub makes them.
func anchors(page string) []string {
	var all []string
	for line := range strings.Lines(page) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			anchor := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			all = append(all, "#"+strings.ReplaceAll(anchor, " ", "-"))
		}
	}
	return all
}

// play returns a document with the output of its console blocks made anew, and
// the number of commands in them.
func play(document string) (string, int, error) {
	var out strings.Builder
	commands, inside, skipping, command := 0, false, false, ""
	rest := document
	for line := range strings.Lines(document) {
		rest = rest[len(line):]
		switch {
		case strings.HasPrefix(line, "```"):
			inside, skipping = line == "```console\n", false
			if err := writeBlock(line, rest); err != nil {
				return "", 0, err
			}
		case inside && (command != "" || strings.HasPrefix(line, "$ ")):
			command += strings.TrimPrefix(line, "$ ")
			out.WriteString(line)
			if more, ok := strings.CutSuffix(command, "\\\n"); ok {
				command = more
				continue
			}
			output, err := playCommand(strings.TrimSpace(command))
			if err != nil {
				return "", 0, err
			}
			commands++
			skipping, command = true, ""
			if shown := shownBefore(rest); shortens(shown, output) {
				output = shown
			}
			out.WriteString(output)
			continue
		}
		if !skipping {
			out.WriteString(line)
		}
	}
	return out.String(), commands, nil
}

// shownBefore is the output that a page shows of a command, which the rest of the page begins with.
func shownBefore(rest string) string {
	var shown strings.Builder
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "$ ") {
			break
		}
		shown.WriteString(line)
	}
	return shown.String()
}

// shortens tells whether a page shows an output with some lines left out, in place of which
// it has "...".
func shortens(shown, output string) bool {
	pieces := strings.Split("\n"+shown, "\n...\n")
	if len(pieces) == 1 {
		return false
	}
	output, ok := strings.CutPrefix("\n"+output, pieces[0]+"\n")
	if !ok || !strings.HasSuffix(output, pieces[len(pieces)-1]) {
		return false
	}
	for _, piece := range pieces[1:] {
		if _, output, ok = strings.Cut(output, piece); !ok {
			return false
		}
	}
	return true
}

// writeBlock writes the file that a block of the documentation is, if it is one.
func writeBlock(opening, rest string) error {
	_, name, ok := strings.Cut(strings.TrimSpace(opening), " file=")
	if !ok {
		return nil
	}
	text, _, _ := strings.Cut(rest, "```\n")
	return os.WriteFile(name, []byte(text), 0o644)
}

// playCommand runs one command line in this process and returns what a terminal
// would show.
func playCommand(line string) (string, error) {
	words, err := splitWords(line)
	if err != nil {
		return "", err
	}
	words = expand(words)
	switch {
	case len(words) > 0 && words[0] == "ldfi":
		words = words[1:]
	case strings.HasPrefix(line, "go run ./cmd/ldfi "):
		words = words[3:]
	default:
		return "", fmt.Errorf("the documentation runs %q, which is not ldfi", line)
	}
	var shown, stdout bytes.Buffer
	begin := time.Now()
	code := run(context.Background(), words, streams{in: strings.NewReader(""), out: io.MultiWriter(&shown, &stdout), err: &shown})
	if err := checkJSON(words, stdout.Bytes()); err != nil {
		return "", fmt.Errorf("%s: %w", line, err)
	}
	if code != 0 {
		fmt.Fprintf(&shown, "exit status %d\n", code)
	}
	if took := time.Since(begin); took > readersPatience {
		return "", fmt.Errorf("%s took %v: nobody who reads waits for longer than %v", line, took, readersPatience)
	}
	text := elapsed.ReplaceAllString(built.ReplaceAllString(shown.String(), ""), "0.01 s")
	return folded(tested.ReplaceAllString(text, "${1}0.01s")), nil
}

// readersPatience is how long a command of the documentation may take, also on a machine that
// is busy: on another one most take less than a second.
const readersPatience = 2 * time.Minute

// folded breaks lines that are too wide for a page, as a terminal does, but at blanks and
// indented; a command goes on behind a backslash. Diagrams and tables stay as they are.
func folded(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		label := labelled.FindString(line)
		indent, end := strings.Repeat(" ", utf8.RuneCountInString(label)+2), "\n"
		if strings.HasPrefix(line, "  again ") {
			end = " \\\n"
		}
		for utf8.RuneCountInString(line) > pageWidth+1 && !strings.ContainsAny(line, "│┼") && line[0] != '|' {
			at := blank(line, len(label))
			if at < 0 {
				break
			}
			out.WriteString(line[:at] + end)
			line = indent + line[at+1:]
			label = indent
		}
		out.WriteString(line)
	}
	return out.String()
}

const pageWidth = 120

// labelled is what a line begins with: many blanks, or few, a short word, and blanks.
var labelled = regexp.MustCompile(`^( {8,}| {0,4}\S{1,12} +|)`)

// blank returns where the last blank is, outside of quotes, at which a line can be broken so that it fits
// with a backslash; -1 without one behind from.
func blank(line string, from int) int {
	at, quoted, column := -1, false, 0
	for i, r := range line {
		switch {
		case column > pageWidth-2:
			return at
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted && i >= from:
			at = i
		}
		column++
	}
	return at
}

// built is a line that is there only where building a host takes long, or a search of ldfi test.
var built = regexp.MustCompile(`(?m)^ldfi: (` + building + `.*, \d+ s| *\d+ s  .* executions.*)\n`)

// elapsed is the time that a case of a suite took, at the end of its line.
var elapsed = regexp.MustCompile(`(?m)\b\d+\.\d\d s$`)

// tested is the time that a test or a package took, as go test says it.
var tested = regexp.MustCompile(`(?m)(^ *--- (?:PASS|FAIL): .* \(|^(?:ok|FAIL)\s.*\t)\d+\.\d+s`)

// expand replaces patterns of files by the files, as a shell does.
func expand(words []string) []string {
	var all []string
	for _, word := range words {
		if files, err := filepath.Glob(word); err == nil && len(files) > 0 {
			all = append(all, files...)
		} else {
			all = append(all, word)
		}
	}
	return all
}

// splitWords splits a command line at spaces outside single quotes.
func splitWords(line string) ([]string, error) {
	var words []string
	word, quoted, started := "", false, false
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, started = !quoted, true
		case r == ' ' && !quoted:
			if started {
				words = append(words, word)
			}
			word, started = "", false
		default:
			word, started = word+string(r), true
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quote is not closed in %q", line)
	}
	if started {
		words = append(words, word)
	}
	return words, nil
}

// TestRepositorySuite checks the protocols of this repository as ldfi.yaml says,
// which is also an example for users.
func TestRepositorySuite(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("GITHUB_ACTIONS", "")
	var shown bytes.Buffer
	code := run(t.Context(), []string{"check", "--no-cache"}, streams{in: strings.NewReader(""), out: &shown, err: &shown})
	require.Equal(t, exitHolds, code, shown.String())
	require.NoDirExists(t, "testdata/ldfi", "a case that is expected to hold broke")
}

// TestCommandLines reads the command lines of the documentation that TestDocs does not run, because
// they need a system of the reader's: each is one of a command that there is, with flags that it has.
func TestCommandLines(t *testing.T) {
	t.Chdir("../..")
	pages, err := documentation("docs")
	require.NoError(t, err)
	read := 0
	for _, page := range append(pages, "README.md", "examples/README.md", "examples/template/README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		fence := "" // in which the line is
		for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", "")) {
			bare := strings.TrimLeft(line, " ")
			if strings.HasPrefix(bare, "```") {
				if fence == "" {
					fence = strings.TrimSpace(bare)
				} else {
					fence = ""
				}
				continue
			}
			if row, ok := strings.CutPrefix(line, "| `"); ok {
				bare, _, _ = strings.Cut(row, "`")
			} else if fence == "```console" || fence == "" && !strings.HasPrefix(line, "    ") {
				continue
			}
			if !strings.HasPrefix(bare, "ldfi ") {
				continue
			}
			if asked := commandLine(bare); asked != nil {
				read++
				if err := parses(asked); err == nil || !strings.HasPrefix(line, "| `") || !strings.HasPrefix(err.Error(), "flag needs an argument") { // which a table names without one
					require.NoError(t, err, "%s: %s", page, line)
				}
			}
		}
	}
	t.Logf("%d command lines", read)
	require.Greater(t, read, 40)
}

// shellEnds are what ends a command in a line of a shell.
var shellEnds = regexp.MustCompile(` +(#|>|\||&&|;|\|\||2>).*$|  +\S.*$`)

// commandLine returns the words of a command; nil for a line that is a pattern of commands.
func commandLine(line string) []string {
	line = shellEnds.ReplaceAllString(strings.TrimSpace(line), "")
	if strings.ContainsAny(line, "…[$") || strings.Contains(line, "...") && !strings.Contains(line, "./...") {
		return nil
	}
	words, err := splitWords(line)
	if err != nil || len(words) < 2 {
		return nil
	}
	return words[1:]
}

// parses tells whether there is such a command, and whether it has the flags.
func parses(words []string) error {
	root := (&session{args: words}).root()
	cmd, rest, err := root.Find(words)
	if err != nil || cmd == root {
		return fmt.Errorf("there is no such command: %v", err)
	}
	if cmd.DisableFlagParsing {
		ours, _, err := splitTestFlags(cmd, rest)
		if err != nil {
			return err
		}
		rest = ours
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.Flags().Parse(rest); !errors.Is(err, pflag.ErrHelp) {
		return err
	}
	return nil
}
