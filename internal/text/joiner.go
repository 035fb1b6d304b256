package text

import (
	"strings"
	"unicode"
)

// Characters without a width are needed in some scripts, and make one emoji of
// several. Elsewhere two names that look the same could differ by them.
const (
	nonJoiner   = '\u200c'
	joiner      = '\u200d'
	asText      = '\ufe0e'
	asEmoji     = '\ufe0f'
	firstOfHan  = '\U000e0100'
	keycapBases = "0123456789#*‼⁉〰〽"
)

func isJoiner(r rune) bool { return r == joiner || r == nonJoiner }

// joining are the scripts in which joiners change how letters look.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
}

// joins tells whether a joiner between two characters does something that is
// seen.
func joins(before, after rune) bool {
	if before == asEmoji || unicode.In(before, unicode.So, unicode.Sk) {
		return unicode.In(after, unicode.So, unicode.Sm)
	}
	return unicode.In(before, joining...) && unicode.IsLetter(after) && unicode.In(after, joining...)
}

// varies tells whether a selector of variants does something to the character
// before it that is seen.
func varies(before, selector rune) bool {
	switch {
	case selector == asText || selector == asEmoji:
		return unicode.In(before, unicode.So, unicode.Sm) || strings.ContainsRune(keycapBases, before)
	case selector >= firstOfHan:
		return unicode.Is(unicode.Han, before)
	default:
		return unicode.In(before, unicode.Han, unicode.Mongolian, unicode.Sm)
	}
}
