package bisect

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"
)

//go:embed markdown.tmpl
var markdownText string

var markdown = template.Must(template.New("markdown").Funcs(template.FuncMap{
	"about": (*Matrix).about, "scopes": (*Matrix).scopes, "table": (*Matrix).table, "remarks": (*Matrix).remarks, "heading": (*Matrix).heading,
	"support": Change.support, "boundsDiffer": Change.boundsDiffer, "labels": labels, "shorten": shorten,
	"escape":    markdownEscapes.Replace,
	"firstLine": func(text string) string { line, _, _ := strings.Cut(text, "\n"); return line },
}).Parse(markdownText))

// markdownEscapes keeps a text from meaning something in Markdown.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "&", "&amp;", "~", `\~`, "$", `\$`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "#", `\#`, "\n", " ")

// WriteMarkdown writes the report as Markdown, for a comment or a page.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	if err := markdown.Execute(&b, r); err != nil {
		return fmt.Errorf("writing Markdown: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}
