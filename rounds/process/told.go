package process

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// toldBegins is what the output begins with that package ldfi/client writes. A write of
// the program is one event, so it is never a part of a line.
const toldBegins = "\x00ldfi "

// toldArgs is how many arguments the client tells of what is not any fact.
var toldArgs = map[string]int{"request": 2, "reply": 2, "always": 3, "sometimes": 3}

// ours are the relations that a program cannot report as facts of its own.
var ours = []string{"", "up", "listens", "log", "metric", "json", "exit", "file", "polled", "last", "request", "reply", "always", "sometimes", "reachable", "unreachable"}

// takeTold takes what a program tells by package ldfi/client, and says whether it does.
func (p *process) takeTold(output []byte) (is bool, err error) {
	line, ok := bytes.CutPrefix(output, []byte(toldBegins))
	if !ok {
		return false, nil
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var args []any
	if err := d.Decode(&args); err != nil || len(args) == 0 {
		return false, nil
	}
	for i, arg := range args {
		switch a := arg.(type) {
		case string:
		case json.Number:
			n, err := strconv.ParseInt(a.String(), 10, 64)
			if err != nil {
				return false, nil
			}
			args[i] = n
		default:
			return false, nil
		}
	}
	what, _ := args[0].(string)
	switch {
	case what == funcBegins:
		p.begun = true
		return true, nil
	case what == funcWrong && len(args) == 2:
		return true, fmt.Errorf("%v", args[1])
	}
	if what == "fact" && len(args) > 1 {
		relation, ok := args[1].(string)
		if !ok {
			return false, nil
		}
		if slices.Contains(ours, relation) {
			return true, fmt.Errorf("it reports the fact %q, which ldfi reports itself: give client.Fact another name than %q", relation, ours[1:])
		}
		p.tell(relation, args[2:]...)
		return true, nil
	}
	if n := toldArgs[what]; n == 0 || len(args) != 1+n {
		return false, nil
	}
	if id, ok := args[1].(int64); ok && what == "request" {
		p.asked = max(p.asked, int(id))
	}
	p.tell(what, args[1:]...)
	return true, nil
}

// requests are the IDs of the requests of a program that starts: the next one, and by how
// much they differ. No two nodes have the same, and no two starts of a node.
func (p *process) requests() (next, step int) {
	step = len(p.cluster.All())
	return max(p.asked+step, p.index+1), step
}

// always is the property that no program says that what it checks does not hold.
var always = property.Property{Name: "always", FactsOnly: true, CrashedCounts: true, Func: func(e *recording.Execution) (all []result.Violation) {
	seen := map[specs.Value]bool{}
	for _, f := range e.Facts {
		if f.Relation == "unreachable" && len(f.Args) == 3 && !seen[f.Args[1]] {
			seen[f.Args[1]] = true
			all = append(all, result.Violation{Text: fmt.Sprintf("%s: this is reached, on %s at %s", f.Args[1].Text(), f.Args[0].Text(), f.Args[2].Text()), Fact: f})
		}
		if f.Relation != "always" || len(f.Args) != 4 || f.Args[2] != specs.String("false") || seen[f.Args[1]] {
			continue
		}
		seen[f.Args[1]] = true
		all = append(all, result.Violation{Text: fmt.Sprintf("%s, but not on %s at %s", f.Args[1].Text(), f.Args[0].Text(), f.Args[3].Text()), Fact: f})
	}
	return all
}}
