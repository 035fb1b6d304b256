package states

import (
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/lineage-driven/ldfi/internal/payloadtext"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// interner gives equal texts the same number, from 0.
type interner map[string]int32

// number returns the number of a text, and whether it is new.
func (n interner) number(text string) (int32, bool) {
	if i, ok := n[text]; ok {
		return i, false
	}
	i := int32(len(n))
	n[text] = i
	return i, true
}

// text returns the text with a number. It is slow.
func (n interner) text(number int32) string {
	for text, i := range n {
		if i == number {
			return text
		}
	}
	return ""
}

// key packs numbers into a comparable thing.
func key(numbers ...int32) string { return string(pack(nil, numbers...)) }

func pack(b []byte, numbers ...int32) []byte {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// payloads numbers what a process sends another in one round: a list of
// payloads, of which that with number 0 is empty. Two lists are the same if
// nothing but their identity in memory tells them apart.
type payloads struct {
	lists  [][]any
	byText map[string][]int32
}

func newPayloads() *payloads {
	return &payloads{lists: [][]any{nil}, byText: map[string][]int32{}}
}

func (l *payloads) number(payloads []any) int32 {
	if len(payloads) == 0 {
		return 0
	}
	text := ""
	for _, p := range payloads {
		text += fmt.Sprintf("%T %q\n", p, payloadtext.Of(p))
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

// sort returns the numbers of the messages that have each of the processes as
// the sender or the receiver.
func (l *payloads) sort(processes []string, messages []system.Message, end func(*system.Message) string) []int32 {
	numbers := make([]int32, len(processes))
	for i, name := range processes {
		var list []any
		for j := range messages {
			if m := &messages[j]; end(m) == name {
				list = append(list, m.Payload)
			}
		}
		numbers[i] = l.number(list)
	}
	return numbers
}

func sender(m *system.Message) string   { return m.From }
func receiver(m *system.Message) string { return m.To }

// inbox returns the messages that arrive at a process, given the numbers of
// what arrives from each of the others.
func (l *payloads) inbox(processes []string, to int, from []int32) []system.Message {
	var inbox []system.Message
	for i, list := range from {
		for _, payload := range l.lists[list] {
			inbox = append(inbox, system.Message{From: processes[i], To: processes[to], Payload: payload})
		}
	}
	return inbox
}
