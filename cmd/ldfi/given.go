package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/spf13/cobra"
)

// otherwise returns the error of files that are no programs: what the first of them is, and
// what to type. It returns err if that is not known.
func otherwise(cmd *cobra.Command, given []string, err error) error {
	for _, word := range given {
		if is, to := mistaken(cmd, word); is != "" {
			return fmt.Errorf("%s is %s\n%s", word, is, to)
		}
	}
	return err
}

// mistaken says what a word is that is no file with a program, and what to do with it; "" if
// that is not known.
func mistaken(cmd *cobra.Command, word string) (is, to string) {
	info, err := os.Stat(word)
	first, _, _ := strings.Cut(word, "/")
	switch ext := filepath.Ext(word); {
	case strings.Contains(word, "://"):
		return "an address; ldfi starts the servers that it tests", asking(cmd, "--server PACKAGE", "builds a Go server and runs it as nodes") + "\n  ldfi import otlp FILE   reads a trace of a service that runs elsewhere"
	case err == nil && info.IsDir():
		return ofDirectory(cmd, word)
	case filepath.Base(word) == "...":
		return "a pattern of Go packages", "  ldfi test " + text.ShellJoin(word) + "   executes their tests with everything set up"
	case errors.Is(err, os.ErrNotExist) && strings.Contains(first, ".") && strings.Contains(word, "/") && strings.Trim(first, ".") != "":
		return "no file, and perhaps the path of a Go package", asking(cmd, "--server "+text.ShellJoin(word), "runs it as nodes")
	case err == nil && ext == ".ded" && cmd.Name() == "report":
		return "a program", "  ldfi run " + text.ShellJoin(word) + " --report page.html   makes the page of its answer"
	case err == nil && ext == ".ded" && !ofPrograms(cmd):
		return "a program", "  ldfi run " + text.ShellJoin(word) + "   decides it"
	case err != nil || ext == ".ded":
		return "", ""
	case ext == ".go":
		if all := inPackage(cmd, filepath.Dir(word)); len(all) > 0 {
			return "a Go file", linesOf(all)
		}
		return "a Go file", untested(filepath.Dir(word))
	}
	return ofFile(cmd, word)
}

// ofPrograms tells whether a command takes files with programs.
func ofPrograms(cmd *cobra.Command) bool {
	return !slices.Contains([]string{"check", "query", "report"}, cmd.Name())
}

// asking is a line with a command that asks about a system. A command that asks about
// programs alone leaves that to ldfi run.
func asking(cmd *cobra.Command, flags, what string) string {
	command := "ldfi run"
	if f := cmd.Flags().Lookup("system"); f != nil && !f.Hidden {
		command = cmd.CommandPath()
	}
	return fmt.Sprintf("  %s %s   %s", command, flags, what)
}

// found is something in a directory that ldfi has commands for: what it is, and the lines of
// its commands.
type found struct{ what, to string }

// linesOf returns the commands for what was found.
func linesOf(all []found) string {
	var lines []string
	for _, f := range all {
		lines = append(lines, f.to)
	}
	return strings.Join(lines, "\n")
}

// ofDirectory says what a directory has.
func ofDirectory(cmd *cobra.Command, dir string) (is, to string) {
	if all := foundIn(cmd, dir); len(all) > 0 {
		var what []string
		for _, f := range all {
			what = append(what, f.what)
		}
		return "a directory with " + text.List(what, "and"), linesOf(all)
	}
	if to := untested(dir); to != "" {
		return "a Go package", to
	}
	if lines := below(cmd, dir); len(lines) > 0 {
		return "a directory without a program; programs are in folders below:", strings.Join(lines, "\n")
	}
	return "a directory without a program, a suite or a Go package", "  ldfi init " + text.ShellJoin(dir) + "   writes a first protocol and its suite"
}

// foundIn returns what is in a directory: its suite, which names the rest, or all else.
func foundIn(cmd *cobra.Command, dir string) (all []found) {
	word := text.ShellJoin(dir)
	if _, err := os.Stat(filepath.Join(dir, suite.FileName)); err == nil {
		return []found{{"a suite", "  ldfi check " + word + "   checks all of its cases"}}
	}
	clusters, _ := filepath.Glob(filepath.Join(dir, "*.y*ml"))
	if i := slices.IndexFunc(clusters, describesServers); i >= 0 {
		all = append(all, found{"a cluster of servers", asking(cmd, text.ShellJoin(clusters[i]), "asks about it")})
	}
	if programs, _ := filepath.Glob(filepath.Join(dir, "*.ded")); len(programs) > 0 {
		command := "ldfi run"
		if ofPrograms(cmd) {
			command = cmd.CommandPath()
		}
		all = append(all, found{text.Plural(len(programs), "program"), fmt.Sprintf("  %s %s   takes one of them\n  ldfi init %s   writes a suite beside them, for ldfi check", command, text.ShellJoin(programs[0]), word)})
	}
	all = append(all, inPackage(cmd, dir)...)
	if host := filepath.Join(dir, "host"); !hasSystems(dir) && hasSystems(host) {
		all = append(all, inPackage(cmd, host)...)
	}
	return all
}

// describesServers tells whether a file reads as a cluster.
func describesServers(file string) bool {
	_, err := process.Read(file)
	return err == nil
}

// Folders below a directory are searched for programs to this depth, and so many are named.
const (
	deepest   = 3
	mostNamed = 3
)

// below returns the commands for a few of the folders below a directory that have something
// for ldfi.
func below(cmd *cobra.Command, dir string) (lines []string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // what cannot be read is left out
		name := d.Name()
		switch {
		case err != nil || !d.IsDir() || path == dir:
			return nil
		case strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "testdata", "vendor"}, name):
			return fs.SkipDir
		}
		if all := foundIn(cmd, path); len(all) > 0 {
			if len(lines) == mostNamed {
				lines = append(lines, "  and more")
				return fs.SkipAll
			}
			first, _, _ := strings.Cut(all[0].to, "\n")
			lines = append(lines, first)
			return fs.SkipDir
		}
		if near, err := filepath.Rel(dir, path); err != nil || strings.Count(filepath.ToSlash(near), "/") >= deepest-1 {
			return fs.SkipDir
		}
		return nil
	})
	return lines
}

// packagePath is how the go command calls the package in a directory.
func packagePath(dir string) string {
	pkg := filepath.ToSlash(filepath.Clean(dir))
	if !filepath.IsAbs(dir) && !strings.HasPrefix(pkg, ".") {
		pkg = "./" + pkg
	}
	return pkg
}

// uses tells whether a package of ldfi is among imports.
func uses(imports []string, last string) bool {
	return slices.ContainsFunc(imports, func(i string) bool { return strings.HasSuffix(i, "/ldfi/"+last) })
}

// hasSystems tells whether the Go program in a directory lets ldfi execute systems.
func hasSystems(dir string) bool {
	_, imports := goFilesOf(dir, false)
	return uses(imports, "wire")
}

// inPackage returns what a Go package has for ldfi: tests, and systems or a server.
func inPackage(cmd *cobra.Command, dir string) (all []found) {
	pkg := packagePath(dir)
	if _, tested := goFilesOf(dir, true); uses(tested, "ldfitest") {
		all = append(all, found{"tests for ldfi", "  ldfi test " + text.ShellJoin(pkg) + "   executes its tests with everything set up"})
	}
	switch program, _ := goFilesOf(dir, false); {
	case hasSystems(dir):
		return append(all, found{"systems in Go", asking(cmd, "--system "+text.ShellJoin("go run "+pkg), "asks about them")})
	case program == "main":
		return append(all, found{"a Go program", asking(cmd, "--server "+text.ShellJoin(pkg)+" --client './CLIENT {peers:PORT}' --crashes 1", "runs it as three nodes, with your client") + "\n  docs/guide/servers.md says more"})
	}
	return all
}

// untested says what to do with a Go package that has nothing for ldfi; "" if there is none.
func untested(dir string) string {
	name, _ := goFilesOf(dir, false)
	if tests, _ := goFilesOf(dir, true); name == "" && tests == "" {
		return ""
	}
	return "  write a test with ldfitest, as docs/guide/test.md shows; ldfi test " + text.ShellJoin(packagePath(dir)) + " executes it"
}

// goFilesOf returns the name of the package in a directory, and what its files import, or
// those of its tests.
func goFilesOf(dir string, tests bool) (name string, imports []string) {
	paths, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") != tests {
			continue
		}
		data, err := files.Read(path, files.Text)
		if err != nil {
			continue
		}
		if file, err := parser.ParseFile(token.NewFileSet(), path, data, parser.ImportsOnly); err == nil {
			name = file.Name.Name
			for _, i := range file.Imports {
				imports = append(imports, strings.Trim(i.Path.Value, `"`))
			}
		}
	}
	return name, imports
}

// commandKept is the command that executes a kept schedule: the last that stands in its
// comments, else that of its test or its suite.
func commandKept(file string) string {
	data, _ := files.Read(file, files.Schedule)
	command := ""
	for line := range strings.Lines(string(data)) {
		if c, is := strings.CutPrefix(strings.TrimSpace(line), "# "); is && executes(c) {
			command = c
		}
	}
	if command == "" {
		command = commandOfCase(file)
	}
	if command != "" {
		return command
	}
	about := "PROGRAM"
	schedule, _ := schedules.ReadKept(file)
	if schedule.Settings.Seed.Given {
		about = "--system 'go run ./host'"
	}
	return "ldfi inject " + about + " --faults " + text.ShellQuote(schedule.String())
}

// executes tells whether a comment is a command that executes a schedule.
func executes(comment string) bool {
	return slices.ContainsFunc([]string{"ldfi inject ", "ldfi check ", "ldfi confirm ", "go test "}, func(c string) bool { return strings.HasPrefix(comment, c) })
}

// commandOfCase is the command of the test or the suite that has kept a schedule; "" if that
// is not known.
func commandOfCase(file string) string {
	whole, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	dir, kept, is := strings.Cut(whole, string(filepath.Separator)+schedules.KeptDir+string(filepath.Separator))
	if !is {
		return ""
	}
	if here, err := filepath.Abs("."); err == nil {
		if near, err := filepath.Rel(here, dir); err == nil {
			dir = near
		}
	}
	if _, err := os.Stat(filepath.Join(dir, suite.FileName)); err == nil {
		return "ldfi check " + text.ShellJoin(dir)
	}
	if _, tested := goFilesOf(dir, true); uses(tested, "ldfitest") {
		test, _, _ := strings.Cut(filepath.ToSlash(kept), "/")
		return "go test -run " + text.ShellQuote("^"+test+"$") + " " + text.ShellJoin(packagePath(dir))
	}
	return ""
}

// otherExts end the names of files that are no programs.
const otherExts = ".c .cc .conf .cpp .css .csv .h .html .java .js .log .md .mod .proto .py .rb .rs .sh .sql .sum .toml .ts .xml"

// ofFile says what a file is, by what stands in it.
func ofFile(cmd *cobra.Command, file string) (is, to string) {
	word := text.ShellJoin(file)
	if _, err := schedules.ReadKept(file); err == nil {
		return "a schedule, which is executed and not searched", "  " + commandKept(file) + "   executes it"
	}
	data, err := files.ReadNamed(file, files.Recording)
	if err != nil {
		return "", ""
	}
	switch start := bytes.TrimSpace(data); {
	case ofPrograms(cmd) && (!utf8.Valid(data) || slices.Contains(strings.Fields(otherExts), filepath.Ext(file))):
		to := "  ldfi init DIR   writes a first one\n  docs/language.md says what stands in programs"
		if all := foundIn(cmd, filepath.Dir(file)); len(all) > 0 {
			to = linesOf(all)
		}
		return "no program", to
	case !bytes.HasPrefix(start, []byte("{")):
		return "", ""
	case bytes.Contains(start, []byte(`"resourceSpans"`)):
		return "a trace of a service (OTLP)", "  ldfi import otlp " + word + " --output json > recording.json   makes a recording of it"
	}
	var report struct {
		Suite string            `json:"suite"`
		Cases []json.RawMessage `json:"cases"`
	}
	if json.Unmarshal(data, &report) == nil && report.Suite != "" && report.Cases != nil {
		return "the report of a suite", "  ldfi check --merge " + word + " --report page.html   makes a page of it"
	}
	if _, err := parseExecutions(data); err == nil && ofPrograms(cmd) {
		return "a recording: what it shows has happened already", fmt.Sprintf("  ldfi why --recording %s 'FACT'   says why something held\n  ldfi query %s 'RULE'   finds facts in it\n  ldfi report %s   makes a page of it", word, word, word)
	}
	return "", ""
}
