package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/spf13/pflag"
)

// addReport adds the flag for a report.
func addReport(flags *pflag.FlagSet, file *string) {
	flags.Var((*reportFile)(file), "report", "write an HTML page with diagrams, states and reasons to `file`")
}

// reportFile is the name of a report. It is no flag: that would be one behind a --report
// without a name.
type reportFile string

func (f *reportFile) String() string { return string(*f) }

func (f *reportFile) Type() string { return "string" }

// Set takes a name.
func (f *reportFile) Set(name string) error {
	if name == "" || strings.HasPrefix(name, "-") {
		return fmt.Errorf("this needs the name of a file, as in --report out.html; one that begins with - is written ./%s", cmp.Or(name, "-"))
	}
	*f = reportFile(name)
	return nil
}

// writeReport writes a report about an answer into a file; none without a name.
func writeReport(ctx context.Context, file, command string, o *subject.Opened, a *result.Answer, text *answertext.Page, words report.Words) error {
	if file == "" {
		return nil
	}
	p := report.NewPage(titleOf(o.Subject()), command, o.Bounds())
	p.Headline, p.Fields, p.Text = text.About, text.Fields, text.String()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeLeft(ctx))
	defer cancel()
	if err := o.Report(ctx, p, a, words); err != nil {
		return err
	}
	suggest(ctx, p, o, a)
	return files.Replace(file, func(w io.Writer) error { return report.Write(w, p) })
}

// unaskedRepairs limits the time for repairs that are not requested: about all protocols of
// testdata need a fifth of a second, and the slowest four seconds.
const unaskedRepairs = 10 * time.Second

// suggest adds repairs of a protocol to a page, if the answer has none: the reader of the
// page has nothing else.
func suggest(ctx context.Context, p *report.Page, o *subject.Opened, a *result.Answer) {
	protocol := o.AsProtocol()
	if a.Repairs != nil || a.First() == nil || protocol == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, unaskedRepairs)
	defer cancel()
	r, err := protocol.Repairs(ctx, a)
	if err != nil {
		p.Warnings = append(p.Warnings, text.Safe("suggested repairs are left out: "+err.Error()))
		return
	}
	p.Fields = append(p.Fields, report.Field{Name: "repairs", Lines: text.SafeEach(answertext.Repairs(r))})
}

// timeLeft is the time for a report: that of the command, and a second if it is over, so
// that the report has the results so far.
func timeLeft(ctx context.Context) time.Duration {
	const least = time.Second
	deadline, limited := ctx.Deadline()
	switch {
	case ctx.Err() != nil:
		return least
	case limited:
		return max(time.Until(deadline), least)
	default:
		return 24 * time.Hour
	}
}

// titleOf names the subject.
func titleOf(about subject.Subject) string {
	if s := about.AsSystem(); s != nil {
		return cmp.Or(s.Name, s.Command)
	}
	var names []string
	for _, file := range about.AsProtocol().Files {
		names = append(names, filepath.Base(file))
	}
	return strings.Join(names, " ")
}

// plainCommand is the command line without the flag for a report: it prints the same.
func (s *session) plainCommand() string {
	words := []string{"ldfi"}
	for i := 0; i < len(s.args); i++ {
		switch {
		case s.args[i] == "--report":
			i++
		case !strings.HasPrefix(s.args[i], "--report="):
			words = append(words, s.args[i])
		}
	}
	return text.ShellJoin(words...)
}
