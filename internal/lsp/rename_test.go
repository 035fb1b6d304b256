package lsp_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// A program in which a relation has another name is the same but for that: one in twenty of
// those of testdata, all with -long.
func TestRenameInPrograms(t *testing.T) {
	dir, err := filepath.Abs("../../testdata")
	require.NoError(t, err)
	e := talking(t, dir, nil)
	e.request("initialize", map[string]any{"rootUri": e.uri(""), "capabilities": map[string]any{}})
	all, renamed := programs(t), 0
	for i, path := range names(all) {
		p, err := dedalus.Parse(path)
		if i%20 != 0 && !*long || err != nil {
			continue
		}
		for _, r := range p.Relations() {
			switch r.Name {
			case "crash", "booted", "pre", "post", "good", "violation":
				continue
			}
			params := e.document(strings.TrimPrefix(r.Position.File, "../../testdata/"))
			line := strings.Split(all[r.Position.File], "\n")[r.Position.Line-1]
			column := r.Position.Column - 1 + max(0, strings.Index(line[r.Position.Column-1:], r.Name+"(")) // of a choice it stands further on
			params["position"] = place{r.Position.Line - 1, len(utf16.Encode([]rune(line[:column])))}
			params["newName"] = "another_name"
			edits := of[struct{ Changes map[string][]edit }](e, "textDocument/rename", params).Changes
			after := fstest.MapFS{}
			for _, file := range p.Files {
				name := strings.TrimPrefix(file, "../../testdata/")
				after[name] = &fstest.MapFile{Data: []byte(applied(all[file], edits[e.uri(name)]))}
			}
			other, err := dedalus.ParseFS(after, strings.TrimPrefix(path, "../../testdata/"))
			require.NoError(t, err, "%s %s", path, r.Name)
			text := regexp.MustCompile(`(^|[ \n])`+regexp.QuoteMeta(r.Name)+`\(`).ReplaceAllString(p.String(), "${1}another_name(")
			text = regexp.MustCompile(`((?:durable|kinds)=(?:\S*,)?)`+regexp.QuoteMeta(r.Name)+`([,\n])`).ReplaceAllString(text, "${1}another_name$2")
			require.Equal(t, text, other.String(), "%s %s", path, r.Name)
			renamed++
		}
	}
	require.Greater(t, renamed, 20)
}
