package process

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// entry is a line of a log, without its time and the number of its process.
type entry struct {
	level, message string
	pairs          []pair
}

type pair struct{ key, value string }

// longestEntry is how many bytes a line has at most that is taken apart.
const longestEntry = 1 << 16

// logEntry takes a line apart, in the form that it has: JSON, pairs, or a text with what
// loggers put in front of it. A line of no known form is a message without a level.
func logEntry(line string) entry {
	if len(line) <= longestEntry {
		plain := line
		if strings.Contains(line, "\x1b[") {
			plain = colours.ReplaceAllString(line, "")
		}
		for _, form := range []func(string) (entry, bool){ofJSON, ofPairs, ofKlog, ofText} {
			if e, ok := form(plain); ok {
				return e
			}
		}
	}
	return entry{message: line}
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// facts returns the arguments of a fact for each pair, and one without a pair if there are
// none.
func (e entry) facts() (all [][]any) {
	if len(e.pairs) == 0 {
		return [][]any{{e.level, tidy(e.message), "", ""}}
	}
	for _, p := range e.pairs {
		all = append(all, []any{e.level, tidy(e.message), tidy(p.key), number(p.value)})
	}
	return all
}

// number returns a whole number as one, and all else as text.
func number(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
		return n
	}
	return tidy(text)
}

// levels are the names of levels, as loggers write them in small letters.
var levels = map[string]string{
	"trace": "debug", "trc": "debug", "debug": "debug", "dbg": "debug", "debu": "debug",
	"info": "info", "inf": "info", "notice": "info",
	"warn": "warn", "wrn": "warn", "warning": "warn",
	"error": "error", "err": "error", "erro": "error", "critical": "error", "crit": "error",
	"fatal": "fatal", "ftl": "fatal", "fata": "fatal",
	"panic": "panic", "pnc": "panic", "pani": "panic", "dpanic": "panic",
}

// levelOf returns the level with a name; INFO+2 is one above info.
func levelOf(name string) (level string, known bool) {
	if i := strings.IndexAny(name, "+-"); i > 0 {
		if _, err := strconv.Atoi(name[i:]); err == nil {
			name = name[:i]
		}
	}
	level, known = levels[strings.ToLower(name)]
	return level, known
}

// add takes one member of a line, if it tells more than the recording does anyway.
func (e *entry) add(key, value string, named *bool) {
	switch key {
	case "level", "lvl", "severity", "@level":
		if level, known := levelOf(value); known && e.level == "" {
			e.level, *named = level, true
			return
		}
	case "msg", "message", "@message":
		if e.message == "" {
			e.message, *named = value, true
			return
		}
	case "time", "ts", "timestamp", "@timestamp":
		if isTime(value) {
			return
		}
	case "pid":
		if _, err := strconv.Atoi(value); err == nil {
			return
		}
	}
	e.pairs = append(e.pairs, pair{key, value})
}

// isTime tells whether a value is a date with a time, or a number of seconds, milliseconds
// or such that is one.
func isTime(value string) bool {
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return seconds > 5e8
	}
	return times.MatchString(value)
}

var times = regexp.MustCompile(`^\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d`)

// ofJSON reads {"level":"info","msg":"hello","n":5}, as slog, zap, zerolog and logrus write
// it. Members of members have their names joined by full stops.
func ofJSON(line string) (e entry, ok bool) {
	if !strings.HasPrefix(line, "{") || !json.Valid([]byte(line)) {
		return e, false
	}
	named := false
	e.members("", []byte(line), &named)
	return e, named
}

// members takes the members of an object, which is valid.
func (e *entry) members(prefix string, object []byte, named *bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	_, err := d.Token() // {
	for err == nil && d.More() {
		var key json.Token
		var value json.RawMessage
		if key, err = d.Token(); err == nil {
			err = d.Decode(&value)
		}
		if err == nil {
			e.member(prefix+key.(string), value, named)
		}
	}
}

func (e *entry) member(key string, value json.RawMessage, named *bool) {
	var text string
	switch {
	case len(value) > 2 && value[0] == '{' && strings.Count(key, ".") < deepest:
		e.members(key+".", value, named)
	case json.Unmarshal(value, &text) == nil && value[0] == '"':
		e.add(key, text, named)
	default:
		e.add(key, string(value), named)
	}
}

// deepest is how many members within members are taken apart; what is deeper stays JSON.
const deepest = 8

// ofPairs reads level=INFO msg="hello there" n=5, as the text handlers of slog and logrus
// write it.
func ofPairs(line string) (e entry, ok bool) {
	pairs, rest := readPairs(line)
	named := false
	for _, p := range pairs {
		e.add(p.key, p.value, &named)
	}
	return e, rest == "" && named
}

// readPairs reads pairs, and returns what comes after them.
func readPairs(text string) (all []pair, rest string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimLeft(text, " ") {
		key, rest, ok := readWord(text, "= ")
		if !ok || key == "" || !strings.HasPrefix(rest, "=") {
			return all, text
		}
		value, rest, ok := readWord(rest[1:], " ")
		if !ok || rest != "" && rest[0] != ' ' {
			return all, text
		}
		all, text = append(all, pair{key, value}), rest
	}
	return all, ""
}

// readWord reads a word up to one of the ends, or what stands in quotes.
func readWord(text, ends string) (word, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		i := strings.IndexAny(text, ends)
		if i < 0 {
			i = len(text)
		}
		return text[:i], text[i:], !strings.Contains(text[:i], `"`)
	}
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", text, false
	}
	word, err = strconv.Unquote(quoted)
	return word, text[len(quoted):], err == nil
}

// ofKlog reads I0102 15:04:05.000000    1000 file.go:12] "hello" n=5, and the like of
// Tendermint, I[2000-01-01|00:00:00.000] hello n=5.
func ofKlog(line string) (e entry, ok bool) {
	if m := tendermint.FindStringSubmatch(line); m != nil {
		e.level = letters[m[1]]
		e.message, e.pairs = trailing(m[2])
		return e, true
	}
	m := klog.FindStringSubmatch(line)
	if m == nil {
		return e, false
	}
	e.level, e.pairs = letters[m[1]], []pair{{"caller", m[2]}}
	if message, rest, ok := readWord(m[3], ""); ok && message+rest != m[3] { // in quotes
		if pairs, rest := readPairs(rest); rest == "" {
			e.message, e.pairs = message, append(e.pairs, pairs...)
			return e, true
		}
	}
	e.message = m[3]
	return e, true
}

var (
	klog       = regexp.MustCompile(`^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ ([^ \]]+:\d+)\] ?(.*)$`)
	tendermint = regexp.MustCompile(`^([DIWE])\[\d{4}-\d\d-\d\d\|[\d:.]+\] (.*)$`)
	letters    = map[string]string{"D": "debug", "I": "info", "W": "warn", "E": "error", "F": "fatal"}
)

// ofText reads what has a pid, a time or a level in front of its message:
// 2000/01/01 00:00:00 INFO hello n=5, [1000] 2000/01/01 00:00:00.000000 [INF] hello, or
// 2000-01-01T00:00:00.000Z [WARN] agent: hello: n=5.
func ofText(line string) (e entry, ok bool) {
	m := front.FindStringSubmatch(line)
	prefix, rest := m[1], line[len(m[0]):]
	switch word := ofLevel.FindStringSubmatch(rest); {
	case m[0] == "" && word == nil:
		return e, false
	case word == nil || m[0] == "" && word[3] == " ":
		return entry{message: prefix + rest}, m[0] != ""
	default:
		level, known := levelOf(word[1] + word[2])
		if !known {
			return entry{message: prefix + rest}, m[0] != ""
		}
		e.level = level
		rest = strings.TrimLeft(rest[len(word[0]):], " \t")
		if word[3] == "\t" {
			return e.ofTable(rest), true
		}
	}
	message, pairs := trailing(rest)
	e.message, e.pairs = prefix+message, pairs
	return e, true
}

// ofTable reads what zap writes for terminals, with tabs: where, the message, and JSON.
func (e entry) ofTable(text string) entry {
	where, rest, ok := strings.Cut(text, "\t")
	if !ok || !place.MatchString(where) {
		where, rest = "", text
	}
	if where != "" {
		e.pairs = append(e.pairs, pair{"caller", where})
	}
	e.message = rest
	if i := strings.LastIndex(rest, "\t{"); i >= 0 && json.Valid([]byte(rest[i+1:])) {
		e.message = rest[:i]
		e.members("", []byte(rest[i+1:]), new(bool))
	}
	return e
}

var place = regexp.MustCompile(`^[^ ]+:\d+$`)

var (
	// front is the prefix of a logger, which stays, or a pid, and then a time.
	front = regexp.MustCompile(`^(?:(?:\[\d+\] )?((?:\[[^\[\]]{1,32}\] ?|[A-Za-z][\w.-]{0,31}(?:: ?)?)?)\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d(?: [A-Z]{3,4}\b)?)?(?::? |\t|$))?`)
	// ofLevel is a level in brackets, or one in capitals before a colon or a blank.
	ofLevel = regexp.MustCompile(`^(?:\[([A-Za-z]{3,8})\]|([A-Z]{3,8}(?:[+-]\d+)?)(:| |\t))`)
)

// trailing takes the pairs from the end of a message.
func trailing(text string) (message string, pairs []pair) {
	for from := text; ; {
		pairs, rest := readPairs(from)
		_, more, found := strings.Cut(rest, " ")
		switch {
		case rest == "" && len(pairs) > 0:
			return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text[:len(text)-len(from)], " "), ":"), " "), pairs
		case !found:
			return text, nil
		}
		from = more
	}
}
