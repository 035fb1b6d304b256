package main

import (
	"bytes"
	"context"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A report says exactly what the command prints: all of it as text, and its parts where
// they stand in the page.
func TestReportsSayWhatIsPrinted(t *testing.T) {
	for _, args := range []string{
		"run ../../testdata/protocols/delivery/retry.ded",
		"run ../../testdata/protocols/delivery/classic.ded --repairs",
		"run ../../testdata/protocols/delivery/ack.ded",
		"run ../../testdata/protocols/replog/buggy.ded --max 3",
		"run ../../testdata/protocols/traps/aggregates.ded",
		"hypotheses ../../testdata/protocols/commit/2pc.ded --max 30",
		"hypotheses ../../testdata/protocols/delivery/retry.ded --cost crash=3",
		"hypotheses ../../testdata/protocols/delivery/retry.ded --size 2",
	} {
		t.Run(args, func(t *testing.T) {
			words := strings.Fields(args)
			plain, code := printed(t, words...)
			file := filepath.Join(t.TempDir(), "report.html")
			besides, again := printed(t, append(words, "--report", file)...)
			require.Equal(t, plain, besides)
			require.Equal(t, code, again)
			page := unlinked(t, file)
			require.Contains(t, page, "<pre tabindex=\"0\">\n"+html.EscapeString(plain)+"</pre>")
			heading, _, _ := strings.Cut(plain, "\n")
			verdict, about, _ := strings.Cut(heading, " ")
			require.Contains(t, page, ">"+verdict+"</span>")
			require.Contains(t, page, ">"+html.EscapeString(strings.TrimSpace(about))+"</span></h1>")
		})
	}
}

// Who has nothing but a report sees what would repair the protocol: what the command
// suggests if it is asked.
func TestReportsSuggestRepairs(t *testing.T) {
	for _, name := range []string{"delivery/retry", "replication/kafka_isr", "replog/buggy", "commit/2pc_timeout", "restart/2pc_forgets"} {
		file := filepath.Join(t.TempDir(), "report.html")
		program := "../../testdata/protocols/" + name + ".ded"
		printed(t, "run", program, "--report", file)
		asked, _ := printed(t, "run", program, "--repairs")
		_, repairs, found := strings.Cut(asked, "\n  repairs  ")
		require.True(t, found)
		_, section, found := strings.Cut(unlinked(t, file), `<section id="repairs">`)
		require.True(t, found, name)
		section, _, _ = strings.Cut(section, "</section>")
		for line := range strings.Lines(repairs) {
			require.Contains(t, section, html.EscapeString(strings.TrimSpace(line)), name)
		}
	}
}

// The page of a case that breaks against what is expected has them too; that of one that is
// expected to break has not.
func TestCasesSuggestRepairs(t *testing.T) {
	program, err := filepath.Abs("../../testdata/protocols/delivery/retry.ded")
	require.NoError(t, err)
	for expected, want := range map[string]int{"holds": 1, "violated": 0} {
		t.Chdir(t.TempDir())
		require.NoError(t, os.WriteFile("ldfi.yaml", []byte("cases:\n  - files: "+program+"\n    expect: "+expected+"\n"), 0o600))
		printed(t, "check", "--no-cache", "--report", "report.html")
		text, err := os.ReadFile("report.html")
		require.NoError(t, err)
		require.Equal(t, want, strings.Count(string(text), `<section id="repairs">`), expected)
	}
}

// What is too large for a report, or takes too long, is left out of it, and the report says
// so: the answer is there.
func TestReportsLeaveOutWhatIsTooLarge(t *testing.T) {
	for args, want := range map[string]string{
		"run ../../testdata/protocols/replog/buggy.ded --max-facts 100":         "the execution without faults is left out: stopped in round 5 with 101 facts at relation output",
		"run ../../testdata/protocols/replog/buggy.ded --max-gates 50":          "the lineage is left out: evaluating the program: building the circuit: more than 50 gates are needed",
		"run ../../testdata/protocols/elastic/v6-checkpoint.ded --timeout 10ms": "inconclusive",
	} {
		file := filepath.Join(t.TempDir(), "report.html")
		plain, code := printed(t, append(strings.Fields(args), "--report", file)...)
		require.NotEmpty(t, plain, args)
		require.Contains(t, []int{exitViolated, exitInconclusive}, code)
		page, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(page), want, args)
	}
}

// A fault set stands in one place of a page, and not again among what was asked; a flag is not
// taken for the name of the file.
func TestReportsSayThingsOnce(t *testing.T) {
	program := "../../testdata/protocols/delivery/retry.ded"
	file := filepath.Join(t.TempDir(), "report.html")
	for _, command := range []string{"run", "hypotheses"} {
		printed(t, command, program, "--report", file)
		_, asked, found := strings.Cut(unlinked(t, file), `<section id="scope">`)
		require.True(t, found)
		asked, _, _ = strings.Cut(asked, "</section>")
		require.Contains(t, asked, "<dt>scope</dt>")
		for _, name := range []string{"faults", "because", "cuts", "2"} {
			require.NotContains(t, asked, "<dt>"+name+"</dt>", command)
		}
	}
	var errors bytes.Buffer
	require.Equal(t, exitUsage, run(context.Background(), []string{"run", program, "--report", "--max", "5"}, streams{in: strings.NewReader(""), out: &bytes.Buffer{}, err: &errors}))
	require.Contains(t, errors.String(), "--report --max: this needs the name of a file, as in --report out.html")
}

// unlinked reads a page without its links into the program.
func unlinked(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return regexp.MustCompile(`<a class="line" href="#line-\d+-\d+">([^<]*)</a>`).ReplaceAllString(string(text), "$1")
}

// printed runs a command and returns what it prints, and its exit code.
func printed(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out, errors bytes.Buffer
	code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &errors})
	return out.String(), code
}
