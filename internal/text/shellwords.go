package text

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ShellQuote quotes a word where a shell needs that. Split undoes it. A word that cannot
// be printed as it is stands in $'...', which bash, zsh and ksh read.
func ShellQuote(word string) string {
	switch {
	case Safe(word) != word:
		return escaped(word)
	case word != "" && !slices.ContainsFunc([]rune(word), shellSpecial):
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

func shellSpecial(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,", r))
}

// escaped writes a word with an escape for each byte that is no plain character.
func escaped(word string) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(word) {
		if c >= ' ' && c < 0x7f && !strings.ContainsRune(`\'#:`, rune(c)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	b.WriteString("'")
	return b.String()
}

// unescaped reads a word that escaped has written, without its beginning, and
// returns what comes behind it.
func unescaped(text string) (word, rest string, ok bool) {
	text, rest, ok = strings.Cut(text, "'")
	word = escape.ReplaceAllStringFunc(text, func(code string) string {
		n, _ := strconv.ParseUint(code[2:], 16, 8)
		return string([]byte{byte(n)})
	})
	return word, rest, ok
}

var escape = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// ShellJoin quotes words and joins them to a command.
func ShellJoin(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = ShellQuote(word)
	}
	return strings.Join(quoted, " ")
}

// ShellSplit splits a command at the spaces outside quotes, single or double.
// It has at least one word.
func ShellSplit(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	started := false
	quote := rune(0)
	for rest := command; rest != ""; {
		if text, found := strings.CutPrefix(rest, "$'"); found && quote == 0 {
			piece, behind, ok := unescaped(text)
			if !ok {
				return nil, fmt.Errorf("the quote ' in the command %s is not closed", command)
			}
			word.WriteString(piece)
			rest, started = behind, true
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		piece := rest[:size]
		rest = rest[size:]
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteString(piece)
		case r == '\'' || r == '"':
			quote, started = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if started {
				words = append(words, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteString(piece)
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
