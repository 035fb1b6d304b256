package process

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// jsonValues returns a fact json(Path, Value) for each number, text, truth value and null in
// JSON, and for each list and object that is empty. A path has keys and numbers of elements,
// joined by full stops; a key that would not be told from these is quoted, as in a["b.c"].
func jsonValues(text []byte) (all []fact, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := jsonValue(d, "", 0, &all); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something stands behind the JSON")
	}
	return all, nil
}

// deepestJSON is how many values within values are read.
const deepestJSON = 100

func jsonValue(d *json.Decoder, at string, depth int, all *[]fact) error {
	if depth > deepestJSON {
		return fmt.Errorf("values are more than %d deep", deepestJSON)
	}
	token, err := d.Token()
	if err != nil {
		return err
	}
	add := func(value any) {
		if !ofRuntime(at) {
			*all = append(*all, fact{"json", []any{tidy(at), value}})
		}
	}
	switch v := token.(type) {
	case json.Delim:
		n := 0
		keys := map[string]bool{}
		for ; d.More(); n++ {
			key := strconv.Itoa(n)
			if v == '{' {
				name, err := d.Token()
				if err != nil {
					return err
				}
				key, _ = name.(string)
				if keys[key] {
					return fmt.Errorf("the key %.100q is there twice in one object", key)
				}
				keys[key] = true
			}
			if err := jsonValue(d, jsonPath(at, key), depth+1, all); err != nil {
				return err
			}
		}
		if n == 0 {
			add(map[json.Delim]string{'{': "{}", '[': "[]"}[v])
		}
		_, err := d.Token() // the end
		return err
	case json.Number:
		add(number(tidy(v.String())))
	case string:
		add(tidy(v))
	default:
		add(strings.Replace(fmt.Sprint(v), "<nil>", "null", 1))
	}
	return nil
}

// jsonPath is the path of a key.
func jsonPath(at, key string) string {
	switch {
	case key == "" || strings.ContainsAny(key, `.["]`):
		return at + "[" + strconv.Quote(key) + "]"
	case at == "":
		return key
	}
	return at + "." + key
}

// metricValues returns a fact metric(Name, Labels, Value) for each sample in the text format
// of Prometheus or OpenMetrics. Labels are in the order of their names.
func metricValues(text string) (all []fact, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, labels, value, err := sample(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if !ofRuntime(name) {
			all = append(all, fact{"metric", []any{tidy(name), tidy(labels), wholeNumber(value)}})
		}
	}
	return all, nil
}

// ofRuntime tells whether a value is about the runtime of Go or its process, such as where
// garbage is. That is not about what the server does, and need not be the same twice.
func ofRuntime(name string) bool {
	return strings.HasPrefix(name, "go_") || strings.HasPrefix(name, "process_") || strings.HasPrefix(name, "memstats.")
}

// sample reads name{labels} value, behind which a time and an example can stand.
func sample(line string) (name, labels string, value float64, err error) {
	end := strings.IndexAny(line, "{ \t")
	if end <= 0 {
		return "", "", 0, errors.New("a metric has a name and a value")
	}
	name, line = line[:end], line[end:]
	if line[0] == '{' {
		if labels, line, err = readLabels(line[1:]); err != nil {
			return "", "", 0, err
		}
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return "", "", 0, fmt.Errorf("metric %s has no value", tidy(name))
	}
	if value, err = strconv.ParseFloat(words[0], 64); err != nil && !errors.Is(err, strconv.ErrRange) {
		return "", "", 0, fmt.Errorf("metric %s: %s is no number", tidy(name), tidy(words[0]))
	}
	return name, labels, value, nil
}

// readLabels reads labels up to the brace behind them.
func readLabels(text string) (labels, rest string, err error) {
	var all []string
	for {
		text = strings.TrimLeft(text, " \t,")
		if rest, closed := strings.CutPrefix(text, "}"); closed {
			slices.Sort(all)
			return strings.Join(all, ","), rest, nil
		}
		name, behind, found := strings.Cut(text, "=")
		behind = strings.TrimLeft(behind, " \t")
		end := 1
		for end < len(behind) && behind[end] != '"' {
			if behind[end] == '\\' {
				end++
			}
			end++
		}
		if !found || behind == "" || behind[0] != '"' || end >= len(behind) {
			return "", "", errors.New(`a label has the form name="value"`)
		}
		all = append(all, strings.TrimSpace(name)+"="+behind[:end+1])
		text = behind[end+1:]
	}
}

// wholeNumber returns a whole number as one, and every other as text.
func wholeNumber(value float64) any {
	if value == math.Trunc(value) && math.Abs(value) < 1<<53 {
		return int64(value)
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}
