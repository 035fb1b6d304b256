package suite

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// WriteJUnit writes the report as JUnit XML, as Jenkins, GitLab and others read it: a test
// case for each case of the suite. A case that differs from its expectation is a failure. A
// case that could not be asked is an error, and so is an inconclusive one: a skipped test
// would look harmless.
func (r *Report) WriteJUnit(w io.Writer) error {
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	_, err := io.WriteString(w, xml.Header)
	if err == nil {
		err = e.Encode(junit.Testsuites{Suites: []junit.Testsuite{r.junit()}})
	}
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	if err != nil {
		return fmt.Errorf("writing JUnit XML: %w", err)
	}
	return nil
}

func (r *Report) junit() junit.Testsuite {
	warnings := r.Warnings[:len(r.Warnings):len(r.Warnings)]
	if note := r.byHosts(); note != "" {
		warnings = append(warnings, note)
	}
	s := junit.Testsuite{Name: text.Safe(r.title()), SystemErr: junitLines(warnings)}
	if r.Shard != "" {
		s.AddProperty("shard", text.Safe(r.Shard))
	}
	var total time.Duration
	for i := range r.Cases {
		total += r.Cases[i].elapsed()
		s.AddTestcase(r.Cases[i].junit(className(r.Suite)))
	}
	s.Time = seconds(total)
	return s
}

// className turns the name of the suite into that of a Java class. Some readers take the
// part before the last dot of such a name for a package.
func className(suite string) string {
	name := strings.TrimSuffix(filepath.ToSlash(suite), filepath.Ext(suite))
	name = strings.ReplaceAll(strings.TrimLeft(name, "./"), "/", ".")
	return text.Safe(name)
}

func (c *CaseResult) junit(class string) junit.Testcase {
	out := junit.Testcase{Name: text.Safe(c.Name), Classname: class, Time: seconds(c.elapsed())}
	if c.Answer != nil {
		out.SystemErr = junitLines(c.warnings())
	}
	problem := &junit.Result{Type: c.verdictText(), Message: oneLine(c.headline()), Data: text.SafeLines(c.story())}
	switch c.Outcome {
	case Pass:
		out.SystemOut = &junit.Output{Data: problem.Data}
	case Fail:
		out.Failure = problem
	default:
		out.Error = problem
	}
	return out
}

// junitLines is an element with lines, none if there are no lines.
func junitLines(lines []string) *junit.Output {
	if len(lines) == 0 {
		return nil
	}
	return &junit.Output{Data: text.SafeLines(strings.Join(lines, "\n"))}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// story tells all about a case in lines of text, and draws the execution.
func (c *CaseResult) story() string {
	var out bytes.Buffer
	text.Field(&out, "", 9, "case", fmt.Sprintf("%s (%s:%d:%d)", c.Name, c.File, c.Line, c.Column))
	for _, d := range c.details() {
		if d.name != "warning" { // warnings have an element of their own
			text.Field(&out, "", 9, d.name, d.lines...)
		}
	}
	if broken := c.broken(); broken != nil && broken.Execution != nil {
		out.WriteString("\n")
		diagram.Write(&out, broken.Execution, diagramOf(broken))
	}
	return out.String()
}
