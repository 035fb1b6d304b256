package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// told is what a file tells of executions: an answer, or recordings.
type told struct {
	file    string
	verdict result.Verdict // "": nothing was judged
	found   []result.Counterexample
	again   string // the command that executes it; "" if that is not known
}

// ofServers tells whether it is a finding for those who maintain servers, and no trace.
func (t *told) ofServers() bool {
	return t.verdict != result.Holds && !slices.ContainsFunc(t.found, func(c result.Counterexample) bool {
		return c.Execution.System == "" || strings.HasPrefix(c.Execution.System, causality.SystemPrefix)
	})
}

// tell reads what files tell. A schedule of a program that was kept is executed.
func (s *session) tell(cmd *cobra.Command, names []string) ([]*told, error) {
	var all []*told
	for _, name := range names {
		tell := s.told
		if filepath.Ext(name) == ".txt" {
			tell = func(name string) (*told, error) { return s.executed(cmd, name) }
		}
		t, err := tell(name)
		switch {
		case err == nil:
			all = append(all, t)
		case filepath.Ext(name) == ".txt":
			return nil, err
		default:
			return nil, otherwise(cmd, []string{name}, err)
		}
	}
	return all, nil
}

// executed executes a schedule that was kept, by the command that stands in its comments. A
// report starts no system and writes no file for it, whatever the comments say.
func (s *session) executed(cmd *cobra.Command, name string) (*told, error) {
	if _, err := schedules.ReadKept(name); err != nil {
		return nil, err
	}
	command := commandKept(name)
	words, err := text.ShellSplit(command)
	if err != nil || !s.harmless(words) {
		return nil, fmt.Errorf("%s is a schedule, and a report does not execute it; this does:\n  %s\nA report takes its recording, as ldfi inject --output json and go test -artifacts write it", name, command)
	}
	var out bytes.Buffer
	in := &session{streams: streams{in: strings.NewReader(""), err: s.err}, stdout: &out, stderr: s.stderr, args: append(words[1:], "--output", "json")}
	if err := cmp.Or(in.execute(cmd.Context()), in.write()); err != nil {
		return nil, fmt.Errorf("%s: its command %s: %w", name, command, err)
	}
	t, err := toldBy(name, out.Bytes())
	if err == nil {
		t.again = command
	}
	return t, err
}

// harmless tells whether a command executes a schedule of a program and does nothing else.
func (s *session) harmless(words []string) bool {
	if len(words) < 3 || words[0] != "ldfi" || words[1] != "inject" {
		return false
	}
	inject := s.injectCommand()
	good := inject.ParseFlags(words[2:]) == nil && len(inject.Flags().Args()) > 0
	for _, file := range inject.Flags().Args() {
		good = good && filepath.Ext(file) == ".ded"
	}
	inject.Flags().Visit(func(f *pflag.Flag) {
		good = good && slices.Contains(append(allBounds(), "bounds", "faults"), f.Name)
	})
	return good
}

// headline says what an execution breaks, or under which schedule it is.
func headline(c result.Counterexample) string {
	switch {
	case len(c.Violations) == 0 && len(c.Schedule.Faults) == 0:
		return "without faults"
	case len(c.Violations) == 0:
		return "under " + answertext.Schedule(c.Schedule)
	}
	return answertext.Broken(c.Violations)
}

// page is a page of a file.
func (t *told) page(command string) (*report.Page, error) {
	first := t.found[0]
	p := report.NewPage(cmp.Or(first.Execution.System, filepath.Base(t.file)), command, first.Execution.Bounds)
	p.Headline = headline(first)
	p.Fields = []report.Field{{Name: "faults", Lines: []string{answertext.Schedule(first.Schedule)}}}
	if len(first.Because) > 0 {
		p.Fields = append(p.Fields, report.Field{Name: "because", Lines: text.SafeEach(first.Because)})
	}
	var drawn strings.Builder
	for _, c := range t.found {
		if err := answertext.Draw(&drawn, c.Execution, c.Violations, answertext.Drawing{}); err != nil {
			return nil, err
		}
	}
	p.Text = drawn.String()
	a := result.Answer{Verdict: t.verdict, Counterexamples: t.found}
	return p, p.AddAnswer(&a, report.Words{About: answertext.Size, Replay: func(rounds.Schedule) string { return t.again }})
}

// writePages writes one page of what files tell: of several, behind a table of them.
func (s *session) writePages(all []*told, file string) error {
	l := &report.Landing{Title: "ldfi report", Command: s.plainCommand(), Headline: text.Plural(len(all), "recording")}
	table := report.Part{Table: [][]report.Cell{report.Cells("recording", "verdict", "faults", "what happens")}}
	for _, t := range all {
		p, err := t.page(s.plainCommand())
		if err != nil {
			return fmt.Errorf("%s: %w", t.file, err)
		}
		if len(all) == 1 {
			return files.Replace(file, func(w io.Writer) error { return report.Write(w, p) })
		}
		row := report.Cells(text.Safe(t.file), string(t.verdict), answertext.Schedule(t.found[0].Schedule), p.Headline)
		row[0].Page, row[1].Verdict = l.Add(p, t.verdict != result.Violated), t.verdict
		table.Table = append(table.Table, row)
		l.Text += t.file + "\n" + p.Text + "\n"
	}
	l.Parts = append(l.Parts, table)
	return files.Replace(file, l.Write)
}
