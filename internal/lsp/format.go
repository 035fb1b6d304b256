package lsp

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// format answers what changes a text to the form of ldfi fmt.
func (c *conversation) format(_ context.Context, p documentParams) (any, error) {
	d, err := c.named(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	formatted, err := dedalus.Format(filepath.Base(d.path), []byte(d.text))
	if err != nil {
		return nil, err
	}
	return d.edits(string(formatted)), nil
}

// edits returns the edit that makes another text of a document, of whole lines, so that what
// stands before and behind it stays where it is; none if the texts are equal.
func (d *document) edits(text string) []textEdit {
	if text == d.text {
		return []textEdit{}
	}
	before := 0
	for {
		n := strings.IndexByte(d.text[before:], '\n') + 1
		if n == 0 || !strings.HasPrefix(text[before:], d.text[before:before+n]) {
			break
		}
		before += n
	}
	old, changed := d.text[before:], text[before:]
	behind := 0
	for {
		n := len(old) - behind - 1 - strings.LastIndexByte(strings.TrimSuffix(old[:len(old)-behind], "\n"), '\n')
		if n <= 0 || n > len(old)-behind || !strings.HasSuffix(changed[:len(changed)-behind], old[len(old)-behind-n:len(old)-behind]) {
			break
		}
		behind += n
	}
	return []textEdit{{d.span(before, len(d.text)-behind), changed[:len(changed)-behind]}}
}
