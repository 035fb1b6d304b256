package gobuild

import (
	"fmt"
	"strings"
)

// ApplyEdits makes all edits of one file. name says where it is, for errors.
func ApplyEdits(name, text string, edits []Edit) (string, error) {
	for _, e := range edits {
		if n := strings.Count(text, e.Old); n != 1 {
			return "", fmt.Errorf("%s: what ldfi wants to edit there (%s) occurs %d times instead of once:\n%s\n"+
				"So this is not a Go that ldfi knows how to edit: use one of the releases %s as they come from go.dev, "+
				"or do without (`ldfi doctor` says what is lost)", name, e.Why, n, indented(e.Old), strings.Join(Releases, " or "))
		}
		text = strings.Replace(text, e.Old, e.New, 1)
	}
	return text, nil
}

func indented(text string) string {
	return "\t" + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n\t")
}
