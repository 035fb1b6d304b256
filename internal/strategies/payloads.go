package strategies

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// payloads numbers the lists of payloads that a process sends another in one round. The
// empty list has the number 0. Two lists have the same number if they differ only in
// identity in memory.
//
// The messages that arrive in a round are the numbers of such lists, one for each sender,
// since messages arrive in the order of their senders. A process that was paused gets
// earlier messages first: its inbox is then mixed, and has pairs of a sender and a list.
type payloads struct {
	lists  [][]any
	byText map[string][]int32
	kept   *sequences // pairs of a sender and a list, for processes that are paused

	kinds []string // that faults can hit alone
	parts map[[2]int32]parted
}

func newPayloads(kinds []string) *payloads {
	return &payloads{lists: [][]any{nil}, byText: map[string][]int32{}, kept: newSequences(), kinds: kinds, parts: map[[2]int32]parted{}}
}

func (l *payloads) number(payloads []any) int32 {
	if len(payloads) == 0 {
		return 0
	}
	text := ""
	for _, p := range payloads {
		text += fmt.Sprintf("%T %q\n", p, execution.PayloadText(p))
	}
	for _, i := range l.byText[text] {
		if reflect.DeepEqual(l.lists[i], payloads) {
			return i
		}
	}
	i := int32(len(l.lists))
	l.lists = append(l.lists, payloads)
	l.byText[text] = append(l.byText[text], i)
	return i
}

// sent returns the numbers of the messages that each of the processes is sent.
func (l *payloads) sent(processes []string, messages []system.Message) []int32 {
	numbers := make([]int32, len(processes))
	for i, name := range processes {
		var list []any
		for j := range messages {
			if m := &messages[j]; m.To == name {
				list = append(list, m.Payload)
			}
		}
		numbers[i] = l.number(list)
	}
	return numbers
}

// keep adds messages to those kept for a paused process: the messages of each process in
// arriving, in the given order or the usual one, and then those in due, pairs of a sender
// and a list.
func (l *payloads) keep(kept int32, arriving, order, due []int32) int32 {
	pairs, more := l.kept.lists[kept], false
	add := func(from, list int32) {
		if list == 0 {
			return
		}
		if !more {
			pairs, more = slices.Clone(pairs), true
		}
		pairs = l.join(pairs, from, list)
	}
	for i := range arriving {
		from := int32(i)
		if order != nil {
			from = order[i]
		}
		add(from, arriving[from])
	}
	for i := 0; i < len(due); i += 2 {
		add(due[i], due[i+1])
	}
	if !more {
		return kept
	}
	return l.kept.number(pairs)
}

// join adds a list that from sends to pairs of a sender and a list.
func (l *payloads) join(pairs []int32, from, list int32) []int32 {
	if last := len(pairs) - 2; last >= 0 && pairs[last] == from {
		pairs[last+1] = l.number(slices.Concat(l.lists[pairs[last+1]], l.lists[list]))
		return pairs
	}
	return append(pairs, from, list)
}

// mixed marks an inbox that is pairs of a sender and a list.
const mixed = -1

// after returns the inbox of a process that gets the messages kept for it first, and then
// those that arrive.
func (l *payloads) after(kept int32, arriving, order, due []int32) []int32 {
	if kept == 0 && order == nil && len(due) == 0 {
		return arriving
	}
	return plain(l.kept.lists[l.keep(kept, arriving, order, due)], len(arriving))
}

// plain returns an inbox of pairs as one list for each of n senders, if the pairs are in
// this order.
func plain(pairs []int32, n int) []int32 {
	inbox := make([]int32, n)
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 && pairs[i] < pairs[i-2] {
			return append([]int32{mixed}, pairs...)
		}
		inbox[pairs[i]] = pairs[i+1]
	}
	return inbox
}

// arrived returns the inbox of some messages.
func (l *payloads) arrived(index map[string]int, messages []system.Message) []int32 {
	var pairs []int32
	for first := 0; first < len(messages); {
		var list []any
		from := messages[first].From
		for ; first < len(messages) && messages[first].From == from; first++ {
			list = append(list, messages[first].Payload)
		}
		pairs = append(pairs, int32(index[from]), l.number(list))
	}
	return plain(pairs, len(index))
}

// messages returns the messages of an inbox.
func (l *payloads) messages(processes []string, to int, inbox []int32) []system.Message {
	var messages []system.Message
	add := func(from, list int32) {
		for _, payload := range l.lists[list] {
			messages = append(messages, system.Message{From: processes[from], To: processes[to], Payload: payload})
		}
	}
	if len(inbox) > 0 && inbox[0] == mixed {
		for i := 1; i < len(inbox); i += 2 {
			add(inbox[i], inbox[i+1])
		}
		return messages
	}
	for from, list := range inbox {
		add(int32(from), list)
	}
	return messages
}
