package house_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

var onePage = flag.String("page", "", "look at this page only, as docs/faults.md, and at all of its sentences")

// What readers have to bear at most.
const (
	allWords      = 49000 // of README.md and all pages below docs
	pageWords     = 3000
	sentenceWords = 30
	lineWidth     = 120 // tables apart
)

// others are texts outside of the docs, of which only sentences and lines are looked at.
var others = []string{"CONTRIBUTING.md", "SECURITY.md", "examples/README.md", "examples/standin/README.md", "examples/template/README.md"}

// TestProse counts words, sentences and lines, as wc does: what stands in code blocks counts, too.
// Each page links to the words that all use.
func TestProse(t *testing.T) {
	words, published := 0, pages(t)
	for _, name := range append(published, others...) {
		body, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		n := len(strings.Fields(string(body)))
		page := slices.Contains(published, name)
		if page {
			words += n
		}
		if *onePage != "" && name != *onePage {
			continue
		}
		if *onePage != "" {
			t.Logf("%s: %d words", name, n)
		}
		if page && n > pageWords {
			t.Errorf("%s has %d words, more than %d", name, n, pageWords)
		}
		if page && name != "docs/glossary.md" && !strings.Contains(string(body), "glossary.md)") {
			t.Errorf("%s does not link to docs/glossary.md", name)
		}
		for i, line := range strings.Split(string(body), "\n") {
			if width := utf8.RuneCountInString(line); width > lineWidth && !strings.HasPrefix(strings.TrimSpace(line), "|") {
				t.Errorf("%s:%d: a line of %d characters, more than %d", name, i+1, width, lineWidth)
			}
		}
		for _, s := range sentences(body) {
			if n := len(strings.Fields(s)); n > sentenceWords {
				t.Errorf("%s: a sentence of %d words, more than %d: %s", name, n, sentenceWords, s)
			}
		}
	}
	t.Logf("%d words in all", words)
	require.LessOrEqual(t, words, allWords)
}

// pages returns the pages by their names in the repository.
func pages(t *testing.T) []string {
	all := []string{"README.md"}
	require.NoError(t, filepath.WalkDir(root+"/docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if filepath.Ext(name) == ".md" {
			within, err := filepath.Rel(root, name)
			all = append(all, filepath.ToSlash(within))
			return err
		}
		return err
	}))
	return all
}

// sentences returns the sentences of the paragraphs, list items, headings and cells of a page.
func sentences(body []byte) (all []string) {
	document := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(body))
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading, *tables.TableCell:
			all = append(all, split(plain(n, body))...)
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return all
}

// plain is what a reader sees of a paragraph.
func plain(n ast.Node, body []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(body))
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// split takes a text apart where a word ends with a full stop, a question mark or an exclamation mark.
func split(text string) (all []string) {
	var words []string
	for _, word := range strings.Fields(text) {
		words = append(words, word)
		if end := strings.TrimRight(word, `"')`); strings.HasSuffix(end, ".") || strings.HasSuffix(end, "?") || strings.HasSuffix(end, "!") {
			all, words = append(all, strings.Join(words, " ")), nil
		}
	}
	if len(words) > 0 {
		all = append(all, strings.Join(words, " "))
	}
	return all
}
