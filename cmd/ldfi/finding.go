package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"
)

// longestAttached is how many lines a program has at most that is a part of a report.
const longestAttached = 150

func (s *session) reportCommand() *cobra.Command {
	var page string
	cmd := &cobra.Command{
		Use:   "report [CLUSTER] FINDING",
		Short: "Write what was found of servers for those who maintain them",
		Long: `report writes an execution that breaks a promise as the text of an issue, in Markdown: what is broken, of which version, what fails and when, what
the servers log and send from shortly before that until it is broken, the programs of the clients, and the command that repeats it. Nothing is executed.

FINDING is what ldfi run or ldfi inject have written with --output json, or a recording; - is standard input. CLUSTER is the file with the servers and
clients that it is about: without it their versions, programs and the command are left out.

With -o it also writes an HTML page, with a diagram.

Exit codes: 0 written, 2 wrong usage or input.`,
		Example: `  ldfi run cluster.yaml --output json > found.json; ldfi report cluster.yaml found.json
  ldfi inject cluster.yaml --faults 'crash n1@13' --output json | ldfi report cluster.yaml - -o found.html`,
		Args: func(cmd *cobra.Command, words []string) error {
			switch {
			case len(words) == 0 || len(words) == 1 && isCluster(words[0]):
				return errUsage(cmd, "report needs a finding: what ldfi run or ldfi inject have written with --output json")
			case len(words) > 2, len(words) == 2 && !isCluster(words[0]):
				return errUsage(cmd, "report takes a cluster, a file that ends with .yaml, and one finding behind it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, words []string) error {
			file := words[len(words)-1]
			if filepath.Ext(file) == ".txt" {
				return fmt.Errorf("%s is a schedule, and a report is about an execution: ldfi inject --output json, with its command, writes one", file)
			}
			of := maintained{name: file}
			if len(words) == 2 {
				if err := of.read(words[0]); err != nil {
					return err
				}
			}
			found, err := s.findings(file)
			if err != nil {
				return err
			}
			if err := checkWritten(words, page); err != nil {
				return err
			}
			return s.reportFindings(&of, found, page)
		},
	}
	cmd.Flags().VarP((*reportFile)(&page), "out", "o", "also write an HTML page to `file`")
	return cmd
}

// findings reads the executions of a finding that break something.
func (s *session) findings(file string) ([]result.Counterexample, error) {
	name, data, err := s.read(file)
	if err != nil {
		return nil, fmt.Errorf("reading a finding: %w", err)
	}
	var answer struct {
		Verdict         result.Verdict          `json:"verdict"`
		Counterexamples []result.Counterexample `json:"counterexamples"`
		Violations      []result.Violation      `json:"violations"`
		Because         []string                `json:"because"`
		Schedule        rounds.Schedule         `json:"schedule"`
	}
	if json.Unmarshal(data, &answer) == nil && answer.Verdict == result.Holds { // lines of a recording are no such text
		return nil, fmt.Errorf("%s breaks no promise: it is no finding", name)
	}
	executions, err := parseExecutions(data)
	if err != nil {
		return nil, located(name, err)
	}
	found := answer.Counterexamples
	if len(found) == 0 {
		found = []result.Counterexample{{Violations: answer.Violations, Because: answer.Because}}
		if found[0].Schedule = answer.Schedule; len(answer.Schedule.Faults) == 0 && len(executions) == 1 { // it is a recording
			found[0].Schedule = executions[0].Schedule
		}
	}
	if len(found) != len(executions) {
		return nil, fmt.Errorf("%s has %s and %s", name, text.Plural(len(found), "counterexample"), text.Plural(len(executions), "recording"))
	}
	for i, e := range executions {
		if e.System == "" {
			return nil, fmt.Errorf("%s is about a protocol, and not about servers: ldfi run --report writes a page of it", name)
		}
		found[i].Execution, found[i].Size = e, len(e.Schedule.Faults)
	}
	return found, nil
}

// maintained is the cluster that a finding is about.
type maintained struct {
	name    string // of the finding
	file    string // "": it is not known
	cluster process.Cluster
}

func (m *maintained) read(file string) (err error) {
	m.file = file
	m.cluster, err = process.Read(file)
	return err
}

// reportFindings writes what was found.
func (s *session) reportFindings(of *maintained, found []result.Counterexample, page string) error {
	if of.file == "" {
		s.warn([]specs.Warning{{Message: "the versions, the programs and the command are left out: a cluster before the finding names them, as in ldfi report cluster.yaml " + of.name}})
	}
	var all strings.Builder
	var fields []report.Field
	for i, c := range found {
		f, err := of.finding(c)
		if err != nil {
			return err
		}
		if i > 0 {
			all.WriteString("\n---\n\n")
		} else {
			fields = append(slices.Clone(f.Programs), report.Field{Name: "faults", Lines: f.Faults()}, report.Field{Name: "sequence", Lines: f.Sequence()})
		}
		if err := f.WriteMarkdown(&all); err != nil {
			return err
		}
	}
	if page != "" {
		first := found[0]
		p := report.NewPage(first.Execution.System, s.plainCommand(), first.Execution.Bounds)
		p.Headline, p.Fields, p.Text = answertext.Broken(first.Violations), fields, all.String()
		a := result.Answer{Verdict: result.Violated, Counterexamples: found}
		if len(first.Violations) == 0 {
			a.Verdict, p.Headline = "", "under "+answertext.Schedule(first.Schedule)
		}
		if err := p.AddAnswer(&a, report.Words{About: answertext.Size, Replay: func(r rounds.Schedule) string { return of.replay(r, first.Execution.Bounds.EOT) }}); err != nil {
			return err
		}
		if err := files.Replace(page, func(w io.Writer) error { return report.Write(w, p) }); err != nil {
			return err
		}
	}
	_, err := io.WriteString(s.out, all.String())
	return err
}

// finding is what there is to say about an execution.
func (m *maintained) finding(c result.Counterexample) (*report.Finding, error) {
	f := &report.Finding{Execution: c.Execution, Broken: c.Violations, Because: c.Because, Scope: c.Execution.Bounds.String(), Ldfi: version()}
	if m.file == "" {
		return f, nil
	}
	f.Tick, f.Replay = cmp.Or(m.cluster.Tick, 10*time.Millisecond).String(), m.replay(c.Schedule, c.Execution.Bounds.EOT)
	seen := map[string]bool{}
	for i, n := range m.cluster.All() {
		if seen[n.File] {
			continue
		}
		seen[n.File] = true
		if i < len(m.cluster.Nodes) {
			f.Programs = append(f.Programs, report.Field{Name: "server " + cmp.Or(n.Program, n.Name), Lines: m.version(n.File)})
			continue
		}
		a, is, err := attach(n.File, filepath.Join(m.cluster.Dir, n.File))
		if err != nil {
			return nil, err
		}
		if is {
			f.Attached = append(f.Attached, a)
		}
	}
	whole, _, err := attach(m.file, m.file)
	f.Attached = append([]report.Attached{whole}, f.Attached...)
	if err != nil {
		return nil, err
	}
	f.Requests, err = m.requests(c.Schedule)
	return f, err
}

// replay is the command that executes a schedule in so many rounds; "" if the cluster is
// not known.
func (m *maintained) replay(s rounds.Schedule, eot int) string {
	words := []string{"ldfi", "inject", m.file}
	if eot != cmp.Or(m.cluster.Faults.EOT, m.cluster.Rounds) {
		words = append(words, "--eot", strconv.Itoa(eot))
	}
	if m.file == "" {
		return ""
	}
	return text.ShellJoin(append(words, "--faults", answertext.Schedule(s))...)
}

// version names a package with its version, and one of a directory with the versions that
// its module requires.
func (m *maintained) version(pkg string) []string {
	dir := filepath.Join(m.cluster.Dir, pkg)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return []string{pkg}
	}
	lines, imports := []string{filepath.ToSlash(dir)}, imported(dir)
	data, err := files.Read(filepath.Join(gobuild.ModuleRoot(dir), "go.mod"), files.Text)
	if err != nil {
		return lines
	}
	if mod, err := modfile.ParseLax("go.mod", data, nil); err == nil {
		for _, r := range mod.Require {
			if slices.ContainsFunc(imports, func(i string) bool { return i == r.Mod.Path || strings.HasPrefix(i, r.Mod.Path+"/") }) {
				lines = append(lines, r.Mod.String())
			}
		}
	}
	return lines
}

// imported are the packages that the Go files of a directory import.
func imported(dir string) (all []string) {
	for _, path := range programFiles(dir) {
		data, err := files.Read(path, files.Text)
		if err != nil {
			continue
		}
		if file, err := parser.ParseFile(token.NewFileSet(), path, data, parser.ImportsOnly); err == nil {
			for _, i := range file.Imports {
				name, _ := strconv.Unquote(i.Path.Value)
				all = append(all, name)
			}
		}
	}
	return all
}

// programFiles are the Go files of a directory that are no tests.
func programFiles(dir string) []string {
	paths, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return slices.DeleteFunc(paths, func(p string) bool { return strings.HasSuffix(p, "_test.go") })
}

// requests are those of the script that a schedule makes.
func (m *maintained) requests(s rounds.Schedule) (lines []string, err error) {
	numbers, given := s.Settings.Scripted()
	if m.cluster.Requests == "" || !given {
		return nil, nil
	}
	data, err := files.Read(filepath.Join(m.cluster.Dir, m.cluster.Requests), files.Text)
	if err != nil {
		return nil, err
	}
	all := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, n := range numbers {
		if n <= len(all) {
			lines = append(lines, all[n-1])
		}
	}
	return lines, nil
}

// attach reads a file, or the Go files of a directory; false if it is neither.
func attach(name, path string) (a report.Attached, is bool, err error) {
	a.Name, a.Language = name, "yaml"
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) { // a package of another module
		return a, false, nil
	}
	if err != nil {
		return a, false, err
	}
	paths := []string{path}
	if info.IsDir() {
		paths = programFiles(path)
		a.Name, a.Language = filepath.ToSlash(path), "go"
	}
	for _, p := range paths {
		data, err := files.Read(p, files.Text)
		if err != nil {
			return a, false, err
		}
		if len(paths) > 1 {
			a.Lines = append(a.Lines, "// "+filepath.Base(p)+":")
		}
		a.Lines = append(a.Lines, strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")...)
	}
	if n := len(a.Lines); n > longestAttached {
		a.Lines, a.Left = nil, fmt.Sprintf("has %d lines, and is not here", n)
	}
	return a, true, nil
}
