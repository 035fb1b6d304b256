package maelstrom

import (
	"fmt"
	"maps"
	"slices"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/linear"
)

// LinKV is the workload of a linearizable store of values by keys. Error 20 says that
// there is no such key, and 22 that its value is another:
//
//	write {"key": "x", "value": 1}          →  write_ok
//	read {"key": "x"}                       →  read_ok {"value": 1}
//	cas {"key": "x", "from": 1, "to": 2}    →  cas_ok
type LinKV struct{ common }

// asks writes, reads, swaps and reads again one key after the other.
func (LinKV) asks(n, _ int) Body {
	key := []string{"x", "y"}[n/4%2]
	switch n % 4 {
	case 0:
		return Body{"type": "write", "key": key, "value": n}
	case 2:
		return Body{"type": "cas", "key": key, "from": n - 2, "to": n}
	}
	return Body{"type": "read", "key": key}
}

func (LinKV) services() []string { return services }

func (LinKV) promises(int) []property.Property {
	return []property.Property{ofCertain(linear.Property(store))}
}

// certain returns the execution with the first answer to each operation, without those
// that do not say whether it happened: it may have happened or not, as if there was no
// answer.
func certain(e *recording.Execution) *recording.Execution {
	first := map[specs.Value]*operation{}
	for _, o := range history(e) {
		if o.told != nil && (o.succeeded() || o.failed()) {
			first[o.request.Args[1]] = o
		}
	}
	clear := *e
	clear.Facts = nil
	for _, f := range e.Facts {
		if f.Relation == "reply" && len(f.Args) == 3 {
			o := first[f.Args[1]]
			if o == nil || o.reply.Round != f.Round || o.reply.String() != f.String() {
				continue
			}
			delete(first, f.Args[1])
		}
		clear.Facts = append(clear.Facts, f)
	}
	return &clear
}

// store is a map of keys to values, as the text of its JSON. An operation that failed has
// changed nothing.
var store = porcupine.Model{
	Partition: byKey,
	Init:      func() any { return absent },
	Step: func(state, input, output any) (bool, any) {
		asked, _ := parseBody(input.(string))
		var told Body
		if output != nil {
			told, _ = parseBody(output.(string))
		}
		return step(state.(string), asked, told)
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%v: %v", input, output) },
}

// byKey parts operations by their key, in the order of the keys.
func byKey(all []porcupine.Operation) [][]porcupine.Operation {
	parts := map[string][]porcupine.Operation{}
	for _, o := range all {
		asked, _ := parseBody(o.Input.(string))
		key := compact(asked["key"])
		parts[key] = append(parts[key], o)
	}
	var sorted [][]porcupine.Operation
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		sorted = append(sorted, parts[key])
	}
	return sorted
}

// absent is the state of a key that has no value.
const absent = ""

// step tells whether an operation on a key can be answered so when that has a value,
// and what value it has then.
func step(value string, asked, told Body) (possible bool, next string) {
	switch asked.Type() {
	case "write":
		next = compact(asked["value"])
	case "cas":
		next = value
		if value == compact(asked["from"]) || value == absent && asked["create_if_not_exists"] == true {
			next = compact(asked["to"])
		}
	default:
		next = value
	}
	if told == nil {
		return true, next
	}
	if told.Type() == "error" {
		return refusable(value, asked, told.integer("code")), value
	}
	switch asked.Type() {
	case "read":
		return value != absent && value == compact(told["value"]), value
	case "cas":
		return value != absent && value == compact(asked["from"]) || value == absent && asked["create_if_not_exists"] == true, next
	}
	return true, next
}

// refusable tells whether an operation can be refused with a code when the key has a value.
func refusable(value string, asked Body, code int) bool {
	switch code {
	case 20:
		return value == absent && asked.Type() != "write"
	case 22:
		return asked.Type() == "cas" && value != absent && value != compact(asked["from"])
	}
	return true
}
