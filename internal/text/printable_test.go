package text_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

func TestLine(t *testing.T) {
	for s, want := range map[string]string{
		"":                         "",
		"post(c, \"hello\")@6":     "post(c, \"hello\")@6",
		"\x1b[31mred\x1b[0m":       `\x1b[31mred\x1b[0m`,
		"a\nb\tc\rd\r\n":           `a\nb\tc\rd\r\n`,
		"\x00\a\b\v\f\x7f":         `\x00\a\b\v\f\x7f`,
		"\u0085\u009b31m":          `\u0085\u009b31m`,
		"a\u202eb\u2066c\u2069d":   `a\u202eb\u2066c\u2069d`,
		"\u2028\u2029":             `\u2028\u2029`,
		"a\u200bb\u2060c\ufeffd":   `a\u200bb\u2060c\ufeffd`,
		"\xff\xfe\xc3":             `\xff\xfe\xc3`,
		"\xed\xa0\x80":             `\xed\xa0\x80`, // half of a surrogate pair
		"\ufffd":                   "\ufffd",
		"\U000e0041":               `\U000e0041`, // a tag
		"\ue000":                   `\ue000`,     // private
		"\u3164\u115f\u034f":       `\u3164\u115f\u034f`,
		"\u0301a\u0301":            `\u0301` + "a\u0301", // a mark without a character
		"ü u\u0308 参加者 はい ✔\ufe0f": "ü u\u0308 参加者 はい ✔\ufe0f",
		"👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 👍🏽 🇦🇹 1\ufe0f\u20e3": "👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 👍🏽 🇦🇹 1\ufe0f\u20e3",
		"می\u200cخواهم क्\u200dष":                            "می\u200cخواهم क्\u200dष",
		"葛\U000e0100":                                        "葛\U000e0100",
		"a\u200db a\ufe0f \u200d":                            `a\u200db a\ufe0f \u200d`,
		"👨\u200d\u200d👩":                                     `👨\u200d\u200d👩`,
		"1\u00a0000\u3000全角":                                 "1\u00a0000\u3000全角",
		`C:\x1b`:                                             `C:\x1b`,
		"##[error]x":                                         `##\x5berror]x`,
		"x ###[e] ##vso[t] #[a] ##":                          `x ###\x5be] ##vso\x5bt] #[a] ##`,
		"##a#[ ##1[ ## [":                                    "##a#[ ##1[ ## [",
		"::error::x":                                         "::error::x", // only a line can begin with it
		"z" + strings.Repeat("\u0300", 10):                   "z" + strings.Repeat("\u0300", 8) + `\u0300` + "\u0300",
	} {
		require.Equal(t, want, text.Safe(s), "%+q", s)
	}
}

func TestLines(t *testing.T) {
	for s, want := range map[string]string{
		"a\n\tb\r\n\rc\n":                  "a\n\tb\n\\rc\n",
		"::error::x\n \t::add-mask::y\n":   `:\x3aerror::x` + "\n" + ` ` + "\t" + `:\x3aadd-mask::y` + "\n",
		"\u00a0\u3000::stop-commands::t":   "\u00a0\u3000" + `:\x3astop-commands::t`,
		"a ::error::x\n: :\n:::x":          "a ::error::x\n: :\n" + `:\x3a:x`,
		"\n\n##[group]x":                   "\n\n" + `##\x5bgroup]x`,
		"a\n\u0301":                        "a\n" + `\u0301`,
		"\x1b[31m::error::x":               `\x1b[31m::error::x`,
		"\ufeff::error::x\u2028::error::x": `\ufeff::error::x\u2028::error::x`,
	} {
		require.Equal(t, want, text.SafeLines(s), "%+q", s)
	}
}

func TestJSON(t *testing.T) {
	for _, s := range hostile {
		data, err := json.MarshalIndent(map[string]string{s: s}, "", "  ")
		require.NoError(t, err)
		shown := text.SafeJSON(data)
		require.Equal(t, string(shown), text.SafeLines(string(shown)), "%+q", s)
		var before, after any
		require.NoError(t, json.Unmarshal(data, &before))
		require.NoError(t, json.Unmarshal(shown, &after), "%s", shown)
		require.Equal(t, before, after)
	}
}

func TestWriterInPieces(t *testing.T) {
	for _, s := range append(hostile, "\x1b[1mholds\x1b[0m \x1b[31m", "a\u200d", "\xe2\x80", "\r", "\x1b") {
		var whole bytes.Buffer
		w := text.NewSafeWriter(&whole, "\x1b[1m", "\x1b[0m")
		_, err := w.Write([]byte(s))
		require.NoError(t, err)
		require.NoError(t, w.Flush())
		if !strings.Contains(s, "\x1b[1m") {
			require.Equal(t, text.SafeLines(s), whole.String())
		}
		var pieces bytes.Buffer
		w = text.NewSafeWriter(&pieces, "\x1b[1m", "\x1b[0m")
		for i := range len(s) {
			n, err := w.Write([]byte{s[i]})
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
		require.NoError(t, w.Flush())
		require.Equal(t, whole.String(), pieces.String(), "%+q", s)
	}
	var out bytes.Buffer
	w := text.NewSafeWriter(&out, "\x1b[1m", "\x1b[0m")
	_, err := w.Write([]byte("\x1b[1mholds\x1b[0m \x1b[31m \x1b[1"))
	require.NoError(t, err)
	require.Equal(t, "\x1b[1mholds\x1b[0m \\x1b[31m ", out.String(), "colours stay, others do not, and what may become one waits")
	require.NoError(t, w.Flush())
	require.Equal(t, "\x1b[1mholds\x1b[0m \\x1b[31m \\x1b[1", out.String())
}

var hostile = []string{
	"", "plain", "\x1b]0;title\a", "\x1b[2J", "\x1b[8mhidden", "a\nb", "a\r\nb", "a\rb", "\u202egnp.exe", "\u2066\u2069", "\u200b", "\u200d", "👨\u200d👩\u200d👧", "👨\u200d",
	"\xff", "\xed\xa0\x80", "\u2028", "\u2029", "\u0085", "\u009b2J", "::error::x", "  ::add-mask::x", "\u00a0::stop-commands::x", "##[error]x", "x##[x", "##vso[x", "###[",
	"z" + strings.Repeat("\u0300", 40), "\u0301", "\U000e0041\U000e0100", "葛\U000e0100", "\ue000", "\u3164", "</details>", "]]>", "`", "```", "|", "%0A", "\x00", "\x7f", "\\x1b", "\"", "'",
}

// FuzzPrintable: what is printed has nothing in it that must not be printed, is
// printed as it is, takes room where anything is there, and starts no command.
func FuzzPrintable(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line, lines := text.Safe(s), text.SafeLines(s)
		require.Equal(t, line, text.Safe(line))
		require.Equal(t, lines, text.SafeLines(lines))
		require.NotContains(t, line, "\n")
		require.Equal(t, s == "", line == "")
		require.Equal(t, s != "", uniseg.StringWidth(line) > 0, "%+q", line)
		require.GreaterOrEqual(t, uniseg.StringWidth(line)*4*(8+2), len(line)/2, "not much without a width")
		for _, out := range []string{line, lines} {
			requireVisible(t, out)
			require.NotRegexp(t, `##[a-zA-Z]*\[`, out)
		}
		for row := range strings.Lines(lines) {
			require.False(t, strings.HasPrefix(strings.TrimSpace(row), "::"), "%+q", row)
		}
		data, err := json.Marshal(s)
		require.NoError(t, err)
		var before, after string
		require.NoError(t, json.Unmarshal(data, &before))
		require.NoError(t, json.Unmarshal(text.SafeJSON(data), &after))
		require.Equal(t, before, after)
	})
}

// requireVisible looks at the characters one by one, in another way than the
// package does.
func requireVisible(t *testing.T, text string) {
	require.True(t, utf8.ValidString(text))
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || r == '\u200c' || r == '\u200d':
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp):
			t.Fatalf("%U in %+q", r, text)
		}
	}
}
