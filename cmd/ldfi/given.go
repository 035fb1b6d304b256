package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
		_, to = ofPackage(cmd, filepath.Dir(word))
		return "a Go file", to
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

// ofDirectory says what a directory has.
func ofDirectory(cmd *cobra.Command, dir string) (is, to string) {
	if _, err := os.Stat(filepath.Join(dir, suite.FileName)); err == nil {
		return "a directory with a suite", "  ldfi check " + text.ShellJoin(dir) + "   checks all of its cases"
	}
	if clusters, _ := filepath.Glob(filepath.Join(dir, "*.y*ml")); len(clusters) > 0 {
		for _, file := range clusters {
			if _, err := process.Read(file); err == nil {
				return "a directory with a cluster of servers", asking(cmd, text.ShellJoin(file), "asks about it")
			}
		}
	}
	if programs, _ := filepath.Glob(filepath.Join(dir, "*.ded")); len(programs) > 0 {
		command := "ldfi run"
		if ofPrograms(cmd) {
			command = cmd.CommandPath()
		}
		return fmt.Sprintf("a directory with %s", text.Plural(len(programs), "program")), fmt.Sprintf("  %s %s   takes one of them\n  ldfi init %s   writes a suite beside them, for ldfi check", command, text.ShellJoin(programs[0]), text.ShellJoin(dir))
	}
	if is, to := ofPackage(cmd, dir); is != "" {
		return is, to
	}
	return "a directory without a program, a suite or a Go package", "  ldfi init " + text.ShellJoin(dir) + "   writes a first protocol and its suite"
}

// ofPackage says what a Go package is to ldfi; "" if there is none.
func ofPackage(cmd *cobra.Command, dir string) (is, to string) {
	pkg := filepath.ToSlash(filepath.Clean(dir))
	if !filepath.IsAbs(dir) && !strings.HasPrefix(pkg, ".") {
		pkg = "./" + pkg
	}
	program, imports := goFilesOf(dir, false)
	_, tested := goFilesOf(dir, true)
	uses := func(imports []string, last string) bool {
		return slices.ContainsFunc(imports, func(i string) bool { return strings.HasSuffix(i, "/ldfi/"+last) })
	}
	host, name := text.ShellJoin("go run "+pkg), text.ShellJoin(pkg)
	nodes := asking(cmd, "--server "+name+" --client './CLIENT {peers:PORT}' --crashes 1", "runs it as three nodes, with your client") + "\n  docs/guide/servers.md says more"
	switch {
	case uses(imports, "wire"):
		return "a Go program with systems", asking(cmd, "--system "+host, "asks about them")
	case uses(tested, "ldfitest"):
		to = "  ldfi test " + name + "   executes its tests with everything set up"
		if program == "main" {
			to += "\n" + nodes
		}
		return "a Go package whose tests use ldfi", to
	case program == "main":
		return "a Go program", nodes
	case program != "" || len(tested) > 0:
		return "a Go package", "  write a test with ldfitest, as docs/guide/test.md shows; ldfi test " + name + " executes it"
	}
	return "", ""
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

// commandKept is the command that stands in the comments of a schedule.
func commandKept(file string) string {
	data, _ := files.Read(file, files.Schedule)
	for line := range strings.Lines(string(data)) {
		if command, is := strings.CutPrefix(strings.TrimSpace(line), "# "); is && (strings.HasPrefix(command, "ldfi inject ") || strings.HasPrefix(command, "go test ")) {
			return command
		}
	}
	return "ldfi inject FILE --faults 'SCHEDULE'"
}

// ofFile says what a file is, by what stands in it.
func ofFile(cmd *cobra.Command, file string) (is, to string) {
	word := text.ShellJoin(file)
	if filepath.Ext(file) == ".txt" {
		if _, err := schedules.ReadKept(file); err == nil {
			return "a schedule, which is executed and not searched", "  " + commandKept(file) + "   executes it"
		}
	}
	data, err := files.ReadNamed(file, files.Recording)
	if err != nil {
		return "", ""
	}
	switch start := bytes.TrimSpace(data); {
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
