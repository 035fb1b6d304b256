package tendermint_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/stretchr/testify/require"
)

// row is a line of the table of the documentation: a name, whether a bug is told, filters,
// outcome, rules, outcome.
var row = regexp.MustCompile(`(?m)^//\t(\w+) (\*?) +(\d) +(\d+) +(\d) +(\d+)$`)

// scenario is the file of a row: expect_unlock.mg of ExpectUnlock.
func scenario(name string) string {
	words := regexp.MustCompile(`[A-Z][a-z]+`).FindAllString(name, -1)
	return filepath.Join("scenarios", strings.ToLower(strings.Join(words, "_"))+".mg")
}

// The table of the documentation has each scenario, and how many of its rules decide something.
func TestTable(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	rows := row.FindAllStringSubmatch(string(doc), -1)
	files, err := filepath.Glob("scenarios/*.mg")
	require.NoError(t, err)
	require.Len(t, files, len(rows))
	for _, row := range rows {
		file := scenario(row[1])
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		g, err := guide.Parse(file, string(text))
		require.NoError(t, err)
		rules := 0
		for _, r := range g.Rules() {
			if r.Name != "goto" && r.Name != "good" && r.Name != "bad" {
				rules++
			}
		}
		require.Equal(t, row[5], strconv.Itoa(rules), file)
	}
}
