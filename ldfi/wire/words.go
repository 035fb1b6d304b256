package wire

import (
	"errors"
	"fmt"
	"strings"
)

// SplitCommand splits a command at the spaces outside quotes, single or double.
// It has at least one word.
func SplitCommand(command string) ([]string, error) {
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
