package text

import (
	"strings"
	"unicode"
)

// SettingWords splits settings such as 'eot=6 kinds=Vote,"PUT /kv"' at spaces, but for those
// in quotes.
func SettingWords(settings string) []string {
	quoted, escaped := false, false
	return strings.FieldsFunc(settings, func(r rune) bool {
		switch {
		case escaped:
			escaped = false
		case r == '"':
			quoted = !quoted
		case r == '\\':
			escaped = quoted
		}
		return !quoted && unicode.IsSpace(r)
	})
}
