package suite

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// WriteAnnotations writes the report as workflow commands of GitHub Actions, which show it
// beside the lines of a pull request: an error for each case that differs or could not be
// asked, and a warning for each inconclusive case. The commands have to go to the standard
// output of a step.
func (r *Report) WriteAnnotations(w io.Writer) error {
	var out strings.Builder
	for i := range r.Cases {
		r.Cases[i].annotate(&out)
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("writing annotations: %w", err)
	}
	return nil
}

func (c *CaseResult) annotate(out *strings.Builder) {
	command, title := "error", fmt.Sprintf("%s: %s", c.Name, c.verdictText())
	switch c.Outcome {
	case Pass:
		return
	case Inconclusive:
		command = "warning"
	}
	properties := c.properties()
	for _, v := range properties {
		at := v.Position
		if at.File == "" {
			at = c.Position
		}
		annotation(out, command, at, title, c.violationText(v))
	}
	if len(properties) == 0 {
		annotation(out, command, c.Position, title, c.headline())
	}
}

// annotation writes one workflow command.
func annotation(out *strings.Builder, command string, at specs.Position, title, message string) {
	fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", command,
		workflowProperty.Replace(text.Safe(filepath.ToSlash(at.File))), at.Line, at.Column,
		workflowProperty.Replace(text.Safe(title)), workflowData.Replace(text.SafeLines(message)))
}

// How workflow commands want texts: see "Workflow commands for GitHub Actions" in
// its documentation, and the function escapeProperty of its toolkit.
var (
	workflowData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	workflowProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
