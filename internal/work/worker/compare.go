package worker

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// comparison reads two answers side by side, as far as they say the same. Both were
// written by the same ldfi, so that members stand in the same order.
type comparison struct{ theirs, ours *json.Decoder }

func newComparison(theirs, ours json.RawMessage) comparison {
	c := comparison{json.NewDecoder(bytes.NewReader(theirs)), json.NewDecoder(bytes.NewReader(ours))}
	c.theirs.UseNumber()
	c.ours.UseNumber()
	return c
}

// varies tells whether a member may differ from machine to machine: how long something took,
// what a search cost but for the number of executions, and the words for a reason, which may
// be told in several ways.
func varies(path []string) bool {
	switch {
	case len(path) == 1:
		return path[0] == "took"
	case path[0] == "stats":
		return !strings.EqualFold(path[1], "executions") // whoever reads it takes either
	default:
		return len(path) == 3 && path[0] == "counterexamples" && path[2] == "because"
	}
}

// value compares the values at a path, and names the first difference; "" if there is none.
func (c comparison) value(path []string) (difference string, err error) {
	theirs, err := c.theirs.Token()
	if err != nil {
		return "", err
	}
	ours, err := c.ours.Token()
	if err != nil {
		return "", err
	}
	open, inside := ours.(json.Delim)
	if theirs != ours || !inside {
		return differ(path, theirs, ours), nil
	}
	for i := 0; ; i++ {
		theirs, err := next(c.theirs, open == '{', path, i)
		if err != nil {
			return "", err
		}
		ours, err := next(c.ours, open == '{', path, i)
		if err != nil {
			return "", err
		}
		if theirs != ours {
			return differ(path, theirs, ours), nil
		}
		if ours == nil {
			break
		}
		if difference, err := c.value(append(slices.Clip(path), ours.(string))); difference != "" || err != nil {
			return difference, err
		}
	}
	if _, err := c.theirs.Token(); err != nil {
		return "", err
	}
	_, err = c.ours.Token()
	return "", err
}

// next returns the name of the next member of an object, without those that vary, or the
// number of the next element of a list; nil at the end.
func next(d *json.Decoder, object bool, path []string, i int) (any, error) {
	for d.More() {
		if !object {
			return fmt.Sprint(i), nil
		}
		name, err := d.Token()
		if err != nil || !varies(append(slices.Clip(path), fmt.Sprint(name))) {
			return name, err
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// differ says that two tokens at a path differ, if they do.
func differ(path []string, theirs, ours json.Token) string {
	if theirs == ours {
		return ""
	}
	where := cmp.Or(strings.Join(path, "."), "the answer")
	return fmt.Sprintf("%s: it says %s, and this machine %s", where, shown(theirs), shown(ours))
}

// shown is a token, cut if it is long.
func shown(t json.Token) string {
	const most = 60
	if t == nil {
		return "nothing"
	}
	shown := fmt.Sprint(t)
	if len(shown) > most {
		shown = strings.ToValidUTF8(shown[:most], "") + "…"
	}
	return text.Safe(shown)
}
