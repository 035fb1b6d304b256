package specs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Error is one mistake in a program, with its position.
type Error struct {
	Position
	Message string
	Excerpt string // the source line, "" when there is none
}

// Error returns file:line:column: message, then the source line and a caret
// below the column.
func (e *Error) Error() string { return render(e.Position, e.Message, e.Excerpt) }

// Errors are all mistakes in a program, in the order of the files and their lines.
type Errors []*Error

// shown is the number of errors that Errors.Error prints in full.
const shown = 100

// Error returns the messages of the errors, one below the other.
func (es Errors) Error() string {
	var b strings.Builder
	for i, e := range es {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == shown {
			fmt.Fprintf(&b, "and %d more errors", len(es)-shown)
			break
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// Unwrap returns the single errors.
func (es Errors) Unwrap() []error {
	all := make([]error, len(es))
	for i, e := range es {
		all[i] = e
	}
	return all
}

// Warning reports something that is allowed but probably not meant. A warning without a
// position is about no place in particular.
type Warning struct {
	Position
	Message string `json:"message"` // a sentence
	Excerpt string `json:"-"`       // the source line, "" when there is none
}

// String returns file:line:column: warning: message, then the source line and
// a caret below the column.
func (w Warning) String() string { return render(w.Position, "warning: "+w.Message, w.Excerpt) }

// width is the number of characters of a source line that are shown on either
// side of the caret.
const width = 80

func render(at Position, message, excerpt string) string {
	place := at.String()
	if at.Line == 0 {
		place = at.File
	}
	text := text.Safe(place) + ": " + message
	if strings.TrimSpace(excerpt) == "" {
		return text
	}
	cut := min(max(at.Column-1, 0), len(excerpt))
	const most = (width + 1) * utf8.UTFMax // bytes: the line may be long, and have many errors
	left, right := []rune(excerpt[max(cut-most, 0):cut]), []rune(excerpt[cut:min(cut+most, len(excerpt))])
	start, end := "", ""
	if len(left) > width {
		start, left = "...", left[len(left)-width:]
	}
	if len(right) > width {
		end, right = "...", right[:width]
	}
	return text + "\n    " + start + visible(left) + visible(right) + end +
		"\n    " + strings.Repeat(" ", len(start)) + blank(left) + "^"
}

// visible is a piece of a line as it is printed, its tabs kept.
func visible(runes []rune) string {
	return strings.Join(text.SafeEach(strings.Split(string(runes), "\t")), "\t")
}

// blank returns spaces as wide on a screen as what is shown of a text, and its tabs.
func blank(runes []rune) string {
	pieces := strings.Split(visible(runes), "\t")
	for i, piece := range pieces {
		pieces[i] = strings.Repeat(" ", text.Width(piece))
	}
	return strings.Join(pieces, "\t")
}
