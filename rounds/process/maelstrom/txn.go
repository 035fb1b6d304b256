package maelstrom

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/linear"
)

// TxnRWRegister is the workload of transactions that read and write registers. A register
// that nobody has written is null:
//
//	txn {"txn": [["r", 1, null], ["w", 1, 6]]}  →  txn_ok {"txn": [["r", 1, 3], ["w", 1, 6]]}
type TxnRWRegister struct {
	// Consistency is what has to hold: strict-serializable, as without it,
	// serializable, read-committed or read-uncommitted.
	Consistency string

	common
}

// Consistencies are those that a TxnRWRegister can have, the strictest first.
var Consistencies = []string{"strict-serializable", "serializable", "read-committed", "read-uncommitted"}

func (TxnRWRegister) asks(n, _ int) Body {
	read := func(key int) []any { return []any{"r", key, nil} }
	write := func(key int) []any { return []any{"w", key, n} }
	txn := [][]any{write(1), write(2)}
	switch n % 4 {
	case 1:
		txn = [][]any{read(1), read(2)}
	case 2:
		txn = [][]any{read(2), write(1)}
	case 3:
		txn = [][]any{read(1), write(2), read(2)}
	}
	return Body{"type": "txn", "txn": txn}
}

func (TxnRWRegister) services() []string { return services }

func (w TxnRWRegister) setup([]string) (Body, error) {
	if w.Consistency != "" && !slices.Contains(Consistencies, w.Consistency) {
		return nil, fmt.Errorf("%s is none of the consistencies %s", w.Consistency, strings.Join(Consistencies, ", "))
	}
	return nil, nil
}

func (w TxnRWRegister) promises(int) []property.Property {
	switch w.Consistency {
	case "serializable":
		return []property.Property{ofCertain(linear.Serializable(registers))}
	case "read-committed":
		return []property.Property{{Name: w.Consistency, FactsOnly: true, Func: uncommitted}}
	case "read-uncommitted":
		return []property.Property{{Name: w.Consistency, FactsOnly: true, Func: unwritten}}
	}
	return []property.Property{ofCertain(linear.Property(registers))}
}

// ofCertain judges the operations of which it is known whether they happened.
func ofCertain(p property.Property) property.Property {
	check := p.Func
	p.Func = func(e *recording.Execution) []result.Violation { return check(certain(e)) }
	return p
}

// access is a part of a transaction.
type access struct {
	write      bool
	key, value string // as JSON
}

// accesses returns the parts of a transaction.
func accesses(b Body) (all []access, ok bool) {
	parts, ok := b["txn"].([]any)
	for _, part := range parts {
		p, is := part.([]any)
		if !is || len(p) != 3 || p[0] != "r" && p[0] != "w" {
			return nil, false
		}
		all = append(all, access{p[0] == "w", compact(p[1]), compact(p[2])})
	}
	return all, ok
}

// answersTxn tells whether what a client was told is what it asked, but for what was read.
func answersTxn(asked, told []access) bool {
	return slices.EqualFunc(asked, told, func(a, b access) bool {
		return a.write == b.write && a.key == b.key && (!a.write || a.value == b.value)
	})
}

// null is what is read of a register that nobody has written.
const null = "null"

// registers is a database: its state is the JSON of values by keys.
var registers = porcupine.Model{
	Init: func() any { return "{}" },
	Step: func(state, input, output any) (bool, any) {
		asked, _ := parseBody(input.(string))
		parts, _ := accesses(asked)
		if output != nil {
			told, _ := parseBody(output.(string))
			if told.Type() == "error" {
				return true, state
			}
			answer, ok := accesses(told)
			if !ok || !answersTxn(parts, answer) {
				return false, state
			}
			parts = answer
		}
		values := map[string]string{}
		if json.Unmarshal([]byte(state.(string)), &values) != nil {
			return false, state
		}
		for _, a := range parts {
			value, has := values[a.key]
			if !has {
				value = null
			}
			switch {
			case a.write:
				values[a.key] = a.value
			case output != nil && a.value != value:
				return false, state
			}
		}
		return true, compact(values)
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%v: %v", input, output) },
}

// readFrom is one read of a transaction that was answered.
type readFrom struct {
	by     *operation
	what   access
	writer *operation // nil: nobody
	last   bool       // what the writer wrote last to the register
}

// reads returns what answered transactions have read of others.
func reads(e *recording.Execution) (all []readFrom) {
	type write struct {
		by   *operation
		last bool
	}
	operations := asks(history(e), "txn")
	writers := map[access]write{}
	for _, o := range operations {
		parts, _ := accesses(o.asked)
		last := map[string]access{}
		for _, a := range parts {
			if a.write {
				writers[a], last[a.key] = write{by: o}, a
			}
		}
		for _, a := range last {
			writers[a] = write{o, true}
		}
	}
	for _, o := range operations {
		if !o.succeeded() {
			continue
		}
		parts, _ := accesses(o.told)
		for i, a := range parts {
			own := slices.ContainsFunc(parts[:i], func(before access) bool { return before.write && before.key == a.key })
			if a.write || a.value == null || own {
				continue
			}
			w := writers[access{true, a.key, a.value}]
			all = append(all, readFrom{o, a, w.by, w.last})
		}
	}
	return all
}

// badAnswers finds answers that are about other transactions than what was asked, and reads
// of what the transaction itself has overwritten.
func badAnswers(e *recording.Execution, name string) (all []result.Violation) {
	for _, o := range asks(history(e), "txn") {
		if !o.succeeded() {
			continue
		}
		asked, _ := accesses(o.asked)
		told, ok := accesses(o.told)
		if !ok || !answersTxn(asked, told) {
			all = append(all, violation(name, o.says()+", which is another transaction", o.reply))
			continue
		}
		own := map[string]string{}
		for _, a := range told {
			if value, has := own[a.key]; has && !a.write && a.value != value {
				all = append(all, violation(name, fmt.Sprintf("%s, which reads %s of register %s after it wrote %s", o.says(), a.value, a.key, value), o.reply))
			}
			if a.write {
				own[a.key] = a.value
			}
		}
	}
	return all
}

// unwritten finds reads of what nobody has written.
func unwritten(e *recording.Execution) []result.Violation {
	const name = "read-uncommitted"
	all := badAnswers(e, name)
	for _, r := range reads(e) {
		if r.writer == nil || r.writer.round > r.by.answered {
			all = append(all, violation(name, fmt.Sprintf("%s, but nobody had asked to write %s to register %s", r.by.says(), r.what.value, r.what.key), r.by.reply))
		}
	}
	return all
}

// uncommitted finds reads of what was not committed: nobody wrote it, its transaction
// failed or overwrote it, or both transactions have read of each other.
func uncommitted(e *recording.Execution) []result.Violation {
	const name = "read-committed"
	all := badAnswers(e, name)
	of := map[*operation]map[*operation]bool{}
	found := reads(e)
	for _, r := range found {
		why := ""
		switch {
		case r.writer == nil || r.writer.round > r.by.answered:
			why = fmt.Sprintf("but nobody had asked to write %s to register %s", r.what.value, r.what.key)
		case r.writer.failed():
			why = "but " + r.writer.says()
		case !r.last:
			why = fmt.Sprintf("but %s of round %d writes another value to register %s after %s", r.writer.asked, r.writer.round, r.what.key, r.what.value)
		default:
			if of[r.by] == nil {
				of[r.by] = map[*operation]bool{}
			}
			of[r.by][r.writer] = true
			continue
		}
		all = append(all, violation(name, r.by.says()+", "+why, r.by.reply))
	}
	for _, r := range found {
		if r.writer != nil && r.writer.succeeded() && r.writer != r.by && reaches(of, r.writer, r.by, map[*operation]bool{}) {
			return append(all, violation(name, fmt.Sprintf("%s; it has read of %s, which has read of it", r.by.says(), r.writer.says()), r.by.reply, r.writer.reply))
		}
	}
	return all
}

// reaches tells whether a transaction has read of another, or of one that has, and so on.
func reaches(of map[*operation]map[*operation]bool, from, to *operation, seen map[*operation]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	for next := range of[from] {
		if next == to || reaches(of, next, to, seen) {
			return true
		}
	}
	return false
}
