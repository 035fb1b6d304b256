// Package shellwords writes commands as a shell takes them, and splits them.
package shellwords

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Quote quotes a word where a shell needs that. Split undoes it.
func Quote(word string) string {
	if word != "" && !slices.ContainsFunc([]rune(word), special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

func special(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,", r))
}

// Join quotes words and joins them to a command.
func Join(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// Split splits a command at the spaces outside quotes, single or double.
// It has at least one word.
func Split(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	started := false
	quote := rune(0)
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, started = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if started {
				words = append(words, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteRune(r)
			started = true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the quote %c in the command %s is not closed", quote, command)
	case started:
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return words, nil
}
