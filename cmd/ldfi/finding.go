package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
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
		Use:   "report [CLUSTER] FINDING | RECORDING...",
		Short: "Make a page of recordings, or the text of an issue",
		Long: `report makes one HTML page (-o) of recordings, of answers with --output json, of imported traces, and of
schedules that ldfi check has kept. Of several files the page begins with a table.

What was found of servers it writes as the text of an issue, in Markdown. That has what breaks under which faults,
what the servers log and send, your client, and the command that repeats it. CLUSTER is the file with the servers;
without it versions, programs and the command are left out. With -o there is a page as well.

A kept schedule of a program is executed for its page; nothing else is executed. The file - is standard input.

Exit codes: 0 written, 2 wrong usage or input.`,
		Example: `  ldfi report found.json recording.json testdata/ldfi/retry/post.txt -o page.html
  ldfi run cluster.yaml --output json > found.json; ldfi report cluster.yaml found.json`,
		Args: func(cmd *cobra.Command, words []string) error {
			switch {
			case len(words) == 0 || len(words) == 1 && isCluster(words[0]):
				return errUsage(cmd, "report needs a finding or recordings: what ldfi run or ldfi inject have written with --output json")
			case slices.ContainsFunc(words[1:], isCluster), len(words) > 2 && isCluster(words[0]):
				return errUsage(cmd, "report takes a cluster, a file that ends with .yaml, and one finding behind it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := checkWritten(words, page); err != nil {
				return err
			}
			of := maintained{name: words[len(words)-1]}
			if isCluster(words[0]) {
				return s.reportServers(&of, words[0], page)
			}
			all, err := s.tell(cmd, words)
			if err != nil {
				return err
			}
			if len(all) == 1 && all[0].ofServers() {
				return s.reportFindings(&of, all[0].found, page)
			}
			if page == "" {
				return errUsage(cmd, fmt.Sprintf("a report about %s is a page: name its file, as in -o page.html", strings.Join(words, ", ")))
			}
			return s.writePages(all, page)
		},
	}
	cmd.Flags().VarP((*reportFile)(&page), "out", "o", "write the HTML page to `file`")
	return cmd
}

// told reads what a file tells.
func (s *session) told(file string) (*told, error) {
	name, data, err := s.read(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("reading a finding: there is no file %s", name)
	case err != nil:
		return nil, fmt.Errorf("reading a finding: %w", err)
	}
	return toldBy(name, data)
}

// toldBy is what a text tells: the answer of run or inject, or a recording.
func toldBy(name string, data []byte) (*told, error) {
	var answer struct {
		Verdict         result.Verdict          `json:"verdict"`
		Counterexamples []result.Counterexample `json:"counterexamples"`
		Violations      []result.Violation      `json:"violations"`
		Because         []string                `json:"because"`
		Schedule        rounds.Schedule         `json:"schedule"`
	}
	_ = json.Unmarshal(data, &answer) // lines of a recording are no such text
	executions, err := parseExecutions(data)
	if err != nil && answer.Verdict == result.Holds {
		return nil, fmt.Errorf("%s breaks no promise: it is no finding, and has no recording", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is neither a recording nor an answer of ldfi run or inject with --output json\n%w", name, located(name, err))
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
		found[i].Execution, found[i].Size = e, len(e.Schedule.Faults)
	}
	return &told{file: name, verdict: answer.Verdict, found: found}, nil
}

// findings reads the executions of servers that break something.
func (s *session) findings(file string) ([]result.Counterexample, error) {
	t, err := s.told(file)
	if err != nil {
		return nil, err
	}
	if t.verdict == result.Holds {
		return nil, fmt.Errorf("%s breaks no promise: it is no finding", t.file)
	}
	for _, c := range t.found {
		if c.Execution.System == "" {
			return nil, fmt.Errorf("%s is about a protocol, and not about servers: ldfi report %s -o page.html makes a page of it", t.file, t.file)
		}
	}
	return t.found, nil
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

// reportServers writes what was found of the servers of a cluster.
func (s *session) reportServers(of *maintained, cluster, page string) error {
	if filepath.Ext(of.name) == ".txt" {
		return fmt.Errorf("%s is a schedule, and a report needs an execution: its command with ldfi inject --output json writes one", of.name)
	}
	if err := of.read(cluster); err != nil {
		return err
	}
	found, err := s.findings(of.name)
	if err != nil {
		return err
	}
	return s.reportFindings(of, found, page)
}

// reportFindings writes what was found.
func (s *session) reportFindings(of *maintained, found []result.Counterexample, page string) error {
	if first := (&report.Finding{Execution: found[0].Execution}); of.file == "" && first.Servers() {
		s.warn([]specs.Warning{{Position: specs.Position{File: "ldfi"}, Message: "the versions, the programs and the command are left out: a cluster before the finding names them, as in ldfi report cluster.yaml " + of.name}})
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
		p.Headline, p.Fields, p.Text = headline(first), fields, all.String()
		a := result.Answer{Verdict: result.Violated, Counterexamples: found}
		if len(first.Violations) == 0 {
			a.Verdict = ""
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
