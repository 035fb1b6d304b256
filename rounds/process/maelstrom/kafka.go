package maelstrom

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Kafka is the workload of logs by keys, whose messages have offsets that grow. A poll may
// have some of the messages from an offset on, but leaves none out in between:
//
//	send {"key": "1", "msg": 7}                 →  send_ok {"offset": 0}
//	poll {"offsets": {"1": 0}}                  →  poll_ok {"msgs": {"1": [[0, 7], ..]}}
//	commit_offsets {"offsets": {"1": 0}}        →  commit_offsets_ok
//	list_committed_offsets {"keys": ["1"]}      →  list_committed_offsets_ok {"offsets": {"1": 0}}
type Kafka struct{ common }

// asks sends to two logs, and commits the first offsets of these, as far as logs begin
// with 0, in between.
func (Kafka) asks(n, _ int) Body {
	block := n / 8
	switch n % 8 {
	case 1, 5:
		return Body{"type": "send", "key": "2", "msg": n}
	case 3:
		return Body{"type": "commit_offsets", "offsets": map[string]int{"1": 3 * block}}
	case 6:
		return Body{"type": "commit_offsets", "offsets": map[string]int{"1": 3*block + 1, "2": 2 * block}}
	case 7:
		return Body{"type": "list_committed_offsets", "keys": []string{"1", "2"}}
	}
	return Body{"type": "send", "key": "1", "msg": n}
}

func (Kafka) final() Body {
	return Body{"type": "poll", "offsets": map[string]int{"1": 0, "2": 0}}
}

func (Kafka) services() []string { return services }

func (Kafka) promises(int) []property.Property {
	return []property.Property{
		{Name: "an offset has one message", FactsOnly: true, Func: ambiguous},
		{Name: "polls leave nothing out", FactsOnly: true, Func: leftOut},
		{Name: "no message is invented", FactsOnly: true, Func: neverSent},
		{Name: "commits are kept", FactsOnly: true, Func: uncommits},
	}
}

// entry is a message in a log.
type entry struct {
	offset int
	msg    string // as JSON
}

// log is the name of a log, as JSON has it.
func (o *operation) log() string { key, _ := o.asked["key"].(string); return key }

// polled returns what a poll was told, by the keys of logs; ok is whether it has the form of
// an answer.
func (o *operation) polled() (all map[string][]entry, ok bool) {
	all = map[string][]entry{}
	logs, ok := o.told["msgs"].(map[string]any)
	for key, list := range logs {
		messages, is := list.([]any)
		ok = ok && is
		for _, m := range messages {
			pair, is := m.([]any)
			if !is || len(pair) != 2 {
				return all, false
			}
			number, is := pair[0].(json.Number)
			offset, err := number.Int64()
			if !is || err != nil {
				return all, false
			}
			all[key] = append(all[key], entry{int(offset), compact(pair[1])})
		}
	}
	return all, ok
}

// polls returns those that were answered.
func polls(all []*operation) []*operation {
	return slices.DeleteFunc(asks(all, "poll"), func(o *operation) bool { return !o.succeeded() })
}

// sight is where a client has seen a message.
type sight struct {
	entry
	in *operation
}

// ambiguous finds offsets with two messages, and messages with two offsets.
func ambiguous(e *recording.Execution) (all []result.Violation) {
	const name = "an offset has one message"
	type place struct {
		key  string
		what string
	}
	byOffset, byMessage := map[place]sight{}, map[place]sight{}
	see := func(key string, s sight) {
		for _, by := range []struct {
			seen map[place]sight
			at   place
		}{{byOffset, place{key, fmt.Sprint(s.offset)}}, {byMessage, place{key, s.msg}}} {
			before, has := by.seen[by.at]
			if has && before.entry != s.entry && len(all) == 0 {
				all = append(all, violation(name, fmt.Sprintf("%s; and %s: log %s has message %s at offset %d, and message %s at offset %d",
					before.in.says(), s.in.says(), key, before.msg, before.offset, s.msg, s.offset), before.in.reply, s.in.reply))
			}
			if !has {
				by.seen[by.at] = s
			}
		}
	}
	for _, o := range history(e) {
		switch {
		case !o.succeeded():
		case o.asked.Type() == "send":
			see(o.log(), sight{entry{o.told.integer("offset"), compact(o.asked["msg"])}, o})
		case o.asked.Type() == "poll":
			logs, ok := o.polled()
			if !ok {
				all = append(all, violation(name, o.says()+", which has not the form of an answer to poll", o.reply))
			}
			for _, key := range slices.Sorted(maps.Keys(logs)) {
				for _, m := range logs[key] {
					see(key, sight{m, o})
				}
			}
		}
	}
	return all
}

// leftOut finds polls that are in no order, and the first of each log without a message that a client was told
// to be sent, though it goes on behind that.
func leftOut(e *recording.Execution) (all []result.Violation) {
	const name = "polls leave nothing out"
	operations := history(e)
	blamed := map[string]bool{}
	for _, o := range polls(operations) {
		logs, _ := o.polled()
		from, _ := o.asked["offsets"].(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(logs)) {
			log := logs[key]
			if blamed[key] || len(log) == 0 {
				continue
			}
			first := Body(from).integer(key)
			if log[0].offset < first || !slices.IsSortedFunc(log, func(a, b entry) int {
				if a.offset < b.offset {
					return -1
				}
				return 1
			}) {
				blamed[key] = true
				all = append(all, violation(name, o.says()+", where offsets do not grow from the one that was asked for", o.reply))
				continue
			}
			for _, sent := range asks(operations, "send") {
				at := sent.told.integer("offset")
				if sent.succeeded() && sent.log() == key && sent.answered < o.round && first <= at && at < log[len(log)-1].offset &&
					!slices.ContainsFunc(log, func(m entry) bool { return m.offset == at }) {
					blamed[key] = true
					all = append(all, violation(name, fmt.Sprintf("%s, but %s, without offset %d of log %s", sent.says(), o.says(), at, key), sent.reply, o.reply))
					break
				}
			}
		}
	}
	return all
}

// neverSent finds the first message of each log that nobody had asked to send by then.
func neverSent(e *recording.Execution) (all []result.Violation) {
	operations := history(e)
	blamed := map[string]bool{}
	for _, o := range polls(operations) {
		logs, _ := o.polled()
		for _, key := range slices.Sorted(maps.Keys(logs)) {
			for _, m := range logs[key] {
				if !blamed[key] && !slices.ContainsFunc(asks(operations, "send"), func(s *operation) bool {
					return s.round <= o.answered && s.log() == key && compact(s.asked["msg"]) == m.msg
				}) {
					blamed[key] = true
					all = append(all, violation("no message is invented", fmt.Sprintf("%s, but nobody had asked to send %s to log %s", o.says(), m.msg, key), o.reply))
				}
			}
		}
	}
	return all
}

// uncommits finds answers that have a smaller offset than one that a client was told to be
// committed before they were asked for.
func uncommits(e *recording.Execution) (all []result.Violation) {
	operations := history(e)
	for _, listed := range asks(operations, "list_committed_offsets") {
		if !listed.succeeded() {
			continue
		}
		has, _ := listed.told["offsets"].(map[string]any)
		for _, o := range asks(operations, "commit_offsets") {
			if !o.succeeded() || o.answered >= listed.round {
				continue
			}
			offsets, _ := o.asked["offsets"].(map[string]any)
			for _, key := range slices.Sorted(maps.Keys(offsets)) {
				if _, there := has[key]; !there || Body(has).integer(key) < Body(offsets).integer(key) {
					all = append(all, violation("commits are kept", fmt.Sprintf("%s, but %s", o.says(), listed.says()), o.reply, listed.reply))
				}
			}
		}
	}
	return all
}
